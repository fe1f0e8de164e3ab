"""The types of a memory: turns, topics, pointers, plans, gates, and search results.

All of it is frozen data. On disk each layer is plain text; programs read it into these types.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal


class MemoryStoreError(ValueError):
    """The memory was used wrongly, or its files cannot be used; the message says what to do."""


CALLER = "caller"
"""The role of another program that asks the agent something. Its words are kept as its own, and are
not evidence for what the user said."""


@dataclass(frozen=True)
class Turn:
    """One message: when (with a time zone), by which agent's run, in which role, and its text."""

    ts: datetime
    agent_id: str
    role: str
    content: str


@dataclass(frozen=True)
class GrepHit:
    """A line of a transcript that matched: its file, its number (from 1), and its turn."""

    file: Path
    line: int
    turn: Turn


TOPIC_TYPES = ("user", "person", "project", "fact", "episode", "note")
"""The subjects of a topic: the person the agent works for, somebody else, something with an end,
a fact, what happened in one run, or anything else."""


@dataclass(frozen=True)
class Topic:
    """A topic file: its head (`name`, `description`, `type`, `updated`, `sources`) and its body in
    Markdown.

    `slug` is its file's name without `.md`. `type` is one of `TOPIC_TYPES`, unless an older program
    or a person wrote it. `sources` are the turns that it came from, oldest first, each as file and
    line: `transcripts/2026-04-21.jsonl:12`.
    """

    slug: str
    name: str
    description: str
    type: str
    updated: datetime
    body: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pointer:
    """One line of the index: a file, relative to the store's root, and what is in it."""

    file: str
    description: str


@dataclass(frozen=True)
class TopicDraft:
    """A topic as a plan would write it."""

    name: str
    description: str
    type: str
    body: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class DreamPlan:
    """The changes of a dream: topics to write, slugs of topics to delete, and a summary of one
    line."""

    upserts: tuple[TopicDraft, ...] = ()
    deletes: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class DreamState:
    """When the last dream ended (None: never), how many sessions began since, its summary, and the
    lines that it was refused. `failures` plans in a row could not be used since then, the last of
    them at `last_failure`."""

    last_dream: datetime | None = None
    session_count: int = 0
    last_summary: str = ""
    refused: tuple[str, ...] = ()
    failures: int = 0
    last_failure: datetime | None = None


@dataclass(frozen=True)
class Recollection:
    """A search result: an excerpt, its file and line, why it was chosen, and its lexical score.

    `sources` are the turns that a topic came from; see `Topic`. `outdated` says when it was said
    and changed, if a newer statement changes it.
    """

    excerpt: str
    file: Path
    line: int
    reason: str
    score: float
    sources: tuple[str, ...] = ()
    outdated: str = ""


MIN_HOURS = 24
MIN_SESSIONS = 5
Gate = Literal["time", "sessions", "lock"]


@dataclass(frozen=True)
class GateDecision:
    """The closed gates, in the order `time`, `sessions`, `lock`. If none is, a dream may begin."""

    closed: tuple[Gate, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether no gate is closed."""
        return not self.closed
