"""The dream: recent turns become topics, while nobody waits for an answer.

It has four phases: look around, ask a model for a plan, carry the plan out, note that it is done.
The model only proposes. Nothing on disk changes before its plan has been read and checked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from g2c.files import diff_of
from g2c.inference import Backend, BackendError
from g2c.inference.structured.json_forms import ask_json
from g2c.memory.app.evidence import sift, with_user_statements
from g2c.memory.app.layers import DreamLock, Layers
from g2c.memory.app.naming import with_said_names
from g2c.memory.app.outdated import without_outdated
from g2c.memory.consolidate import consolidate
from g2c.memory.core.dreams import (
    end_dream,
    explain,
    note_failure,
    past_state,
    read_state,
    too_soon,
)
from g2c.memory.core.index import MAX_LINES
from g2c.memory.core.plan import (
    MAX_TURNS,
    Orientation,
    choose_topics,
    choose_turns,
    parse_plan,
    plan_schema,
    render_dream_prompt,
)
from g2c.memory.core.sources import places_of, with_sources
from g2c.memory.core.topics import Topics, slugify
from g2c.memory.core.types import (
    MIN_HOURS,
    MIN_SESSIONS,
    DreamPlan,
    DreamState,
    Gate,
    GateDecision,
    MemoryStoreError,
    Topic,
    Turn,
)
from g2c.memory.should_dream import should_dream
from g2c.tracing import traced

Phase = Literal["orient", "gather", "consolidate", "index"]
ASKED_CHANGES = 4
ASKED_BODY_CHARS = 600
MAX_NEWS = 2_000
"""The most turns since the last dream whose facts are kept."""

MAX_NEW_TOKENS = 2_048
"""Enough for a plan of `ASKED_CHANGES` topics, each as long as it may be."""


@dataclass(frozen=True)
class DreamResult:
    """How a dream went.

    Without `dreamed`, nothing on disk has changed, and `reason` says why; `closed` are the closed
    gates. `proposed` is the model's plan, if it could be read. `plan` is what was carried out: its
    sound lines, and what was said in place of the others. `refused` has a sentence for each of
    those. `diff` is a unified diff of topics and index.
    """

    dreamed: bool
    reason: str
    closed: tuple[Gate, ...] = ()
    plan: DreamPlan | None = None
    proposed: DreamPlan | None = None
    refused: tuple[str, ...] = ()
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
    """Dream if all three gates are open. A dream also removes the files that dead processes left.

    With `force`, only the lock's gate counts. With `dry_run`, no gate counts, and the dream works
    on a copy: the result has plan and diff, and nothing on disk changes. `on_phase` is called when
    a phase begins.

    A bad plan, or a model that cannot be asked, gives a result and no error. After a crash, or an
    error while files are written, the next dream completes what this one left.

    Raises:
        MemoryStoreError: a file of the store cannot be read; the message says what to do.
        OSError: a file cannot be written.
    """
    if dry_run:
        from tempfile import TemporaryDirectory  # slow to import

        with TemporaryDirectory() as folder:
            result = _dream(layers.copied_to(Path(folder)), backend, now, on_phase)
        if not result.dreamed:
            return result
        reason = f"A dry run, nothing was changed. {result.reason}"
        return replace(result, dreamed=False, reason=reason)
    held = not lock.acquire()
    try:
        # Read with the lock held: another process may have dreamed a moment ago.
        state = past_state(layers.state_file, now)
        decision = should_dream(state, now, held, min_hours=min_hours, min_sessions=min_sessions)
        if force:
            decision = GateDecision(("lock",) if held else ())
        if decision.closed:
            reason = explain(decision, state, now, lock.holder())
            return DreamResult(False, reason, decision.closed)
        if not force and (reason := too_soon(state, now)):
            return DreamResult(False, reason, ("time",))
        for file in layers.leftovers():
            file.unlink(missing_ok=True)
        return _dream(layers, backend, now, on_phase)
    finally:
        if not held:
            lock.release()


@traced("dream")
def _dream(
    layers: Layers, backend: Backend, now: datetime, on_phase: Callable[[Phase], None]
) -> DreamResult:
    on_phase("orient")
    state = read_state(layers.state_file)
    orientation = _orient(layers)
    on_phase("gather")
    try:
        proposed = plan = _gather(orientation, backend)
    except (MemoryStoreError, BackendError) as error:
        if isinstance(error, MemoryStoreError) or error.blames_model:
            note_failure(layers.state_file, now)
        return DreamResult(False, str(error))
    known = (*orientation.shown, *orientation.unshown)
    latest = layers.transcripts.tail(MAX_NEWS)
    news = [turn for turn in latest if _is_news(turn, state)]
    read_or_new = max(len(orientation.turns), len(news), 1)
    turns = latest[-read_or_new:]
    plan = with_said_names(plan, known, turns)
    plan, spared = _spare(plan, orientation.unshown, layers.topics)
    sifted = sift(plan, orientation.shown, turns, orientation.unshown)
    plan = without_outdated(sifted.plan, known, turns, layers.transcripts.counted())
    plan = with_user_statements(plan, known, news)
    plan = with_sources(plan, known, places_of(turns, layers.transcripts))
    with layers.topics.exclusive() as topics:
        if changed := _changed_meanwhile(plan, known, topics):
            names = ", ".join(changed)
            return DreamResult(
                False, f"Somebody changed {names} during the dream.", (), plan, proposed
            )
        before = layers.texts()
        on_phase("consolidate")
        consolidate(plan, topics, layers.index, now)
        on_phase("index")
        _drop_digested(orientation, layers)
        match_index_to_topics(layers)
        refused = (*spared, *sifted.refused)
        end_dream(layers.state_file, now, plan.summary, state.session_count, refused)
        diff = diff_of(before, layers.texts())
    return DreamResult(True, plan.summary, (), plan, proposed, refused, diff)


def _spare(
    plan: DreamPlan, unshown: Sequence[Topic], topics: Topics
) -> tuple[DreamPlan, list[str]]:
    """The plan without the topics that it may not touch, and a sentence for each of those."""
    unread = {topic.slug for topic in unshown}
    written = [draft for draft in plan.upserts if slugify(draft.name) in unread]
    edited = [slug for slug in plan.deletes if topics.is_edited(slug)]
    allowed = DreamPlan(
        tuple(draft for draft in plan.upserts if draft not in written),
        tuple(slug for slug in plan.deletes if slug not in edited),
        plan.summary,
    )
    stays = [f"{draft.name} was not shown whole, and stays as it is." for draft in written]
    return allowed, [f"{slug} was to go, and you have edited its head." for slug in edited] + stays


def _is_news(turn: Turn, state: DreamState) -> bool:
    return state.last_dream is None or turn.ts >= state.last_dream


def _orient(layers: Layers) -> Orientation:
    shown, unshown = choose_topics(layers.topics.list())
    turns = choose_turns(layers.transcripts.tail(MAX_TURNS))
    return Orientation(shown, unshown, turns)


def _gather(orientation: Orientation, backend: Backend) -> DreamPlan:
    shown = {topic.slug for topic in orientation.shown}
    prompt = render_dream_prompt(orientation)
    schema = plan_schema(shown, max_changes=ASKED_CHANGES, body_chars=ASKED_BODY_CHARS)
    answer = ask_json(backend, prompt, schema, max_new_tokens=MAX_NEW_TOKENS)
    return parse_plan(answer.completion, shown)


def _changed_meanwhile(plan: DreamPlan, known: Sequence[Topic], topics: Topics) -> list[str]:
    """The plan's topics that have changed since the dream looked at them."""
    shown = {topic.slug: topic for topic in known}
    there = {topic.slug: topic for topic in topics.list()}
    touched = [*(slugify(draft.name) for draft in plan.upserts), *plan.deletes]
    return [slug for slug in touched if shown.get(slug) != there.get(slug)]


def _drop_digested(orientation: Orientation, layers: Layers) -> None:
    """Remove the pointers to transcripts that the model has read.

    A transcript that has grown meanwhile keeps its pointer, for the next dream.
    """
    read = orientation.turns
    news = [turn for turn in layers.transcripts.tail(1) if turn not in read[-1:]]
    for day in {_day(turn) for turn in read} - {_day(turn) for turn in news}:
        layers.index.remove(f"transcripts/{day}.jsonl")


def _day(turn: Turn) -> date:
    return turn.ts.astimezone(UTC).date()


def match_index_to_topics(layers: Layers) -> None:
    """Repair what a crash or a person left: topics without pointers, pointers without topics. The
    caller holds the lock of the topics."""
    topics = {f"topics/{topic.slug}.md": topic for topic in layers.topics.list()}
    pointed = {pointer.file for pointer in layers.index.pointers}
    layers.index.remove(*(file for file in pointed - topics.keys() if file.startswith("topics/")))
    room = max(0, MAX_LINES - len(layers.index.pointers))
    for file in sorted(topics.keys() - pointed)[:room]:
        layers.index.upsert(file, topics[file].description)
