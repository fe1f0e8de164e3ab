"""20.5: three independent questions, and a list of those that were answered with no.

Both times are moved to UTC before they are subtracted. Python subtracts two times of one zone as
the clock on the wall shows them, so the night in which summer time begins would count an hour that
nobody lived through. A dream in the future gives a negative difference, which is below any bound.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from g2c.memory.gate import MIN_HOURS, MIN_SESSIONS, GateDecision

if TYPE_CHECKING:
    from g2c.memory.base import DreamState
    from g2c.memory.gate import Gate


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
