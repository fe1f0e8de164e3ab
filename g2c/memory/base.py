"""What a memory is made of: turns, topics, pointers, plans, and what comes back from a search.

All of it is frozen data. The idea to take away: each layer is plain text on disk, and these are
only the shapes in which a program reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


class MemoryStoreError(ValueError):
    """The memory was used wrongly, or its files cannot be used; says what to do."""


@dataclass(frozen=True)
class Turn:
    """One thing that was said: when (with a time zone), by which agent's run, in which role."""

    ts: datetime
    agent_id: str
    role: str
    content: str


@dataclass(frozen=True)
class GrepHit:
    """A line of a transcript that matched: its file, its number from 1 on, and the turn in it."""

    file: Path
    line: int
    turn: Turn


@dataclass(frozen=True)
class Topic:
    """A topic file: its head (`name`, `description`, `type`, `updated`) and its body in Markdown.

    `slug` is its file's name without `.md`. A head that cannot be read is part of the body.
    """

    slug: str
    name: str
    description: str
    type: str
    updated: datetime
    body: str


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


@dataclass(frozen=True)
class DreamPlan:
    """What a dream is to change: topics to write, slugs of topics to delete, and one line that
    says what it did."""

    upserts: tuple[TopicDraft, ...] = ()
    deletes: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class DreamState:
    """When the last dream ended (None: never), the sessions since then, and its summary."""

    last_dream: datetime | None = None
    session_count: int = 0
    last_summary: str = ""


@dataclass(frozen=True)
class Recollection:
    """One thing recalled: an excerpt, where it stands, why it was chosen, and its lexical score."""

    excerpt: str
    file: Path
    line: int
    reason: str
    score: float
