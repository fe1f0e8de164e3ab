"""20.5 as a table: each gate's name beside whether it is open.

All three are checked before any is reported, so none can hide another, and a fourth would be one
line. It costs a made-up time if there was no dream yet: infinitely long ago.
"""

from __future__ import annotations

from datetime import UTC, datetime
from math import inf

from g2c.memory.core.types import MIN_HOURS, MIN_SESSIONS, DreamState, Gate, GateDecision


def should_dream(
    state: DreamState,
    now: datetime,
    lock_is_held: bool,
    *,
    min_hours: float = MIN_HOURS,
    min_sessions: int = MIN_SESSIONS,
) -> GateDecision:
    present = _seconds(now)
    hours = inf
    if state.last_dream is not None:
        hours = (present - _seconds(state.last_dream)) / 3600
    is_open: dict[Gate, bool] = {
        "time": hours >= min_hours,
        "sessions": state.session_count >= min_sessions,
        "lock": not lock_is_held,
    }
    return GateDecision(tuple(gate for gate, opened in is_open.items() if not opened))


def _seconds(moment: datetime) -> float:
    """Seconds since 1970, which depend on no time zone."""
    if moment.utcoffset() is None:
        raise ValueError(f"a time zone is missing from {moment!r}")
    return (moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
