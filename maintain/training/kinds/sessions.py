"""A chat of the course's home, played: its own tools, memory, index and earlier turns.

The model learns the last turn. The turns before it really took place, and its prompt has them as
`g2c chat` writes them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from g2c.agent.provided.conversation import Exchange, extended
from g2c.cli.chat import make_agent
from g2c.home.home import Home
from g2c.home.inbox import as_exchange
from g2c.home.session import HomeMemory
from g2c.home.settings import AgentSettings
from g2c.inference.scripted import ScriptedBackend
from g2c.loop.provided.inbox import Message
from g2c.memory import MemoryStore, make_recall_tool
from maintain.training.record import Completion, Trace, segments_of
from maintain.training.scenario import Move, check_run, completions_of


class Clock:
    """A clock that moves only by `go_on`."""

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
        """Move on by a random number of each unit, from 1 to the given number."""
        steps = {unit: self._rng.randint(1, value) for unit, value in most.items()}
        self.time += timedelta(**steps)


@dataclass(frozen=True)
class Turn:
    """A question, and how it is answered. With `from_inbox` it is no question, but a message from
    the inbox."""

    question: str
    answer: str
    thought: str = "I need no tool for this."
    moves: tuple[Move, ...] = ()
    from_inbox: bool = False

    @property
    def completions(self) -> list[Completion]:
        return completions_of(self.moves, self.thought, self.answer)


@dataclass(frozen=True)
class Note:
    """An earlier entry of the memory: a text in a topic, or a turn if it has no `name`."""

    text: str
    name: str = ""
    about: str = ""


@dataclass(frozen=True)
class Session:
    """The turns of a chat, by an agent with these `tools` (names as in `agent.toml`), a folder of
    `files`, and a memory with `notes` if one of the tools needs it."""

    turns: tuple[Turn, ...]
    tools: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    has_examples: bool = True

    @property
    def given(self) -> tuple[str, ...]:
        asked = (turn.question for turn in self.turns)
        noted = (note.text for note in self.notes)
        return (*asked, *self.files, *self.files.values(), *noted)


MEMORY_TOOLS = ("recall", "remember", "read_topic")


def play_session(kind: str, session: Session, value: str) -> Trace:
    """Play the session and return its last turn, whose answer contains `value`.

    Raises:
        AssertionError: it did not go as its turns say.
    """
    last = session.turns[-1]
    backend = ScriptedBackend()
    with TemporaryDirectory() as place:
        home, folder = Home(Path(place, "home")), Path(place, "files")
        folder.mkdir()
        for name, text in session.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        home.create()
        store = None
        if set(MEMORY_TOOLS) & set(session.tools):
            store = memory_of(session.notes, home)
        agent = make_agent(
            backend,
            folder if "files" in session.tools else None,
            AgentSettings(session.tools, "always" if session.has_examples else "never"),
            native=False,
            plan=False,
            max_steps=8,
            memory=HomeMemory(store, home.identity) if store else None,
        )
        for turn in session.turns:
            if turn.from_inbox:
                exchange = as_exchange(Message("", turn.question))
            else:
                backend.enqueue(*(words.script for words in turn.completions))
                result = agent.run(turn.question)
                check_run(kind, turn.moves, turn.answer, result)
                exchange = Exchange(turn.question, turn.answer)
            if turn is not last:
                agent.earlier = extended(agent.earlier, exchange)
    segments = segments_of(backend.history[-len(last.completions) :], last.completions)
    return Trace(kind, last.question, value, session.given, segments)


def memory_of(notes: Sequence[Note], home: Home) -> MemoryStore:
    """A home's memory that has these notes from days before."""
    # The same notes always have the same times.
    clock = Clock(random.Random(repr(tuple(notes))))
    store = MemoryStore(home.memory, now=clock.now)
    store.start_session()
    for note in notes:
        if note.name:
            store.write_topic(note.name, note.about or note.text, note.text)
        else:
            store.log_turn("user", note.text)
        clock.go_on(days=2)
    store.start_session()
    return store


def recalled(notes: Sequence[Note], question: str) -> str:
    """The result of the tool `recall` for a question in a home with these notes."""
    with TemporaryDirectory() as place:
        store = memory_of(notes, Home(Path(place)))
        store.log_turn("user", question)
        recall = make_recall_tool(partial(store.recall, transcripts=True))
        return str(recall.func(query=question))
