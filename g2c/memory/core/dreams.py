"""When the last dream ended, how many sessions began since, and whether dreams still happen.

The state is one small JSON file. A file that cannot be read is an error, not a fresh start. Each
change is read, made and written under one lock, so that two at once cannot undo each other. Dreams
run by themselves, so they can also stop unnoticed. `dream_health` says in one sentence why nothing
happens.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from g2c.clocks import not_after
from g2c.files import locked, read_text
from g2c.foreign_json import load_json
from g2c.json_files import replace_json
from g2c.memory.core.lock import LockHolder
from g2c.memory.core.types import (
    MIN_HOURS,
    MIN_SESSIONS,
    DreamState,
    GateDecision,
    MemoryStoreError,
)
from g2c.text import named_reason

MAX_REFUSED = 20
"""The most sentences about refused lines that are kept for `g2c memory health`."""

MAX_PAUSE_HOURS = 7 * 24
"""The longest pause after plans that could not be used."""

MIN_YEAR, MAX_YEAR = 1970, 9000
"""Times outside these years cannot be converted between all time zones."""


def read_state(file: Path) -> DreamState:
    """The state in `file`; if there is no file, the state of a store that never dreamed.

    Raises:
        MemoryStoreError: the file holds no valid state; the message says what to do.
    """
    try:
        return _state_from(load_json(read_text(file)))
    except FileNotFoundError:
        return DreamState()
    except (ValueError, KeyError, TypeError) as error:
        raise MemoryStoreError(
            f"{file} is not the state of a dream ({named_reason(error)}). Mend it, or "
            "delete it to start again as a store that never dreamed."
        ) from error


def update_state(file: Path, change: Callable[[DreamState], DreamState]) -> DreamState:
    """Apply `change` to the state in `file`, and return the new state.

    Raises:
        MemoryStoreError: as `read_state`.
    """
    with locked(file.with_name(f".{file.name}.lock")):
        state = change(read_state(file))
        replace_json(file, asdict(state), indent=1)
    return state


def count_session(file: Path) -> DreamState:
    """Note in `file` that one more session has begun, and return the new state."""
    return update_state(file, lambda state: replace(state, session_count=state.session_count + 1))


def end_dream(
    file: Path, now: datetime, summary: str, sessions: int, refused: Sequence[str] = ()
) -> DreamState:
    """Note in `file` that a dream has ended, and return the new state.

    `sessions` is how many had begun when the dream began; later ones count for the next dream. At
    most `MAX_REFUSED` different sentences of `refused` are kept.
    """
    told = tuple(dict.fromkeys(refused))[:MAX_REFUSED]
    return update_state(
        file, lambda state: DreamState(now, max(0, state.session_count - sessions), summary, told)
    )


def note_failure(file: Path, now: datetime) -> DreamState:
    """Note in `file` that a plan could not be used, and return the new state."""
    return update_state(
        file, lambda state: replace(state, failures=state.failures + 1, last_failure=now)
    )


def past_state(file: Path, now: datetime) -> DreamState:
    """The state in `file`, in which nothing lies after `now`. A time that does was written by a
    wrong clock; it is replaced by `now` in the file, or it would move with the clock.

    Raises:
        MemoryStoreError: as `read_state`.
    """

    def bounded(state: DreamState) -> DreamState:
        last, failed = state.last_dream, state.last_failure
        return replace(
            state,
            last_dream=last and not_after(last, now),
            last_failure=failed and not_after(failed, now),
        )

    state = read_state(file)
    return state if bounded(state) == state else update_state(file, bounded)


def too_soon(state: DreamState, now: datetime) -> str:
    """Why no dream is tried at `now`; empty if one may be. After a plan that could not be used,
    asking again about the same turns would cost as much. The pause doubles from an hour to
    `MAX_PAUSE_HOURS`.
    """
    pause = min(2 ** (state.failures - 1), MAX_PAUSE_HOURS) if state.failures else 0
    since = _hours_since(state.last_failure, now)
    if not 0 <= since < pause:
        return ""
    times = "once" if state.failures == 1 else f"{state.failures} times"
    return (
        f"No dream now: the model's plan could not be used {times}. What was said is kept, and is "
        f"tried again in {pause - since:.1f} hours."
    )


def _state_from(data: Any) -> DreamState:
    last, count, summary = data["last_dream"], data["session_count"], data["last_summary"]
    refused, failures = data.get("refused", []), data.get("failures", 0)
    failed = data.get("last_failure")
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ValueError(f"session_count is {count!r}")
    if not isinstance(summary, str):
        raise ValueError(f"last_summary is {summary!r}")
    if not isinstance(refused, list) or not all(isinstance(reason, str) for reason in refused):
        raise ValueError(f"refused is {refused!r:.80}")
    if not isinstance(failures, int) or isinstance(failures, bool) or failures < 0:
        raise ValueError(f"failures is {failures!r}")
    return DreamState(
        _time("last_dream", last),
        count,
        summary,
        tuple(refused),
        failures,
        _time("last_failure", failed),
    )


def _time(name: str, text: str | None) -> datetime | None:
    time = None if text is None else datetime.fromisoformat(text)
    if time and time.tzinfo is None:
        raise ValueError(f"{name} {text} has no time zone")
    if time and not MIN_YEAR <= time.year <= MAX_YEAR:
        raise ValueError(f"{name} {text} is not a plausible time")
    return time


_OVERDUE = 3
"""A dream is overdue after this many times the hours and the sessions that open its gates."""


def explain(
    decision: GateDecision, state: DreamState, now: datetime, holder: LockHolder | None = None
) -> str:
    """The decision in one sentence, with the reason for each closed gate.

    >>> noon = datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> explain(GateDecision(("sessions", "lock")), DreamState(session_count=1), noon)
    'No dream now: 1 session since the last; another process holds the lock.'
    """
    if decision.is_open:
        return "All three gates are open."
    reasons = {
        "time": f"the last was {_ago(state, now)}",
        "sessions": f"{_sessions(state.session_count)} since the last",
        "lock": f"{_named(holder)} holds the lock",
    }
    return f"No dream now: {'; '.join(reasons[gate] for gate in decision.closed)}."


def dream_health(
    state: DreamState,
    now: datetime,
    holder: LockHolder | None = None,
    *,
    min_hours: float = MIN_HOURS,
    min_sessions: int = MIN_SESSIONS,
) -> str:
    """Say in a sentence whether dreams still happen, and if not, the usual reason.

    `holder` owns the lock, if there is one; its process may be dead.

    >>> noon = datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> dream_health(DreamState(session_count=2), noon)
    'Well: 2 sessions of 5, and it has never dreamed.'
    """
    hours = _hours_since(state.last_dream, now)
    count = state.session_count
    stands = f"{_sessions(count)} of {min_sessions}, and " + (
        f"the last dream was {_ago(state, now)}" if state.last_dream else "it has never dreamed"
    )
    if hours < 0:
        return f"Waiting: {stands}. A clock was wrong; the next dream that is due counts from now."
    if hours < min_hours or (count < min_sessions and state.last_dream is None):
        return f"Well: {stands}."
    if count < min_sessions:
        return f"Waiting: {stands}. If there were more, nothing counted them in this store."
    if holder:
        return (
            f"Held: {stands}. {_named(holder)} has held the lock since "
            f"{holder.since.astimezone(UTC):%Y-%m-%d %H:%M} UTC; if no dream is running there, "
            "delete the lock's file."
        )
    if hours >= _OVERDUE * min_hours and count >= _OVERDUE * min_sessions:
        return (
            f"Stalled: {stands}. Usually the model's plans are refused, or nothing asks the "
            "store to dream; a dry run shows which."
        )
    return f"Due: {stands}."


def _hours_since(moment: datetime | None, now: datetime) -> float:
    """The hours from `moment` to `now`: negative if it lies ahead, infinite if it is None."""
    return float("inf") if moment is None else (now.timestamp() - moment.timestamp()) / 3600


def _ago(state: DreamState, now: datetime) -> str:
    hours = _hours_since(state.last_dream, now)
    if hours < 0:
        return f"{-hours:.1f} hours in the future"
    return f"{hours:.1f} hours ago" if hours < 100 else f"{hours / 24:.0f} days ago"


def _named(holder: LockHolder | None) -> str:
    if holder is None or holder.pid is None:
        return "another process"
    return f"process {holder.pid} of {holder.host}"


def _sessions(count: int) -> str:
    return f"{count} session" if count == 1 else f"{count} sessions"
