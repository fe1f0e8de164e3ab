"""20.5: three independent questions, and a list of the gates that are closed.

Both times are converted to UTC before the subtraction. Python subtracts two times of the same zone
by their wall clocks, so it would count an hour too many in the night when summer time begins. A
dream in the future gives a negative difference, which is below any limit.
"""

from __future__ import annotations

from datetime import UTC, datetime

from g2c.memory.core.types import MIN_HOURS, MIN_SESSIONS, DreamState, Gate, GateDecision


def should_dream(
    state: DreamState,
    now: datetime,
    lock_is_held: bool,
    *,
    min_hours: float = MIN_HOURS,
    min_sessions: int = MIN_SESSIONS,
) -> GateDecision:
    last = state.last_dream
    for moment in (now, last):
        if moment is not None and moment.utcoffset() is None:
            raise ValueError(f"a time zone is missing from {moment!r}")
    closed: list[Gate] = []
    if last is not None:
        passed = now.astimezone(UTC) - last.astimezone(UTC)
        if passed.total_seconds() < min_hours * 3600:
            closed.append("time")
    if state.session_count < min_sessions:
        closed.append("sessions")
    if lock_is_held:
        closed.append("lock")
    return GateDecision(tuple(closed))
