"""The front door of a memory: three layers of plain files in one folder.

Turns go into the transcripts, topics into files of their own, and the index of both into every
prompt. The idea to take away: what an agent knows is a folder that a person can read, grep, edit
and delete; the program only keeps it within its limits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from g2c.inference import Backend
from g2c.memory.base import GrepHit, Recollection, Topic, TopicDraft, Turn
from g2c.memory.dream import DreamResult, Layers, dream
from g2c.memory.dream_state import count_session, read_state
from g2c.memory.gate import MIN_HOURS, MIN_SESSIONS
from g2c.memory.health import dream_health
from g2c.memory.index import MemoryIndex
from g2c.memory.lock import DreamLock
from g2c.memory.recall import Recall
from g2c.memory.topics import Topics
from g2c.memory.transcript import TranscriptLog

STALE_AFTER_DAYS = 30


def utc_now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class MemoryStore:
    """The memory in the folder `root`, which is made when something is first kept.

    Args:
        root: The folder: `transcripts/`, `topics/`, `MEMORY.md`, `dream_state.json`.
        agent_id: Who speaks in the turns that are logged.
        now: The clock; its times have a zone.
        stale_after_days: The age in days from which on the context marks a topic.
        fsync: Whether a turn that was logged survives a power cut, too.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        agent_id: str = "agent",
        now: Callable[[], datetime] = utc_now,
        stale_after_days: float = STALE_AFTER_DAYS,
        fsync: bool = False,
    ) -> None:
        self.root = Path(root)
        self.agent_id = agent_id
        self.now = now
        self.stale_after = timedelta(days=stale_after_days)
        self.transcripts = TranscriptLog(self.root / "transcripts", fsync=fsync)
        self.topics = Topics(self.root / "topics")
        self.index = MemoryIndex(self.root / "MEMORY.md")
        self.state_file = self.root / "dream_state.json"
        self.lock = DreamLock(self.root / "dream.lock", now=now)
        self._search = Recall(self.topics)
        self._search_with_turns = Recall(self.topics, self.transcripts)

    def start_session(self) -> int:
        """Count one more session since the last dream, and return how many there are.

        Raises:
            MemoryStoreError: the state of the dreams cannot be read.
        """
        return count_session(self.state_file).session_count

    def log_turn(self, role: str, content: str) -> None:
        """Keep what was said: a line in today's transcript, and a pointer to that in the index.

        Raises:
            OSError: it could not be written, and is not kept.
        """
        turn = Turn(self.now(), self.agent_id, role, content)
        self.transcripts.append(turn)
        self._point_to(turn)

    async def log_turn_async(self, role: str, content: str) -> None:
        """`log_turn` for callers in an event loop, which goes on meanwhile."""
        import asyncio

        await asyncio.to_thread(self.log_turn, role, content)

    def _point_to(self, turn: Turn) -> None:
        day = turn.ts.astimezone(UTC).date()
        # The same words all day long, so that the index, and with it every prompt, stays the same.
        file = self.transcripts.path_of(day).relative_to(self.root).as_posix()
        self.index.upsert(file, f"what was said on {day}")

    def write_topic(self, name: str, description: str, body: str, *, type: str = "note") -> Topic:
        """Write a topic, in place of the one of that name, and point to it in the index.

        Raises:
            MemoryStoreError: it would be too long.
        """
        topic = self.topics.write(TopicDraft(name, description, type, body), self.now())
        self.index.upsert(f"topics/{topic.slug}.md", topic.description)
        return topic

    def read_topic(self, name: str) -> Topic:
        """The topic of that name or slug.

        Raises:
            MemoryStoreError: there is none.
        """
        return self.topics.read(name)

    def delete_topic(self, name: str) -> bool:
        """Delete the topic of that name or slug, and say whether there was one."""
        self.index.remove(f"topics/{self.topics.path_of(name).name}")
        return self.topics.delete(name)

    def search(self, query: str) -> tuple[Topic, ...]:
        """The topics that hold every word of `query`, in any case, newest first."""
        return self.topics.search(query)

    def grep(
        self, pattern: str, *, days_back: int = 7, ignore_case: bool = False
    ) -> Iterator[GrepHit]:
        """The turns of the last days whose line matches `pattern`, newest day first.

        Raises:
            MemoryStoreError: `pattern` is no regular expression, or `days_back` is less than 1.
        """
        today = self.now().astimezone(UTC).date()
        return self.transcripts.grep(
            pattern, days_back=days_back, ignore_case=ignore_case, today=today
        )

    def recall(
        self, query: str, k: int = 3, *, backend: Backend | None = None, transcripts: bool = False
    ) -> list[Recollection]:
        """The `k` paragraphs of the topics that answer `query` best, and where they stand.

        A model chooses among the candidates, if there is one. With `transcripts`, turns are
        candidates, too. See `g2c.memory.recall.rank` for what is said where no model chose.

        Raises:
            MemoryStoreError: `k` is less than 1.
        """
        search = self._search_with_turns if transcripts else self._search
        return search(query, k, backend=backend)

    def context(self) -> str:
        """What goes into every prompt: the index, with old topics marked; or nothing."""
        lines = self.index.render().splitlines()
        if not lines:
            return ""
        stale = self._stale_files()
        marked = [
            line + next((mark for file, mark in stale.items() if f"]({file})" in line), "")
            for line in lines
        ]
        return "\n".join(["What you remember from before:", *marked])

    def _stale_files(self) -> dict[str, str]:
        """The topics that are old, by their file, and the mark for each."""
        oldest = self.now() - self.stale_after
        return {
            f"topics/{topic.slug}.md": f" (possibly stale, from {topic.updated.date()})"
            for topic in self.topics.list()
            if topic.updated < oldest
        }

    def maybe_dream(
        self,
        backend: Backend,
        *,
        dry_run: bool = False,
        force: bool = False,
        min_hours: float = MIN_HOURS,
        min_sessions: int = MIN_SESSIONS,
    ) -> DreamResult:
        """Dream if the three gates are open; see `g2c.memory.dream.dream`."""
        layers = Layers(self.transcripts, self.topics, self.index, self.state_file)
        return dream(
            layers,
            self.lock,
            backend,
            self.now(),
            dry_run=dry_run,
            force=force,
            min_hours=min_hours,
            min_sessions=min_sessions,
        )

    def dream_health(self) -> str:
        """Whether consolidation is stalled, and the usual reason, in a sentence."""
        return dream_health(read_state(self.state_file), self.now(), self.lock.holder())
