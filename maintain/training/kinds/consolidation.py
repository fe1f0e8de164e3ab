"""A dream's plan for what was said: what is new, what replaces something older, and what is not
worth a note.

A note of the thing without its colour is worth nothing. So each line of a plan has the owner, the
property and the value, in the words in which they were said.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from g2c.inference.scripted import ScriptedBackend
from g2c.memory.assembled.store import MemoryStore
from g2c.memory.provided.topics import slugify
from maintain.training.kinds.conversation import plain_turn
from maintain.training.kinds.facts import make_fact
from maintain.training.kinds.sessions import Clock
from maintain.training.record import END, Completion, Trace, segments_of
from maintain.training.vocabulary import (
    ANIMALS,
    GOODS,
    KIN,
    PEOPLE,
    PLACES,
    THINGS,
    fields,
    number,
    one_of,
    phrases,
    table,
)

MOST_TOPICS = 4
"""The most topics that a dream is asked for."""

FORMS = table("chats")["dream"]
"""A topic's name, description and type; the note; the user's words; and which part is the value."""

EVENTS = phrases("consolidation.events")
CHATTER = table("chats")["chatter"]
REPLIES = phrases("consolidation.replies")


@dataclass(frozen=True)
class Known:
    """A fact to keep: its topic, the note, the user's words, and the value in both."""

    name: str
    about: str
    type: str
    note: str
    said: str
    value: str


def make_known(rng: random.Random, who: str, form: int | None = None, **chosen: object) -> Known:
    """A fact about somebody, in the form at that place if one is given."""
    name, about, kind, note, said, value = rng.choice(FORMS) if form is None else FORMS[form]
    words: dict[str, object] = {
        **fields(rng),
        "who": who,
        "other": rng.choice([one for one in PEOPLE if one != who]),
        "event": rng.choice(EVENTS),
        "n": number(rng, 40, 900),
        **chosen,
    }
    for word in ("thing", "place", "kin", "event", "goods", "other", "animal"):
        words[word.title()] = str(words[word]).title()
    texts = (text.format(**words) for text in (name, about, kind, note, one_of(rng, said)))
    name, about, kind, note, said = texts
    return Known(name, about, kind, _begun(note), said, str(words[value]))


def _begun(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _inside(topic: str) -> str:
    """A topic's name inside of a sentence."""
    return topic if topic in (*PEOPLE, *PLACES) else topic.lower()


def _places_of(name: str) -> list[int]:
    """The forms whose topic has a name of this pattern."""
    return [place for place, form in enumerate(FORMS) if form[0] == name]


def make_topics(rng: random.Random, who: str, count: int) -> dict[str, list[tuple[Known, Known]]]:
    """`count` facts in at most `MOST_TOPICS` topics, each with the older fact that it replaces. The
    two differ only in the value."""
    topics: dict[str, list[tuple[Known, Known]]] = {}
    while (left := count - sum(map(len, topics.values()))) > 0:
        # The fewer topics are left, the more facts each has to have.
        size = min(left, max(rng.choice((1, 1, 2)), left - (MOST_TOPICS - len(topics)) + 1))
        patterns = [form[0] for form in FORMS if sum(form[0] == o[0] for o in FORMS) >= size]
        places = rng.sample(_places_of(rng.choice(patterns)), size)
        subject = {
            "thing": rng.choice(THINGS),
            "kin": rng.choice(KIN),
            "place": rng.choice(PLACES),
            "event": rng.choice(EVENTS),
            "goods": rng.choice(GOODS),
            "animal": rng.choice(ANIMALS),
        }
        facts = []
        for place in places:
            # What the topic is about stays, and the value changes.
            stays = {word: value for word, value in subject.items() if word != FORMS[place][5]}
            if FORMS[place][0] == "{Other}":
                stays["other"] = rng.choice([name for name in PEOPLE if name != who])
            facts.append(
                (make_known(rng, who, place, **stays), make_known(rng, who, place, **stays))
            )
        name = facts[0][0].name
        if name not in topics and all(new.value != old.value for new, old in facts):
            topics[name] = facts
    return topics


def consolidation(rng: random.Random) -> Trace:
    """A dream's plan, as JSON, for what is known and what was said."""
    clock, name = Clock(rng), rng.choice(PEOPLE)
    is_named = rng.random() < 0.75
    who = name if is_named else "the user"
    count = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6))
    topics = make_topics(rng, who, count)
    given: list[str] = []
    upserts: list[dict[str, str]] = []
    deletes: list[str] = []
    news: list[str] = []
    with TemporaryDirectory() as folder:
        store = MemoryStore(folder, now=clock.now)

        def say(question: str, answer: str) -> None:
            store.log_turn("user", question)
            if rng.random() < 0.5:
                clock.go_on(minutes=2)
            store.log_turn("assistant", answer)
            clock.go_on(minutes=50)
            given.extend((question, answer))

        def keep(name: str, about: str, type: str, body: str) -> None:
            store.write_topic(name, about, body, type=type)
            given.append(body)

        stays: dict[str, list[str]] = {}
        for topic, facts in topics.items():
            stays[topic] = []
            first, older = facts[0]
            if rng.random() < 0.5:
                day = clock.now().date()
                lines = []
                if rng.random() < 0.5:  # the user's words replace it
                    lines.append(f"- {day}: {older.note}")
                if rng.random() < 0.5 or not lines:  # this is still true
                    still = "owns the" if first.about.endswith(topic.lower()) else "has asked about"
                    stays[topic].append(f"- {day}: {_begun(who)} {still} {_inside(topic)}.")
                keep(topic, first.about, first.type, "\n".join([*stays[topic], *lines]))
                if lines and rng.random() < 0.15:
                    keep(f"{topic} again", first.about, first.type, lines[0])
                    deletes.append(slugify(f"{topic} again"))
            clock.go_on(days=3)
        if rng.random() < 0.3 or not topics:  # the user says nothing about this one
            fact = make_fact(rng)
            other = fact.about.removeprefix("the ").partition(" of ")[0].title()
            if other not in topics:
                keep(other, fact.about, "note", f"- {clock.now().date()}: {fact.sentence}")
        clock.go_on(days=9)
        order = rng.sample([fact for facts in topics.values() for fact in facts], count)
        is_known = False
        days = {}
        for fact, _ in order:
            while rng.random() < 0.35:
                say(*_chatter(rng))
            by = ""
            if is_named and not is_known:
                by = rng.choice((f"I am {name}. ", f"{name} here. ", f"My name is {name}. "))
                is_known = True
            days[fact] = clock.now().date()
            say(by + fact.said, rng.choice(REPLIES))
        if rng.random() < 0.4 or not order:
            say(*_chatter(rng))
        told = [fact for fact, _ in order]
        for topic in dict.fromkeys(fact.name for fact in told):
            facts = [fact for fact in told if fact.name == topic]
            lines = [*stays[topic], *(f"- {days[fact]}: {fact.note}" for fact in facts)]
            head = {"name": topic, "description": facts[0].about, "type": facts[0].type}
            upserts.append(head | {"body": "\n".join(lines)})
            news.append(facts[0].about)
        summary = f"New on {' and '.join(news)}." if news else "Nothing that matters was said."
        if deletes:
            summary += " One topic was there twice."
        plan = {"upserts": upserts, "deletes": deletes, "summary": summary}
        said = Completion(json.dumps(plan, ensure_ascii=False) + END)
        backend = ScriptedBackend([said.script])
        result = store.maybe_dream(backend, force=True)
    if not result.dreamed:
        raise AssertionError(f"the plan was refused: {result.reason}")
    segments = segments_of(backend.history, [said])
    return Trace("consolidation", "", summary, tuple(given), segments)


def _chatter(rng: random.Random) -> tuple[str, str]:
    if rng.random() < 0.4 and (turn := plain_turn(rng)).answer.count("Hello ") == 0:
        return turn.question, turn.answer
    a, b = number(rng, 2, 60), number(rng, 2, 60)
    words = {"a": a, "b": b, "sum": a + b, "thing": rng.choice(THINGS)}
    asked, answered = rng.choice(CHATTER)
    return asked.format(**words), answered.format(**words)
