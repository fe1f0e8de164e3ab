"""The dream: what was said lately becomes what is known, while nobody waits for an answer.

Four phases: look around, ask a model for a plan, carry the plan out, note that it is done. The idea
to take away: the model only proposes. Until its plan has been read and found sound nothing on disk
is touched, and what is noted last is what makes the next dream begin or not.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from g2c.files import diff_of
from g2c.inference import Backend, BackendError
from g2c.inference.json_forms import ask_json
from g2c.memory.base import DreamPlan, MemoryStoreError, Turn
from g2c.memory.consolidate import consolidate
from g2c.memory.dream_prompt import (
    MAX_TURNS,
    Orientation,
    choose_topics,
    choose_turns,
    render_dream_prompt,
)
from g2c.memory.dream_state import end_dream, read_state
from g2c.memory.gate import MIN_HOURS, MIN_SESSIONS, Gate, GateDecision, should_dream
from g2c.memory.health import explain
from g2c.memory.index import MAX_LINES, MemoryIndex
from g2c.memory.lock import DreamLock
from g2c.memory.plan import parse_plan, plan_schema
from g2c.memory.topics import Topics, slugify
from g2c.memory.transcript import TranscriptLog

Phase = Literal["orient", "gather", "consolidate", "index"]

ASKED_CHANGES = 4
ASKED_BODY_CHARS = 600
MAX_NEW_TOKENS = 2_048
"""A plan of so many topics, each as long as it may be, has room in so many tokens."""


@dataclass(frozen=True)
class Layers:
    """The files that a dream reads and changes."""

    transcripts: TranscriptLog
    topics: Topics
    index: MemoryIndex
    state_file: Path

    def copied_to(self, folder: Path) -> Layers:
        """The same with topics, index and state in `folder`, where they may be changed."""
        topics, index, state = folder / "topics", folder / "MEMORY.md", folder / "state.json"
        topics.mkdir()
        for file in self.topics.folder.glob("*.md"):
            shutil.copy2(file, topics)
        for source, copy in ((self.index.file, index), (self.state_file, state)):
            if source.exists():
                shutil.copy2(source, copy)
        return Layers(self.transcripts, Topics(topics), MemoryIndex(index), state)

    def texts(self) -> dict[str, str]:
        """Topics and index, each file's text by its name in a store."""
        files = {f"topics/{file.name}": file for file in self.topics.folder.glob("*.md")}
        if self.index.file.exists():
            files["MEMORY.md"] = self.index.file
        return {name: file.read_text("utf-8", "replace") for name, file in files.items()}


@dataclass(frozen=True)
class DreamResult:
    """How a dream went.

    `dreamed` is whether it took place; if not, nothing on disk has changed, and `reason` says why.
    `closed` are the gates that held it back. `plan` is the model's, where it could be read, and
    `diff` what that changes in topics and index, as a unified diff.
    """

    dreamed: bool
    reason: str
    closed: tuple[Gate, ...] = ()
    plan: DreamPlan | None = None
    diff: str = ""


def dream(
    layers: Layers,
    lock: DreamLock,
    backend: Backend,
    now: datetime,
    *,
    dry_run: bool = False,
    force: bool = False,
    min_hours: float = MIN_HOURS,
    min_sessions: int = MIN_SESSIONS,
    on_phase: Callable[[Phase], None] = lambda phase: None,
) -> DreamResult:
    """Dream if all three gates are open.

    With `force` it is enough that nobody else dreams. With `dry_run` the gates are not asked, and
    the dream is one of a copy: the result has plan and diff, and nothing on disk changes.
    `on_phase` is called as each phase begins.

    What the model says, or that it cannot be asked, is a result and never raises. After a crash,
    or an error while files were written, the next dream completes what this one left.

    Raises:
        MemoryStoreError: a file of the store cannot be read; the message says what to do.
        OSError: a file cannot be written.
    """
    if dry_run:
        from tempfile import TemporaryDirectory  # slow to import

        with TemporaryDirectory() as folder:
            rehearsal = _dream(layers.copied_to(Path(folder)), backend, now, on_phase)
        if rehearsal.dreamed:
            reason = f"A dry run, nothing was changed. {rehearsal.reason}"
            rehearsal = replace(rehearsal, dreamed=False, reason=reason)
        return rehearsal
    held = not lock.acquire()
    try:
        # Read only now: whoever had the lock a moment ago may have dreamed.
        state = read_state(layers.state_file)
        decision = should_dream(state, now, held, min_hours=min_hours, min_sessions=min_sessions)
        if force:
            decision = GateDecision(("lock",) if held else ())
        if decision.closed:
            reason = explain(decision, state, now, lock.holder())
            return DreamResult(False, reason, decision.closed)
        return _dream(layers, backend, now, on_phase)
    finally:
        if not held:
            lock.release()


def _dream(
    layers: Layers, backend: Backend, now: datetime, on_phase: Callable[[Phase], None]
) -> DreamResult:
    on_phase("orient")
    before = layers.texts()
    orientation = _orient(layers)
    on_phase("gather")
    try:
        plan = _gather(orientation, backend)
    except (BackendError, MemoryStoreError) as error:
        return DreamResult(False, str(error))
    if changed := _changed_meanwhile(plan, orientation, layers.topics):
        names = ", ".join(changed)
        return DreamResult(False, f"Somebody changed {names} during the dream.", plan=plan)
    on_phase("consolidate")
    consolidate(plan, layers.topics, layers.index, now)
    on_phase("index")
    _drop_digested(orientation, layers)
    _match_index_to_topics(layers)
    end_dream(layers.state_file, now, plan.summary)
    return DreamResult(True, plan.summary, plan=plan, diff=diff_of(before, layers.texts()))


def _orient(layers: Layers) -> Orientation:
    shown, closed = choose_topics(layers.topics.list())
    turns = choose_turns(layers.transcripts.tail(MAX_TURNS))
    return Orientation(shown, closed, turns)


def _gather(orientation: Orientation, backend: Backend) -> DreamPlan:
    known = {topic.slug for topic in orientation.open_topics}
    closed = {topic.slug for topic in orientation.closed_topics}
    prompt = render_dream_prompt(orientation)
    schema = plan_schema(known, max_changes=ASKED_CHANGES, body_chars=ASKED_BODY_CHARS)
    answer = ask_json(backend, prompt, schema, max_new_tokens=MAX_NEW_TOKENS)
    return parse_plan(answer.completion, known, closed)


def _changed_meanwhile(plan: DreamPlan, orientation: Orientation, topics: Topics) -> list[str]:
    """The topics of the plan that are no longer what the model was shown."""
    shown = {topic.slug: topic for topic in orientation.open_topics}
    there = {topic.slug: topic for topic in topics.list()}
    touched = [*(slugify(draft.name) for draft in plan.upserts), *plan.deletes]
    return [slug for slug in touched if shown.get(slug) != there.get(slug)]


def _drop_digested(orientation: Orientation, layers: Layers) -> None:
    """Take the pointers to transcripts that the model has read out of the index.

    Where more was said meanwhile, the pointer to that stays for the next dream.
    """
    read = orientation.turns
    news = [turn for turn in layers.transcripts.tail(1) if turn not in read[-1:]]
    for day in {_day(turn) for turn in read} - {_day(turn) for turn in news}:
        layers.index.remove(f"transcripts/{day}.jsonl")


def _day(turn: Turn) -> date:
    return turn.ts.astimezone(UTC).date()


def _match_index_to_topics(layers: Layers) -> None:
    """Set right what a crash or a person left: topics without a pointer, and the reverse."""
    topics = {f"topics/{topic.slug}.md": topic for topic in layers.topics.list()}
    pointed = {pointer.file for pointer in layers.index.pointers}
    for file in pointed - topics.keys():
        if file.startswith("topics/"):
            layers.index.remove(file)
    for file in sorted(topics.keys() - pointed):
        if len(layers.index.pointers) < MAX_LINES:
            layers.index.upsert(file, topics[file].description)
