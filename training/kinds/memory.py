"""What an agent's memory asks of a model: a plan for its notes, and a choice among them.

A model that keeps notes has to tell three things apart, what is new, what takes the place of
something older, and what is not worth keeping; so there is some of each.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryDirectory
from typing import Any

from g2c.agent import Agent
from g2c.inference.scripted import ScriptedBackend
from g2c.memory.assembled.recall import MAX_REASON_CHARS, choose, make_recall_tool
from g2c.memory.assembled.store import MemoryStore
from g2c.memory.provided.topics import slugify
from g2c.tools import ToolRegistry, make_calculator, make_read_file
from training.kinds.facts import FORMS, Fact, make_fact
from training.record import END, Said, Trace, segments_of
from training.scenario import Move
from training.vocabulary import (
    ANIMALS,
    DAYS,
    FOOD,
    KIN,
    MONTHS,
    PEOPLE,
    PLACES,
    THINGS,
    number,
    plural,
)

SMALL_TALK = (
    ("Good morning.", "Good morning."),
    ("Thank you.", "You are welcome."),
    ("It rains today.", "Then take an umbrella."),
    ("How are you?", "All is well."),
    ("What is 3 + 5?", "3 + 5 is 8."),
    ("That was quick.", "Gladly."),
    ("I am tired.", "Rest a little."),
    ("Tell me a joke.", "My memory is full of holes, and all of them are empty."),
    ("Never mind.", "All right."),
)


@dataclass(frozen=True)
class Subject:
    """Something to keep notes of: a topic's name, description and type, what is known of it now and
    what was before, how the user says it, and a word for the summary."""

    name: str
    about: str
    type: str
    now: str
    before: str
    said: str
    short: str


def make_subject(rng: random.Random, who: str) -> Subject:
    other = rng.choice([name for name in PEOPLE if name != who])
    place, place2 = rng.sample(PLACES, 2)
    day, day2 = rng.sample(DAYS, 2)
    goods, goods2 = rng.sample(FOOD, 2)
    animal, thing = rng.choice(ANIMALS), rng.choice(THINGS)
    n, m = number(rng, 40, 900), number(rng, 40, 900)
    date, date2 = (f"{number(rng, 1, 28)} {month}" for month in rng.sample(MONTHS, 2))
    event = rng.choice(("choir", "course", "dinner", "exam", "match", "review", "rehearsal"))
    return rng.choice(
        (
            Subject("Home", f"where {who} lives", "user", f"{who} lives in {place}.",
                    f"{who} lives in {place2}.", f"I have moved to {place}.", "home"),
            Subject(animal.title(), f"{who}'s {animal}", "user",
                    f"{who} has {n // 40 + 1} {plural(animal)}.", f"{who} has one {animal}.",
                    f"I have {n // 40 + 1} {plural(animal)} now.", f"the {plural(animal)}"),
            Subject(place, f"{who}'s trip to {place}", "project",
                    f"{who} travels to {place} on {date}.", f"{who} travels to {place} on {date2}.",
                    f"My trip to {place} is on {date}.", f"the trip to {place}"),
            Subject(event.title(), f"when the {event} is", "project",
                    f"The {event} is on {day} in {place}.", f"The {event} is on {day2} in {place}.",
                    f"The {event} will be on {day} in {place}.", f"the {event}"),
            Subject(f"Budget for the {event}", f"the money for the {event}", "project",
                    f"The budget for the {event} is {n} euros.",
                    f"The budget for the {event} is {m} euros.",
                    f"We have {n} euros for the {event}.", f"the budget for the {event}"),
            Subject("Food", f"what {who} eats", "user", f"{who} eats no {goods}.",
                    f"{who} likes {goods2}.", f"Remember that I eat no {goods}.", "the food"),
            Subject("Answers", f"how {who} wants answers", "user",
                    f"{who} wants answers in {place}'s language.", f"{who} wants long answers.",
                    f"Answer me in the language of {place} from now on.", "the answers"),
            Subject(other, f"who {other} is", "person", f"{other} leads the {event} now.",
                    f"{other} takes part in the {event}.", f"{other} leads the {event} now.",
                    other),
            Subject(thing.title(), f"{who}'s {thing}", "user", f"The {thing} is at {other}'s.",
                    f"The {thing} is at home.", f"I have lent the {thing} to {other}.",
                    f"the {thing}"),
            Subject("Deadline", f"when {who}'s report is due", "project",
                    f"The report is due on {date}.", f"The report is due on {date2}.",
                    f"My report is due on {date}.", "the deadline"),
            Subject("Order", f"what {who} has ordered", "project",
                    f"{who} ordered {n} {goods}.", f"{who} ordered {m} {goods2}.",
                    f"I have ordered {n} {goods}.", "the order"),
        )
    )  # fmt: skip


class _Clock:
    """A clock that goes on when it is told to."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.time = datetime(
            rng.choice((2022, 2023, 2024, 2025)),
            rng.randint(1, 9),
            rng.randint(1, 25),
            rng.randint(7, 12),
            tzinfo=UTC,
        )

    def now(self) -> datetime:
        return self.time

    def go_on(self, **most: int) -> None:
        steps = {unit: self._rng.randint(1, value) for unit, value in most.items()}
        self.time += timedelta(**steps)


def consolidation(rng: random.Random) -> Trace:
    """A dream's plan, as JSON, for what is known and what was said."""
    clock, who = _Clock(rng), rng.choice(PEOPLE)
    subjects: dict[str, Subject] = {}
    for _ in range(rng.randint(1, 4)):
        subject = make_subject(rng, who)
        subjects.setdefault(subject.name, subject)
    upserts: list[dict[str, str]] = []
    deletes: list[str] = []
    news: list[str] = []
    given: list[str] = []
    with TemporaryDirectory() as folder:
        store = MemoryStore(folder, now=clock.now)

        def say(question: str, answer: str) -> None:
            store.log_turn("user", question)
            if rng.random() < 0.5:
                clock.go_on(minutes=2)
            store.log_turn("assistant", answer)
            clock.go_on(minutes=50)
            given.extend((question, answer))

        def keep(name: str, subject: Subject, body: str) -> None:
            store.write_topic(name, subject.about, body, type=subject.type)
            given.append(body)

        known = {name: rng.random() < 0.5 for name in subjects}
        twice = next((name for name in subjects if known[name]), "") if rng.random() < 0.2 else ""
        lines: dict[str, str] = {}
        for name, subject in subjects.items():
            if known[name]:
                line = f"- {clock.now().date()}: {subject.before}"
                extra = make_fact(rng).sentence if rng.random() < 0.3 else ""
                lines[name] = f"- {clock.now().date()}: {extra}" if extra else ""
                keep(name, subject, f"{line}\n{lines[name]}".strip())
                if name == twice:
                    keep(f"{name} again", subject, line)
                    deletes.append(slugify(f"{name} again"))
            clock.go_on(days=3)
        clock.go_on(days=9)
        for name, subject in subjects.items():
            if rng.random() < 0.4:
                say(*rng.choice(SMALL_TALK))
            if known[name] and rng.random() < 0.3:
                continue  # nothing new was said of it
            day = clock.now().date()
            is_unknown = not any(who in text for text in given)
            said_by = f"I am {who}. " if is_unknown or (not news and rng.random() < 0.4) else ""
            say(said_by + subject.said, rng.choice(("Noted.", "I will remember that.", "Good.")))
            body = "\n".join(filter(None, [lines.get(name), f"- {day}: {subject.now}"]))
            upserts.append(
                {"name": name, "description": subject.about, "type": subject.type, "body": body}
            )
            news.append(subject.short)
        if not news:
            say(*rng.choice(SMALL_TALK))
        summary = f"New on {' and '.join(news)}." if news else "Nothing that matters was said."
        if deletes:
            summary += " One topic was there twice."
        plan = {"upserts": upserts, "deletes": deletes, "summary": summary}
        said = Said(json.dumps(plan, ensure_ascii=False) + END)
        backend = ScriptedBackend([said.script])
        result = store.maybe_dream(backend, force=True)
    if not result.dreamed:
        raise AssertionError(f"the plan was refused: {result.reason}")
    segments = segments_of(backend.history, [said])
    return Trace("consolidation", "", summary, tuple(given), segments)


def recollection(rng: random.Random) -> Trace:
    """A question to an agent with a memory, which may hold the answer or not."""
    clock = _Clock(rng)
    who = rng.choice(PEOPLE)
    fact = make_fact(rng)
    if rng.random() < 0.4:
        question, sentence = _of_the_user(rng)
    else:
        question, sentence = fact.question, fact.sentence
    others = [make_fact(rng).sentence for _ in range(rng.choice((0, 1, 2, 3)))]
    known = [*others, sentence] if rng.random() < 0.75 else others
    tools = (["calculator"], ["read_file"], [], [], [])
    with TemporaryDirectory() as folder:
        store = MemoryStore(folder, now=clock.now)
        store.start_session()
        for text in rng.sample(known, len(known)):
            if rng.random() < 0.3:
                store.log_turn("user", text)
            else:
                name = rng.choice(_words_of(text))
                store.write_topic(name, text if rng.random() < 0.5 else f"about {who}", text)
            clock.go_on(days=2)
        store.start_session()
        recall = make_recall_tool(store.recall)
        found = str(recall.func(query=question)).partition("\n")[0]
        moves = [
            Move("I need to look into my memory.", "recall", {"query": question}, found).said,
            Said(f" My memory says this first.\nFinal Answer: {found}{END}"),
        ]
        backend = ScriptedBackend([move.script for move in moves])
        extra = {"calculator": make_calculator(), "read_file": make_read_file(folder)}
        registry = ToolRegistry([recall, *(extra[name] for name in rng.choice(tools))])
        result = Agent(backend, registry, plan=False, memory=store, temperature=0.0).run(question)
    if result.final_answer != found:
        raise AssertionError(f"the recollection went another way: {result.to_markdown()}")
    segments = segments_of(backend.history, moves)
    return Trace("recollection", question, found, (question, *known), segments)


def _words_of(text: str) -> list[str]:
    """Words after which a note may be named."""
    return [word for word in re.findall(r"[A-Za-z]{4,}", text) if word[0].isupper()] or ["Note"]


def _of_the_user(rng: random.Random) -> tuple[str, str]:
    """A question about the user, and what the user said before."""
    place, who = rng.choice(PLACES), rng.choice(PEOPLE)
    goods, thing, animal = rng.choice(FOOD), rng.choice(THINGS), rng.choice(ANIMALS)
    kin = rng.choice(KIN)
    return rng.choice(
        (
            (f"Where does my {kin} live?", f"My {kin} lives in {place}."),
            (f"What is my {kin} called?", f"My {kin} is called {who}."),
            (f"Which animal has my {kin}?", f"My {kin} has a {animal}."),
            ("Where do I live?", f"I live in {place} now."),
            ("What is my name?", f"My name is {who}."),
            ("What do I not eat?", f"I eat no {goods}."),
            (f"To whom did I give the {thing}?", f"I gave the {thing} to {who}."),
            (f"Where is my {thing}?", f"My {thing} is in {place}."),
            (f"What did I order from {who}?", f"I ordered a {thing} from {who}."),
        )
    )


def _other(rng: random.Random, form: dict[str, str], thing: str, who: str) -> Fact:
    """A note that is not wanted: of the same form about another thing, on the same thing and no
    answer, or of neither."""
    match rng.randrange(3):
        case 0:
            return make_fact(rng, [form])
        case 1:
            forms = [other for other in FORMS if other["value"] != form["value"]]
            return make_fact(rng, forms, **rng.choice(({"thing": thing}, {"who": who})))
        case _:
            return make_fact(rng)


def rerank(rng: random.Random) -> Trace:
    """A choice among notes, as JSON, best first."""
    form = rng.choice(FORMS)
    thing, who = rng.choice(THINGS), rng.choice(PEOPLE)
    wanted = make_fact(rng, [form], thing=thing, who=who)
    others = [_other(rng, form, thing, who) for _ in range(rng.randint(1, 9))]
    notes = [fact.sentence for fact in others if fact.question != wanted.question]
    if rng.random() < 0.3:
        notes = [f"{note} {make_fact(rng).sentence}" for note in notes]
    if not notes or any(wanted.value in note for note in notes):
        return rerank(rng)
    place = rng.randint(0, len(notes))
    notes.insert(place, wanted.sentence)
    reason = f"It says: {wanted.sentence}"[:MAX_REASON_CHARS]
    best: list[dict[str, Any]] = [{"reason": reason, "note": place + 1}]
    said = Said(json.dumps({"best": best}) + END)
    backend = ScriptedBackend([said.script])
    k = min(rng.randint(1, 3), len(notes))
    chosen = choose(backend, wanted.question, notes, k)
    if chosen != {place: reason}:
        raise AssertionError(f"{best} was read as {chosen}")
    segments = segments_of(backend.history, [said])
    given = (wanted.question, *notes)
    return Trace("rerank", wanted.question, str(place + 1), given, segments)
