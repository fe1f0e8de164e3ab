"""The memory as one object: three layers of plain files in one folder.

Turns go into the transcripts, topics into files of their own, and pointers to both into the index,
which is in every prompt. An agent's knowledge is a folder that a person can read, grep, edit and
delete. The program only keeps it within its limits.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from g2c.files import if_possible
from g2c.inference import Backend
from g2c.memory.app.dream import DreamResult, dream, match_index_to_topics
from g2c.memory.app.evidence import with_user_statements
from g2c.memory.app.layers import DreamLock, Layers, MemoryIndex, TranscriptLog
from g2c.memory.app.outdated import without_outdated
from g2c.memory.app.recall import Recall
from g2c.memory.consolidate import consolidate
from g2c.memory.core.dreams import count_session, dream_health, past_state, read_state, too_soon
from g2c.memory.core.index import pointer_of
from g2c.memory.core.sources import missing_sources, places_of, with_sources
from g2c.memory.core.topics import Topics, draft_of
from g2c.memory.core.types import (
    MIN_HOURS,
    MIN_SESSIONS,
    DreamPlan,
    GrepHit,
    Recollection,
    Topic,
    TopicDraft,
    Turn,
)
from g2c.memory.should_dream import should_dream
from g2c.tracing import traced

MAX_TURN_CHARS = 200_000
"""The longest turn that is kept: a book's chapter, and far more than any context."""

MAX_SESSION_TURNS = 500
"""The most turns that are looked at when a session ends."""

STALE_ADVICE = "Check what is marked possibly stale before you rely on it."


def utc_now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)


class MemoryStore:
    """The memory in the folder `root`, which is made at the first write.

    Args:
        root: The folder: `transcripts/`, `topics/`, `MEMORY.md`, `dream_state.json`, and
            `.recall-cache/`, which can be deleted.
        agent_id: The agent's id in the turns that are logged.
        now: The clock; its times have a zone.
        stale_after_days: Topics older than this many days are marked in the context.
        fsync: Whether each logged turn survives a power cut.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        agent_id: str = "agent",
        now: Callable[[], datetime] = utc_now,
        stale_after_days: float = 30,
        fsync: bool = False,
    ) -> None:
        self.root = Path(root)
        self.agent_id = agent_id
        self.now = now
        self.stale_after = timedelta(days=stale_after_days)
        self.transcripts = TranscriptLog(self.root / "transcripts", fsync=fsync, now=now)
        self.topics = Topics(self.root / "topics")
        self.index = MemoryIndex(self.root / "MEMORY.md")
        self.state_file = self.root / "dream_state.json"
        self.lock = DreamLock(self.root / "dream.lock", now=now)
        cache = self.root / ".recall-cache"
        self._search = Recall(
            self.topics, cache=cache / "topics.sqlite", days=self.transcripts.counted
        )
        self._search_with_turns = Recall(self.topics, self.transcripts, cache / "all.sqlite")
        self._is_expected = False  # a session that is not counted yet

    def start_session(self) -> int:
        """Count a new session, and return how many have begun since the last dream. The index
        points to the topics that a person has added or renamed.

        Raises:
            MemoryStoreError: the state of the dreams cannot be read.
        """
        with self.topics.exclusive():
            match_index_to_topics(self._layers)
        return count_session(self.state_file).session_count

    def expect_session(self) -> int:
        """Count a new session at its first turn, and return which it is since the last dream.

        Raises:
            MemoryStoreError: as `start_session`.
        """
        self._is_expected = True
        return read_state(self.state_file).session_count + 1

    def log_turn(self, role: str, content: str) -> None:
        """Add a line to today's transcript, and a pointer to that transcript to the index.

        A longer text is cut at `MAX_TURN_CHARS`, with a note that says so. The first turn after
        `expect_session` counts the session. The pointer and the count can be made again.

        Raises:
            OSError: the line could not be written, and is not kept.
        """
        if len(content) > MAX_TURN_CHARS:
            left_out = len(content) - MAX_TURN_CHARS
            content = f"{content[:MAX_TURN_CHARS]}\n[cut here; {left_out:,} characters more]"
        turn = Turn(self.now(), self.agent_id, role, content)
        self.transcripts.append(turn)
        day = turn.ts.astimezone(UTC).date()
        # The same words all day, so that the index and every prompt stay the same.
        file = self.transcripts.path_of(day).relative_to(self.root).as_posix()
        with if_possible(str(self.index.file)):
            self.index.upsert(file, f"what was said on {day}")
        if self._is_expected:
            self._is_expected = False
            with if_possible("the count of this session"):
                self.start_session()

    def write_topic(self, name: str, description: str, body: str, *, type: str = "note") -> Topic:
        """Write a topic, or replace the one of that name, and point to it in the index.

        The new topic keeps the sources of the old one.

        Raises:
            MemoryStoreError: it would be too long, or `type` is none of `TOPIC_TYPES`.
        """
        with self.topics.exclusive() as topics:
            sources = topics.read(name).sources if topics.path_of(name).is_file() else ()
            topic = topics.write(TopicDraft(name, description, type, body, sources), self.now())
        self.index.upsert(f"topics/{topic.slug}.md", topic.description)
        return topic

    def add_to_topic(self, name: str, text: str) -> tuple[Topic, bool]:
        """Add a paragraph to the topic of that name, or begin it, as one atomic step.

        A new topic's description is the first line of `text`. Returns the topic, and whether it
        has changed: a paragraph that it has already is not added again.

        Raises:
            MemoryStoreError: it would be too long, and stays as it was.
        """
        with self.topics.exclusive() as topics:
            if topics.path_of(name).exists():
                old = topics.read(name)
                if f"\n\n{text}\n\n" in f"\n\n{old.body}\n\n":
                    # A process that died after the topic was written left no pointer.
                    self.index.upsert(f"topics/{old.slug}.md", old.description)
                    return old, False
                body = f"{old.body}\n\n{text}"
                draft = replace(draft_of(old), body=body)
            else:
                draft = TopicDraft(name, text.partition("\n")[0], "note", text)
            topic = topics.write(draft, self.now())
            self.index.upsert(f"topics/{topic.slug}.md", topic.description)
        return topic, True

    def store_user_facts(self, since: datetime) -> None:
        """Keep, word for word, what the user said of themselves since then, unless a topic has it.
        It takes the place of what the user said is no longer true.

        A model may have answered and kept nothing.

        Raises:
            MemoryStoreError: a file of the store cannot be read.
            OSError: a file cannot be written.
        """
        turns = [turn for turn in self.transcripts.tail(MAX_SESSION_TURNS) if turn.ts >= since]
        with self.topics.exclusive() as topics:
            known = topics.list()
            plan = without_outdated(DreamPlan(), known, turns, self.transcripts.counted())
            plan = with_user_statements(plan, known, turns, about_self=True)
            plan = with_sources(plan, known, places_of(turns, self.transcripts))
            consolidate(plan, topics, self.index, self.now())

    def read_topic(self, name: str) -> Topic:
        """The topic with that name or slug.

        Raises:
            MemoryStoreError: there is none.
        """
        return self.topics.read(name)

    def grep(
        self, pattern: str, *, days_back: int = 7, ignore_case: bool = False
    ) -> Iterator[GrepHit]:
        """The turns of the last days whose line matches `pattern`, newest day first.

        Raises:
            MemoryStoreError: `pattern` is not a regular expression, or `days_back` is less than 1.
        """
        today = self.now().astimezone(UTC).date()
        return self.transcripts.grep(
            pattern, days_back=days_back, ignore_case=ignore_case, today=today
        )

    @traced("recall")
    def recall(
        self, query: str, k: int = 3, *, backend: Backend | None = None, transcripts: bool = False
    ) -> list[Recollection]:
        """The `k` paragraphs of the topics that answer `query` best, with their places.

        With `backend`, a model chooses among the candidates; see `rank` of
        `g2c.memory.app.recall`. With `transcripts`, turns are candidates, too.

        Raises:
            MemoryStoreError: `k` is less than 1.
        """
        search = self._search_with_turns if transcripts else self._search
        return search(query, k, backend=backend)

    def context(self) -> str:
        """The text for every prompt: the index with old topics marked; empty without an index. A
        topic that a person has deleted is left out.

        If a topic is marked, a last line tells the model to check it.
        """
        there = {f"topics/{slug}.md" for slug in self.topics.files()}
        lines = [
            line
            for line in self.index.render().splitlines()
            if not (found := pointer_of(line))
            or found.file in there
            or not found.file.startswith("topics/")
        ]
        if not lines:
            return ""
        stale = self._stale_files()
        marked = [
            line + next((mark for file, mark in stale.items() if f"]({file})" in line), "")
            for line in lines
        ]
        advice = [STALE_ADVICE] if marked != lines else []
        return "\n".join(["What you remember from before:", *marked, *advice])

    def _stale_files(self) -> dict[str, str]:
        """The mark of each old topic, by the topic's file."""
        oldest = self.now() - self.stale_after
        return {
            f"topics/{topic.slug}.md": f" (possibly stale, from {topic.updated.date()})"
            for topic in self.topics.list()
            if topic.updated < oldest
        }

    def is_dreaming(self) -> bool:
        """Whether a living process of this computer dreams."""
        holder = self.lock.holder()
        return bool(holder and holder.pid and self.lock.is_alive(holder.pid))

    def dream_is_due(self) -> bool:
        """Whether the three gates are open."""
        now = self.now()
        state = past_state(self.state_file, now)
        return not (should_dream(state, now, self.is_dreaming()).closed or too_soon(state, now))

    def maybe_dream(
        self,
        backend: Backend,
        *,
        dry_run: bool = False,
        force: bool = False,
        min_hours: float = MIN_HOURS,
        min_sessions: int = MIN_SESSIONS,
    ) -> DreamResult:
        """Dream if the three gates are open; see `g2c.memory.app.dream.dream`."""
        return dream(
            self._layers,
            self.lock,
            backend,
            self.now(),
            dry_run=dry_run,
            force=force,
            min_hours=min_hours,
            min_sessions=min_sessions,
        )

    def dream_health(self) -> str:
        """Say in a sentence whether dreams still happen, and if not, the usual reason. Further
        sentences name what the last dream was refused, and files that dead processes left."""
        state = read_state(self.state_file)
        health = dream_health(state, self.now(), self.lock.holder())
        if pause := too_soon(state, self.now()):
            health += f" {pause}"
        if state.refused:
            health += f" The last dream was refused this: {' | '.join(state.refused)}"
        if left := self._layers.leftovers():
            names = ", ".join(str(file.relative_to(self.root)) for file in left)
            health += f" The next dream removes what a process left when it died: {names}."
        return health

    def missing_sources(self) -> list[tuple[str, str]]:
        """The sources that lead to no turn, each as the topic's slug and the source."""
        return missing_sources(self.topics.list(), self.transcripts)

    @property
    def _layers(self) -> Layers:
        return Layers(self.transcripts, self.topics, self.index, self.state_file)
