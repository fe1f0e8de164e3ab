"""When to dream: three gates, and all of them must be open.

A dream costs a call to a model and rewrites what an agent knows, so it should be rare, find
something to do, and be alone. The idea to take away: policy is a pure function. State, clock and
lock come in as values, so that each gate is tested without a file, a process or a wait.
"""

from __future__ import annotations

from datetime import datetime

from g2c.exercise import exercise
from g2c.memory.core.types import MIN_HOURS, MIN_SESSIONS, DreamState, GateDecision


@exercise("20.5")
def should_dream(
    state: DreamState,
    now: datetime,
    lock_is_held: bool,
    *,
    min_hours: float = MIN_HOURS,
    min_sessions: int = MIN_SESSIONS,
) -> GateDecision:
    """Decide which of the three gates hold a dream back.

    - `time` is open at `min_hours` or more since `state.last_dream`, and for a store that never
      dreamed. Hours are hours that passed, whatever the clocks on the wall were set to in between.
      A last dream in the future closes it.
    - `sessions` is open at `min_sessions` or more since the last dream.
    - `lock` is open where nobody holds the lock.

    Each gate is judged alone. The decision names every closed gate, in the order above.

    Raises:
        ValueError: `now`, or a `last_dream` that there is, has no time zone.

    >>> noon = datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> should_dream(DreamState(session_count=5), noon, lock_is_held=False)
    GateDecision(closed=())
    >>> midnight = datetime.fromisoformat("2026-04-21T00:00:00+00:00")
    >>> should_dream(DreamState(midnight, session_count=2), noon, lock_is_held=False)
    GateDecision(closed=('time', 'sessions'))
    """
    raise NotImplementedError
