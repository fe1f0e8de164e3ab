"""Chats with the earlier turns in the prompt; the last turn depends on them.

Some questions are answered from what was said, some need a tool for it, and some need only a kind
word. Here a plain word gets a plain answer, and not one from the worked examples in the prompt,
which are about doors and dogs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from maintain.training.kinds.facts import alike_facts, ask_about, make_fact
from maintain.training.kinds.reasons import reason
from maintain.training.kinds.sessions import Note, Session, Turn, play_session
from maintain.training.kinds.situations import make_situation
from maintain.training.record import Trace
from maintain.training.scenario import Move, calculate, read, work_out
from maintain.training.vocabulary import (
    KNOWN,
    PEOPLE,
    THINGS,
    fields,
    file_name,
    number,
    one_of,
    phrases,
    pick,
    table,
)

OWN = table("chats")["own"]
"""What users say about themselves: the subject, the statement, the question for it, the answer."""

NUMBERS = tuple(place for place, form in enumerate(OWN) if "{n}" in form[1])
"""The places in `OWN` of those with a number."""

PLAIN = table("chats")["plain"]
"""Words that need no tool, and the replies to them."""

FOLLOW_UPS = table("chats")["follow_ups"]
"""Questions about the last result, and what to calculate for them."""

FIRST = phrases("conversation.first")
LAST = phrases("conversation.last")
ANSWERED = phrases("conversation.answered")

CHATS: tuple[tuple[tuple[str, ...], bool], ...] = (
    *(((("files", "calculator")), True),) * 4,
    *(((("recall", "remember", "calculator")), True),) * 4,
    (("recall", "remember", "read_topic"), True),
    *(((("calculator", "files", "recall", "remember")), False),) * 5,
    *(((("calculator", "files", "recall", "remember")), True),) * 4,
)
"""The tools of chats, and whether their worked examples are in the prompt."""


@dataclass(frozen=True)
class Own:
    """A statement of users about themselves, and a question for it."""

    about: str
    says: str
    asks: str
    answer: str


def make_own(rng: random.Random, form: int | None = None, **chosen: object) -> Own:
    """Make a statement, in the form at the place `form` if given, with some words `chosen`."""
    about, says, asks, answer = OWN[rng.randrange(len(OWN)) if form is None else form]
    words = {**fields(rng), "n": number(rng, 2, 90), **chosen}
    texts = (about, one_of(rng, says), one_of(rng, asks), answer)
    return Own(*(text.format(**words) for text in texts))


def plain_turn(rng: random.Random) -> Turn:
    """A word that needs no tool."""
    if rng.random() < 0.25:
        question, value = rng.choice(tuple(KNOWN.items()))
        return Turn(question, f"It is {value}.")
    asks, answer = rng.choice(PLAIN)
    words = {"who": rng.choice(PEOPLE), "thing": rng.choice(THINGS)}
    return Turn(one_of(rng, asks).format(**words), answer.format(**words))


def _statement(rng: random.Random, text: str) -> Turn:
    """The user says something; sometimes it comes from the inbox."""
    answer = rng.choice(("Noted.", "Good to know.", "All right.", *["I will remember it."] * 3))
    return Turn(text, answer, from_inbox=rng.random() < 0.1)


def _sum(question: str, expression: str, before: str = "") -> Turn:
    result = calculate(expression)
    move = Move(f"{before}I need to calculate {expression}.", "calculator",
                {"expression": expression}, result)  # fmt: skip
    return Turn(question, f"{expression} is {result}.", f"The result is {result}.", (move,))


def _asked_sum(rng: random.Random) -> Turn:
    a, b, k = number(rng, 12, 90), number(rng, 2, 9), number(rng, 2, 9)
    expression = rng.choice((f"{a} + {b}", f"{a} * {k}", f"{a * k} / {k}", f"{a} - {b}"))
    said = pick(rng, "What is {e}?", "Work out {e}, please.", "Calculate {e}.", "{e}?",
                e=expression)  # fmt: skip
    return _sum(said, expression)


@dataclass(frozen=True)
class Last:
    """A last turn, the `value` that its answer must have, the turns and files that it needs, and
    its subject. With `at_once` no other turn may come between."""

    turn: Turn
    value: str
    needed: tuple[Turn, ...] = ()
    about: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    at_once: bool = False


def _filler(rng: random.Random, about: str = "") -> Turn:
    """A turn that has nothing to do with `about`, the subject of the last question."""
    draw = rng.random()
    if draw < 0.5 and about != "your name":
        return plain_turn(rng)
    one = make_own(rng)
    if draw < 0.8 and one.about != about:
        return _statement(rng, one.says)
    fact = make_fact(rng)
    return _filler(rng, about) if fact.about == about else _statement(rng, fact.sentence)


def _about_statement(rng: random.Random) -> Last:
    """The answer is in an earlier turn; if it was corrected, in the later of two."""
    if rng.random() < 0.35:
        fact = make_fact(rng)
        about, says, question, answer = fact.about, fact.sentence, fact.question, fact.answer
        needed = [_statement(rng, says)]
    else:
        form = rng.randrange(len(OWN))
        one = make_own(rng, form)
        about, says, question, answer = one.about, one.says, one.asks, one.answer
        needed = [_statement(rng, says)]
        if rng.random() < 0.25 and "{" not in OWN[form][0]:
            second = make_own(rng, form)
            says = _corrected(rng, one, second)
            question, answer = second.asks, second.answer
            needed.append(_statement(rng, says))
    question = rng.choice((question, question, f"{question} I told you.", f"Tell me: {question}"))
    turn = Turn(question, answer, f"Earlier the user said: {says}")
    return Last(turn, answer, tuple(needed), about)


def _corrected(rng: random.Random, one: Own, second: Own) -> str:
    """How the user corrects `one`: with all of `second`, or only with what differs in it."""
    was, now = (set(said.answer.rstrip(".").split(" ")) for said in (one, second))
    if len(was - now) != 1 or len(now - was) != 1 or rng.random() < 0.4:
        before = ("No.", "Sorry.", "I was wrong.", "That has changed.", "Not any more.", "By now",
                  "I must correct myself.", "In truth,", "From today on", "But wait.")  # fmt: skip
        return f"{rng.choice(before)} {second.says}"
    return pick(rng, "It is {now}, not {was}.", "No, {now}.", "I mean {now}.", "Not {was}: {now}.",
                "{now} instead of {was}, I should have said.", "They have made it {now}.",
                "Make that {now}.", "It was {was} at first and is {now} today.",
                was=(was - now).pop(), now=(now - was).pop())  # fmt: skip


def _about_unstated(rng: random.Random) -> Last:
    """A question whose answer nobody has given."""
    one = make_own(rng)
    thought = f"I look for {one.about}. Nobody said it here."
    turn = Turn(one.asks, "I do not know: you have not told me.", thought)
    return Last(turn, "I do not know", about=one.about)


def _of_the_result(rng: random.Random) -> Last:
    """A calculation with a number that was computed or said just before."""
    if rng.random() < 0.65:
        before = _asked_sum(rng)
        value = before.answer.split(" is ")[1].rstrip(".")
        said = f"I answered: {before.answer}"
    else:
        n = number(rng, 12, 90)
        one = make_own(rng, rng.choice(NUMBERS), n=n)
        before, value, said = _statement(rng, one.says), str(n), f"The user said: {one.says}"
    asks, form = rng.choice(FOLLOW_UPS)
    k = number(rng, 2, 9)
    expression = form.format(r=value, k=k)
    turn = _sum(one_of(rng, asks).format(k=k), expression, f"{said} ")
    return Last(turn, calculate(expression), (before,), at_once=True)


def _of_a_story(rng: random.Random) -> Last:
    """A story told turn by turn, and its sum."""
    story = make_situation(rng)
    expression = story.expression
    value = calculate(expression)
    thought = reason(story.text, expression, story.question, says="The user said")
    move = work_out(expression, thought)
    turn = Turn(story.question, f"It is {value}.", f"The result is {value}.", (move,))
    return Last(turn, value, tuple(_statement(rng, fact) for fact in story.facts), "the story")


def _of_the_file(rng: random.Random) -> Last:
    """Another question about the same file."""
    file = file_name(rng)
    one, other = alike_facts(rng, 2)
    move = read(file, one.sentence)
    before = Turn(ask_about(rng, one, file), one.answer, one.found, (move,))
    lower = other.asked
    question = pick(rng, "And {q}", "The same file: {q}", "And in that file, {q}",
                    "Look there again: {q}", "One more thing from there: {q}", q=lower)  # fmt: skip
    thought = f"Earlier the user asked about {file}. I need to read {file}."
    again = Move(thought, "read_file", {"path": file}, other.sentence)
    turn = Turn(question, other.answer, other.found, (again,))
    text = "\n".join(rng.sample((one.sentence, other.sentence), 2))
    return Last(turn, other.value, (before,), files={file: text}, at_once=True)


def _of_a_named_file(rng: random.Random) -> Last:
    """A question about a file that the user named earlier."""
    file, fact = file_name(rng), make_fact(rng)
    told = pick(rng, "What I know of {about} is in {f}.", "I wrote about {about} in {f}.",
                "My notes are in {f}.", "{f} is my notebook.", "I have put {about} into {f}.",
                "There is a file {f}, and {about} is in it.", "I keep everything in {f}.",
                about=fact.about, f=file)  # fmt: skip
    question = fact.question + pick(rng, "", "", " Read my file.", " Look at what I wrote.",
                                    " You know where it is.", " It is in the file.")  # fmt: skip
    thought = f"Earlier the user named {file}. I need to read {file}."
    move = Move(thought, "read_file", {"path": file}, fact.sentence)
    turn = Turn(question, fact.answer, fact.found, (move,))
    other = make_fact(rng).sentence
    text = "\n".join(rng.sample((fact.sentence, other), 2)) if rng.random() < 0.4 else fact.sentence
    return Last(turn, fact.value, (_statement(rng, told),), fact.about, {file: text})


def _of_the_talk(rng: random.Random, earlier: list[Turn]) -> Last:
    """A question for earlier words: what was asked or answered, literally."""
    first, last = earlier[0], earlier[-1]
    which = rng.randrange(3)
    if which == 0:
        said, thought = first.question, "The user first said"
        question, answer = rng.choice(FIRST), f"You said: {said}"
    elif which == 1:
        said, thought = last.question, "The user last said"
        question, answer = rng.choice(LAST), f"You said: {said}"
    else:
        said, thought = last.answer, "I last answered"
        question, answer = rng.choice(ANSWERED), said
    return Last(Turn(question, answer, f"{thought}: {said}"), said)


def conversation(rng: random.Random) -> Trace:
    """The last turn of a chat of one to five."""
    tools, has_examples = rng.choice(CHATS)
    notes: tuple[Note, ...] = ()
    if "recall" in tools and rng.random() < 0.5:
        notes = (Note(make_fact(rng).sentence, rng.choice(("", "Notes", "Lists"))),)
    draw, count = rng.random(), rng.choice((1, 1, 2, 2, 3, 4))
    if draw < 0.24:  # a plain word, perhaps as the first turn
        earlier = [_filler(rng) for _ in range(rng.choice((0, 0, 1, 2, 3)))]
        turn = plain_turn(rng)
        last = Last(turn, turn.answer)
    elif draw < 0.36:
        earlier = [_filler(rng) for _ in range(count)]
        for place in (0, -1):
            while earlier[place].from_inbox:
                earlier[place] = _filler(rng)
        last = _of_the_talk(rng, earlier)
    else:
        makers = [*[_about_statement] * 5, *[_of_the_result] * 2]
        makers += [_of_a_story] * 5
        if "recall" not in tools:
            makers.append(_about_unstated)
        if "files" in tools:
            makers += [_of_the_file] * 2 + [_of_a_named_file] * 4
        if "calculator" not in tools:
            makers = [_about_statement]
        last = rng.choice(makers)(rng)
        fillers = [_filler(rng, last.about) for _ in range(max(count - len(last.needed), 0))]
        if last.at_once:
            earlier = [*fillers, *last.needed]
        else:
            earlier = list(last.needed)
            places = sorted(rng.choices(range(len(earlier) + 1), k=len(fillers)), reverse=True)
            for place, filler in zip(places, fillers, strict=True):
                earlier.insert(place, filler)
    session = Session((*earlier, last.turn), tools, last.files, notes, has_examples)
    return play_session("conversation", session, last.value)
