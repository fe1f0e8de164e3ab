"""Questions to an agent with its home's memory: find something, keep it, open it, or report that it
is not there.

The result of a search only shares words with the question, and need not answer it. So the thought
names what it looks for. Then it copies the line with the answer, or states that there is none.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from g2c.loop.provided.types import TickOutcome, TickRecord
from g2c.loop.provided.words import tick_texts
from maintain.training.kinds.conversation import make_own
from maintain.training.kinds.facts import Fact, alike_facts, make_fact
from maintain.training.kinds.sessions import Note, Session, Turn, play_session, recalled
from maintain.training.kinds.shown import statement
from maintain.training.record import Trace
from maintain.training.scenario import Move
from maintain.training.vocabulary import COLOURS, GOODS, file_names, number, phrases

CHATS: tuple[tuple[tuple[str, ...], bool], ...] = (
    *((("recall", "remember", "calculator"), True),) * 4,
    *((("recall", "remember", "read_topic"), True),) * 2,
    *((("calculator", "files", "recall", "remember"), False),) * 2,
    (("calculator", "files", "recall", "remember", "read_topic"), False),
)
"""The tools of chats, and whether their worked examples are in the prompt."""

KEEP = phrases("home_memory.keep")
OPEN = phrases("home_memory.open")
ASIDE = phrases("home_memory.aside")


def noted(rng: random.Random, fact_text: str, about: str) -> Note:
    """The text as a note: said in a chat, kept on request, or written by a dream."""
    name = topic_of(about)
    match rng.randrange(4):
        case 0:
            return Note(fact_text)
        case 1:
            return Note(fact_text, name)
        case _:
            day = f"{rng.choice((2022, 2023))}-0{rng.randint(1, 9)}-{number(rng, 12, 27)}"
            return Note(f"- {day}: {fact_text}", name, f"what is known of {about}")


def topic_of(about: str) -> str:
    """The name of the topic for a question's subject.

    >>> topic_of("the lamp of Dora"), topic_of("your uncle"), topic_of("Ivo")
    ('Lamp', 'Uncle', 'Ivo')
    """
    bare = about.removeprefix("the ").removeprefix("your ").partition(" of ")[0]
    return bare[:1].upper() + bare[1:]


def _asked(rng: random.Random) -> tuple[str, str, str]:
    """A subject, a statement about it, and a question for it."""
    if rng.random() < 0.4:
        one = make_own(rng)
        return one.about, one.says, one.asks
    fact = make_fact(rng)
    return fact.about, fact.sentence, fact.question


def line_with(text: str, found: str) -> str:
    """The line of a search's results that contains `text`; empty if none does."""
    return next((line for line in found.splitlines() if text in line), "")


def recall_turn(rng: random.Random, *, knows: bool) -> tuple[Turn, tuple[Note, ...], str]:
    """A question that the memory answers if it `knows`, with its notes and the answer's value."""
    about, says, question = _asked(rng)
    others: list[Fact] = [make_fact(rng) for _ in range(rng.choice((0, 1, 2, 3)))]
    if rng.random() < 0.4:
        others += alike_facts(rng, 2)
    notes = [noted(rng, fact.sentence, fact.about) for fact in others]
    if any(topic_of(fact.about) == topic_of(about) for fact in others) or any(
        fact.question == question for fact in others
    ):
        return recall_turn(rng, knows=knows)
    if knows:
        notes.insert(rng.randint(0, len(notes)), noted(rng, says, about))
    question += rng.choice(ASIDE)
    found = recalled(notes, question)
    line = line_with(says, found)
    if knows != bool(line):
        return recall_turn(rng, knows=knows)
    first = found.partition("\n")[0]
    move = Move("I need to look into my memory.", "recall", {"query": question}, first)
    if knows:
        place = line.rpartition(" (")[2]
        answer = f"{says} ({place}"
        thought = f"I look for {about}. My memory says: {says}"
        return Turn(question, answer, thought, (move,)), tuple(notes), says
    thought = f"I look for {about}. My memory does not have it."
    answer = "I do not know: my memory does not say it."
    return Turn(question, answer, thought, (move,)), tuple(notes), "I do not know"


def _self_statement(rng: random.Random) -> tuple[Turn, tuple[Note, ...], str]:
    """A statement of users about themselves, without a request to keep it."""
    one = make_own(rng)
    name = topic_of(one.about)
    move = Move("I need to keep this.", "remember", {"name": name, "text": one.says}, "It is kept")
    others = [make_fact(rng) for _ in range(rng.choice((0, 0, 1, 2)))]
    notes = tuple(noted(rng, fact.sentence, fact.about) for fact in others)
    return Turn(one.says, "I will remember it.", "It is kept.", (move,)), notes, "remember"


WRITTEN = phrases("home_memory.written")


def _work_done(rng: random.Random) -> tuple[Turn, tuple[Note, ...], str]:
    """A question about what a loop did or did not do. The memory has the loop's ticks."""
    other, *files = file_names(rng, rng.choice((2, 3, 3, 4)))
    notes = [_loop_note(rng, files)]
    notes += [
        noted(rng, fact.sentence, fact.about) for fact in alike_facts(rng, rng.choice((0, 2)))
    ]
    knows = rng.random() < 0.75
    asked = rng.choice(files) if knows else other
    question = rng.choice(WRITTEN).format(f=asked)
    line = line_with(f"{asked} is written", recalled(notes, question))
    if knows != bool(line):
        return _work_done(rng)
    looks = Move("I need to look into my memory.", "recall", {"query": question})
    moves: tuple[Move, ...] = (looks,)
    if rng.random() < 0.2:
        reads, path = f"I need to read {asked}.", {"path": asked}
        wrong = Move(reads, "read_file", path, "There is no tool", fails=True, learned=False)
        moves = (wrong, replace(looks, thought=f"I cannot read files here. {looks.thought}"))
    if knows:
        checked = f"{asked} is written and checked."
        value = checked if checked in line else f"{asked} is written."
        answer, found = f"{value} ({line.rpartition(' (')[2]}", f"My memory says: {value}"
    else:
        answer, value = "I do not know: my memory does not say it.", "I do not know"
        found = "My memory does not have it."
    turn = Turn(question, answer, f"I look for {asked}. {found}", moves)
    return turn, tuple(notes), value


def _loop_note(rng: random.Random, files: Sequence[str]) -> Note:
    """The memory's note of a loop that wrote and checked these files."""
    started = datetime(2023, rng.randint(1, 9), number(rng, 12, 27), 9, number(rng, 11, 55),
                       number(rng, 11, 55), number(rng, 1000, 900_000))  # fmt: skip
    ticks: list[TickRecord] = []
    state = "Nothing is done yet."
    says_all = rng.random() < 0.5
    for place, file in enumerate(files):
        todo = f"write {files[place + 1]}" if file != files[-1] else f"check {file}"
        text = rng.choice((make_fact(rng).sentence, rng.choice(GOODS), rng.choice(COLOURS)))
        said = f"Done: {', '.join(files[: place + 1]) if says_all else file}. Next: {todo}."
        wrote = f'write_file {{"path": "{file}", "text": "{text}"}} -> {file} is written.'
        actions = (wrote, _state_update(said)) * rng.choice((1, 1, 1, 2, 3))
        if rng.random() < 0.4:
            told = f"A message from the user:\nWrite {file}. It is to say: {text}"
            state = f"# Your state\n\n{state}\n\n{told}"
        ticks.append(_tick(ticks, started, state, f"{file} is written.", actions))
        state = said
    summary = f"{files[-1]} is written and checked."
    actions = (
        f'read_file {{"path": "{files[-1]}"}} -> {text}',
        _state_update(f"Done: all. {summary}"),
        f'finish {{"summary": "{summary}"}} -> The loop ends after this tick.',
    )
    ticks.append(_tick(ticks, started, state, summary, actions))
    told = "\n\n".join(tick_texts(ticks))
    head = (
        f"On {started:%Y-%m-%d} a loop had this goal: Write {' and '.join(files)}.\n"
        f"It ended in success (done), after {len(ticks)} ticks."
    )
    name = f"Loop {started:%Y-%m-%d %H:%M:%S.%f}"
    return Note(f"{head}\n\n{told}", name, f"done: Write {files[0]}")


def _state_update(state: str) -> str:
    return f'update_state {{"text": "{state}"}} -> The state is kept.'


def _tick(
    before: Sequence[TickRecord], ts: datetime, state: str, answer: str, actions: tuple[str, ...]
) -> TickRecord:
    """The tick after those `before`."""
    is_last = actions[-1].startswith("finish")
    outcome: TickOutcome = "done" if is_last else "continue"
    return TickRecord(len(before) + 1, ts, outcome, state, answer, actions=actions)


def _remember(rng: random.Random) -> tuple[Turn, tuple[Note, ...], str]:
    """Something to keep, in the user's own words."""
    says, about = statement(rng)
    while says.startswith("Please"):
        says, about = statement(rng)
    keeps = says[0].isupper() and says.split()[0] in ("The", "My", "Our", "We")
    lower = says[0].lower() + says[1:] if keeps else says
    name = about[:1].upper() + about[1:]
    question = rng.choice(KEEP).format(s=lower, S=says)
    move = Move("I need to keep this.", "remember", {"name": name, "text": says}, "It is kept in")
    others = [make_fact(rng) for _ in range(rng.choice((0, 1, 2)))]
    notes = tuple(noted(rng, fact.sentence, fact.about) for fact in others)
    if rng.random() < 0.3:
        notes += (Note(make_fact(rng).sentence, name, f"what is known of {about}"),)
    turn = Turn(question, "I will remember it.", "It is kept.", (move,))
    return turn, notes, "remember"


def _open(rng: random.Random) -> tuple[Turn, tuple[Note, ...], str]:
    """A topic that the index names, or one that it does not name."""
    fact = make_fact(rng)
    about = fact.about.partition(" of ")[0]
    bare = about.removeprefix("the ")
    others = [make_fact(rng) for _ in range(rng.choice((1, 2, 3)))]
    names = {topic_of(other.about) for other in others}
    if topic_of(about) in names or len(names) < len(others):
        return _open(rng)
    notes = [noted(rng, other.sentence, other.about) for other in others]
    question = rng.choice(OPEN).format(it=about)
    if rng.random() < 0.25:
        move = Move("I need to look into my memory.", "recall", {"query": question})
        if line_with(bare, recalled(notes, question)):
            return _open(rng)
        thought = f"I look for {about}. My memory does not have it."
        turn = Turn(question, "I do not know: my memory does not say it.", thought, (move,))
        return turn, tuple(notes), "I do not know"
    more = make_fact(rng).sentence if rng.random() < 0.3 else ""
    said = [fact.sentence, more] if more else [fact.sentence]
    text = "\n".join(f"- {day}: {one}" for day, one in _dated(rng, said))
    notes.insert(
        rng.randint(0, len(notes)), Note(text, topic_of(about), f"what is known of {about}")
    )
    move = Move(
        f"My memory has a topic about {about}.", "read_topic", {"name": bare}, fact.sentence
    )
    turn = Turn(question, " ".join(said), f"My memory says: {' '.join(said)}", (move,))
    return turn, tuple(notes), fact.sentence


def _dated(rng: random.Random, said: Sequence[str]) -> list[tuple[str, str]]:
    year, month = rng.choice((2022, 2023)), rng.randint(1, 9)
    days = sorted(rng.sample((11, 12, 14, 18, 21, 25, 26), len(said)))
    return [(f"{year}-0{month}-{day}", one) for day, one in zip(days, said, strict=True)]


def home_memory(rng: random.Random) -> Trace:
    """A turn with the memory's tools at hand."""
    tools, has_examples = rng.choice(CHATS)
    draw = rng.random()
    if draw < 0.32:
        turn, notes, value = recall_turn(rng, knows=draw < 0.22)
    elif draw < 0.42:
        turn, notes, value = _remember(rng)
    elif draw < 0.58:
        turn, notes, value = _self_statement(rng)
    elif draw < 0.86:
        turn, notes, value = _work_done(rng)
        tools, has_examples = ("recall", "remember", "calculator"), True
    else:
        turn, notes, value = _open(rng)
        if "read_topic" not in tools:
            tools, has_examples = ("recall", "remember", "read_topic"), True
    session = Session((turn,), tools, {}, notes, has_examples)
    return play_session("home_memory", session, value)


def recollection(rng: random.Random) -> Trace:
    """A question to an agent that can do little except recall. The memory may have no answer."""
    turn, notes, value = recall_turn(rng, knows=rng.random() < 0.7)
    tools = rng.choice((("recall",), ("recall",), ("recall",), ("recall", "calculator")))
    return play_session("recollection", Session((turn,), tools, {}, notes), value)
