"""Merge 20 real notes into one, in a process that is killed somewhere on the way."""

from __future__ import annotations

from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen, halt, kill_at_halt
from g2c.memory import DreamPlan, MemoryIndex, TopicDraft, Topics
from g2c.memory.core.index import BaseIndex

QUESTION = "At which moments of this function may the power fail?"


def consolidate(plan: DreamPlan, topics: Topics, index: BaseIndex, now: datetime) -> None:
    for old in plan.deletes:
        topics.delete(old)
        index.remove(f"topics/{old}.md")
    for draft in plan.upserts:
        new = topics.write(draft, now)
        index.upsert(f"topics/{new.slug}.md", new.description)


NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
N_NOTES = 20


class MortalTopics(Topics):
    """Topics whose process is killed when it has deleted a quarter of them."""

    def __init__(self, folder: Path, says: Connection) -> None:
        super().__init__(folder)
        self.says = says

    def delete(self, name: str) -> bool:
        was_there = super().delete(name)
        if len(self.list()) == N_NOTES * 3 // 4:
            halt(self.says)
        return was_there


def dream(says: Connection, folder: Path) -> None:
    notes = Topics(folder / "topics").list()
    body = "\n".join(note.body for note in notes)
    merged = TopicDraft("Garden", "what grows where", "fact", body)
    plan = DreamPlan((merged,), tuple(note.slug for note in notes))
    consolidate(
        plan, MortalTopics(folder / "topics", says), MemoryIndex(folder / "MEMORY.md"), NOON
    )


def show(folder: Path) -> Seen:
    topics, index = Topics(folder / "topics"), MemoryIndex(folder / "MEMORY.md")
    lines = []
    for number in range(N_NOTES):
        draft = TopicDraft(f"bed {number}", "a bed", "fact", f"In bed {number} grow beans.")
        slug = topics.write(draft, NOON).slug
        lines.append(f"- [topics/{slug}.md](topics/{slug}.md) — a bed")
    index.write(lines)
    yield "before", f"{len(topics.list())} notes, {len(index.pointers)} pointers"
    end = "killed" if kill_at_halt(dream, folder) else "ended"
    text = "\n".join(topic.body for topic in topics.list())
    known = sum(f"In bed {number} grow" in text for number in range(N_NOTES))
    broken = sum(not (folder / pointer.file).exists() for pointer in index.pointers)
    yield end, f"{len(topics.list())} notes, {len(index.pointers)} pointers"
    yield "to nowhere", f"pointers without a file: {broken}"
    yield RESULT, f"the memory knows {known} of {N_NOTES} beds, and no file has the others"
    yield WANTED, f"it knows all {N_NOTES}, whenever the process dies"
