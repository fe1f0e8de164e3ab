"""Let a healer check a loop every 5 minutes for a day. The loop fails again after each restore."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.loop import Decision, HealConfig, HealHistory, TickRecord
from g2c.loop.core.types import DEFAULTS

QUESTION = "When would you stop restoring, and whom would you tell?"


def decide(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    failed = 0
    for tick in history.ticks:
        failed = failed + 1 if tick.outcome == "failed" else 0
    if failed < config.failures:
        return Decision("none", "The loop works.")
    if not history.snapshots:
        return Decision("panic", "There is no snapshot.", flare=True)
    return Decision("restore", f"{failed} ticks failed.", history.snapshots[-1])


NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
LOOKS = 288


def show(folder: Path) -> Seen:
    history = HealHistory(snapshots=(6,))
    restored = told = 0
    for look in range(LOOKS):
        now = NOON + timedelta(minutes=5 * look)
        first = max((tick.tick for tick in history.ticks), default=6) + 1
        broke = tuple(TickRecord(first + n, now, "failed") for n in range(DEFAULTS.failures))
        history = replace(history, ticks=history.ticks + broke)
        decision = decide(history, now)
        told += decision.flare
        if decision.action == "restore":
            restored += 1
            times = (*history.recoveries, now)
            history = replace(history, recoveries=times, recovered_tick=broke[-1].tick)
        if look in (0, 1, 2):
            yield f"{now:%H:%M}", f"{DEFAULTS.failures} ticks failed: {decision.action}"
    yield "...", f"and so on until {now:%H:%M} of the next day"
    yield RESULT, f"{restored} restores of the same snapshot; a person was alerted {told} times"
    yield WANTED, "a few restores, and then an alert to a person"
