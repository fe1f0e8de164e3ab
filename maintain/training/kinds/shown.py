"""Tools with worked examples, and runs that follow them.

A student's tool comes with two or three examples. They show what is not in the weights: which words
to think in, what goes into an argument, how to end. A model that has learned one form by heart
ignores examples, so here each run has its own form.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from g2c.tools import Tool, ToolExample
from maintain.training.kinds.facts import make_fact
from maintain.training.kinds.made_tools import look_up, make_tool
from maintain.training.scenario import Move, Scenario
from maintain.training.vocabulary import (
    ANIMALS,
    FOOD,
    GOODS,
    KIN,
    PEOPLE,
    PLACES,
    THINGS,
    number,
    phrases,
    pick,
)

WORDS = (PEOPLE, PLACES, THINGS, GOODS, ANIMALS)

REVIEWS = phrases("shown.reviews")

Make = Callable[[], ToolExample]
"""Another example of the same form."""


def shown(rng: random.Random) -> Scenario:
    """A run that follows the examples of its only tool."""
    tool, make = rng.choice((_keeper, _keeper, _clerk, _clerk, _asked))(rng)
    wanted, *examples = (make() for _ in range(rng.choice((3, 4))))
    if wanted.question in {example.question for example in examples}:
        return shown(rng)
    tool = replace(tool, func=lambda **_: wanted.observation, example=examples[0],
                   more_examples=tuple(examples[1:]))  # fmt: skip
    return Scenario(
        question=wanted.question,
        moves=(Move(wanted.thought, tool.name, wanted.arguments, wanted.observation),),
        thought=wanted.conclusion,
        answer=wanted.answer,
        value=wanted.answer,
        goal="do it as it was done before",
        steps=(f"Call {tool.name}.", "Answer."),
        tools=(tool, *rng.choice(((), (), (), ("calculator",), ("read_file",)))),
    )


def statement(rng: random.Random) -> tuple[str, str]:
    """A user's statement, and its subject."""
    who, place, thing = rng.choice(PEOPLE), rng.choice(PLACES), rng.choice(THINGS)
    goods, animal = rng.choice(FOOD), rng.choice(ANIMALS)
    kin = rng.choice(KIN)
    if rng.random() < 0.4:
        fact = make_fact(rng)
        return fact.sentence, fact.about.split(" of ")[0].removeprefix("the ")
    return rng.choice(
        (
            (f"My {kin} lives in {place}.", kin),
            (f"My {kin} is called {who}.", kin),
            (f"My {kin} has a {animal}.", kin),
            (f"I live in {place} now.", place),
            (f"I have moved from {place}.", place),
            (f"I eat no {goods}.", goods),
            (f"I am {who}.", who),
            (f"I gave the {thing} to {who}.", thing),
            (f"I have lost my {thing}.", thing),
            (f"{who} is my {kin}.", who),
            (f"{who} and I travel to {place} in May.", place),
            (f"Our {animal} is {number(rng, 2, 12)} years old.", animal),
            (f"Please remember that the {thing} is {who}'s.", thing),
        )
    )


def _keeper(rng: random.Random) -> tuple[Tool, Make]:
    """A tool that stores a statement."""
    name = pick(rng, "keep", "keep_fact", "note_down", "remember", "save_note", "store", "write_up")
    text = rng.choice(("fact", "text", "note", "what", "content"))
    about = rng.choice(("about", "topic", "subject", "title", ""))
    spec = {text: (str, "what to keep")} | ({about: (str, "what it is about")} if about else {})
    thought = pick(rng, "I need to keep that.", "This is worth keeping.", "I keep it.",
                   "The user tells me something.", "I note what was said.")  # fmt: skip
    observation = pick(rng, "Kept.", "Saved.", "Noted.", "Done.", "ok")
    conclusion = pick(
        rng, "It is kept.", "That is done.", "I have it now.", "Nothing is left to do."
    )
    answer = pick(
        rng, "I will remember that.", "Noted.", "I have kept it.", "Thank you, I know now."
    )

    def make() -> ToolExample:
        said, topic = statement(rng)
        arguments = {text: said} | ({about: topic} if about else {})
        return ToolExample(said, thought, arguments, observation, answer, conclusion=conclusion)

    says = pick(rng, "Keep a fact for later.", "Write down what should not be forgotten.",
                "Store something that was said.")  # fmt: skip
    return make_tool(name, says, spec, lambda **_: observation), make


@dataclass(frozen=True)
class Clerk:
    """A tool that does one thing at a time, to the item that the state names. The lines have a gap
    for the item."""

    tool: Tool
    words: Sequence[str]
    argument: str
    goal: str
    began: str
    state: str
    done: str
    conclusion: str

    def example(self, question: str, which: str) -> ToolExample:
        """The worked example for a state that names `which`."""
        said = self.done.format(which)
        return ToolExample(question, self.state.format(which), {self.argument: which}, said, said,
                           conclusion=self.conclusion)  # fmt: skip


def make_clerk(rng: random.Random) -> Clerk:
    """A clerk with a random trade and wording."""
    does, done, item, words = rng.choice(
        (
            ("deliver", "delivered", "parcel", PEOPLE),
            ("answer", "answered", "letter", PEOPLE),
            ("call", "called", "customer", PEOPLE),
            ("greet", "greeted", "guest", PEOPLE),
            ("visit", "visited", "town", PLACES),
            ("mend", "mended", "thing", THINGS),
            ("feed", "fed", "animal", ANIMALS),
            ("count", "counted", "goods", GOODS),
            ("pack", "packed", "order", PEOPLE),
        )
    )
    frm = " from" if words is PEOPLE and item in ("letter", "order", "parcel") else ""
    argument = rng.choice((item, "name", "which", "target"))
    spec = {argument: (str, "which one")}
    return Clerk(
        tool=make_tool(f"{does}_{item}", f"{does.capitalize()} the next {item}.", spec, str),
        words=words,
        argument=argument,
        goal=pick(rng, "{d} all of them.", "{d} each {i}.", "Go on until each {i} is {o}.",
                  "{d} what is there.", d=does.capitalize(), i=item, o=done),
        began=f" The first {item} is{frm} {{}}.",
        state=pick(rng, "The next {i} is{f} {{}}.", "Next: {{}}", "Now{f} {{}}.",
                   "{{}} comes next.", i=item, f=frm),
        done=pick(rng, "The {i}{f} {{}} is {d}.", "{{}} is {d}.", "Done: {{}}",
                  i=item, f=frm, d=done),
        conclusion=pick(rng, "It is {d}.", "That is done.", "This one is {d}.", d=done),
    )  # fmt: skip


def _clerk(rng: random.Random) -> tuple[Tool, Make]:
    """A clerk that is asked outside of a loop."""
    clerk = make_clerk(rng)
    form = rng.choice(("# Goal\n\n{g}\n\n# Your state\n\n{s}", "Goal: {g}\nState: {s}", "{s}"))

    def make() -> ToolExample:
        which = rng.choice(clerk.words)
        # The state is newer than the goal, which may still say where it all began.
        began = clerk.began.format(rng.choice(clerk.words)) if rng.random() < 0.5 else ""
        question = form.format(g=clerk.goal + began, s=clerk.state.format(which))
        if form.startswith("#") and rng.random() < 0.3:
            question += f"\n\n# Reviewer feedback\n\n{rng.choice(REVIEWS)}"
        return clerk.example(question, which)

    return clerk.tool, make


def _asked(rng: random.Random) -> tuple[Tool, Make]:
    """A tool that looks something up, with examples in a form of its own."""
    made = look_up(rng)
    ((argument, subject),) = made.arguments.items()
    subject = str(subject)
    words = next(known for known in WORDS if subject in known)
    thought = pick(rng, "I need {n} for {{s}}.", "The question is about {{s}}.", "I ask {n}.",
                   "{n} knows of {{s}}.", n=made.tool.name)  # fmt: skip
    conclusion = pick(
        rng, "That is what was asked.", "{{r}} it is.", "The tool says {{r}}.", "I know."
    )
    answer = pick(rng, "{{r}}", "It is {{r}}.", "For {{s}}: {{r}}", "{{s}} has {{r}}.")
    first = made.result
    results = next((known for known in WORDS if first in known), (first,))

    def make() -> ToolExample:
        other = rng.choice(words)
        result = str(number(rng, 2, 900)) if first.isdigit() else rng.choice(results)
        said = {"s": other, "r": result}
        return ToolExample(
            made.question.replace(subject, other),
            thought.format(**said),
            {argument: other},
            result,
            answer.format(**said),
            conclusion=conclusion.format(**said),
        )

    return made.tool, make
