"""Ask whether 24 hours have passed since the last dream, in the night when summer time begins."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.memory import DreamState, GateDecision
from g2c.memory.core.types import MIN_HOURS, MIN_SESSIONS, Gate

QUESTION = "What does Python subtract here?"


def should_dream(
    state: DreamState,
    now: datetime,
    lock_is_held: bool,
    *,
    min_hours: float = MIN_HOURS,
    min_sessions: int = MIN_SESSIONS,
) -> GateDecision:
    slept = state.last_dream
    gates: dict[Gate, bool] = {
        "time": slept is not None and now - slept < timedelta(hours=min_hours),
        "sessions": min_sessions > state.session_count,
        "lock": lock_is_held,
    }
    return GateDecision(tuple(gate for gate, is_closed in gates.items() if is_closed))


def show(folder: Path) -> Seen:
    berlin = ZoneInfo("Europe/Berlin")
    dreamed = datetime(2026, 3, 28, 20, tzinfo=berlin)
    now = datetime(2026, 3, 29, 20, tzinfo=berlin)
    yield "last dream", f"{dreamed} (in UTC {dreamed.astimezone(UTC):%d %H:%M})"
    yield "now", f"{now} (in UTC {now.astimezone(UTC):%d %H:%M})"
    hours = (now.timestamp() - dreamed.timestamp()) / 3600
    yield "a stopwatch", f"{hours:g} hours"
    decision = should_dream(DreamState(dreamed, session_count=9), now, lock_is_held=False)
    yield RESULT, f"closed gates: {list(decision.closed)}"
    yield WANTED, f"closed gates: ['time'], since {hours:g} hours are fewer than {MIN_HOURS}"
