"""Whether a memory still gets its dreams, and if not, why.

The idea to take away: work that runs by itself also stops by itself, and nobody notices. A store
that can say in one sentence why nothing happens is a store that gets mended.
"""

from __future__ import annotations

from datetime import UTC, datetime

from g2c.memory.base import DreamState
from g2c.memory.gate import MIN_HOURS, MIN_SESSIONS, GateDecision
from g2c.memory.lock import LockHolder

_OVERDUE = 3
"""A dream is overdue at this many times the hours and the sessions that open its gates."""


def explain(
    decision: GateDecision, state: DreamState, now: datetime, holder: LockHolder | None = None
) -> str:
    """The decision in a sentence: for each closed gate, how things stand.

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
    """Say in a sentence whether consolidation is stalled, and the usual reason.

    `holder` is whose lock there is, be it alive or not.

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
        return f"Stalled: {stands}. A clock was wrong; correct last_dream in the state's file."
    if hours < min_hours or (count < min_sessions and state.last_dream is None):
        return f"Well: {stands}."
    if count < min_sessions:
        return f"Waiting: {stands}. If there were more, nothing tells the store when one starts."
    if holder:
        return (
            f"Held: {stands}. {_named(holder)} has the lock since {_minute(holder.since)}; if no "
            "dream is under way there, delete the lock's file."
        )
    if hours >= _OVERDUE * min_hours and count >= _OVERDUE * min_sessions:
        return (
            f"Stalled: {stands}. As a rule, the model's plans are refused, or nothing asks the "
            "store to dream; a dry run shows which."
        )
    return f"Due: {stands}."


def _hours_since(moment: datetime | None, now: datetime) -> float:
    """The hours from `moment` to `now`, negative for one to come; infinite since never."""
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


def _minute(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _sessions(count: int) -> str:
    return f"{count} session" if count == 1 else f"{count} sessions"
