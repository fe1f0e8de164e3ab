"""22.7: count the failed ticks from the end, limit by age, and return once for each decision.

Failures are counted by tick numbers, not by times. So a clock that jumps can neither hide a failure
nor count it twice. Ages are differences in UTC, as for the gate of 20.5. A negative age counts for
the limit of recoveries and not for the pause between flares. Both have the same reason: in doubt,
the healer does less and tells more.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import takewhile

from g2c.loop.core.types import DEFAULTS, Decision, HealConfig, HealHistory


def decide(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    for moment in (now, *history.recoveries, *history.panic_flares):
        if moment.utcoffset() is None:
            raise ValueError(f"a time zone is missing from {moment!r}")

    def age(moment: datetime) -> timedelta:
        return now.astimezone(UTC) - moment.astimezone(UTC)

    open_ticks = (tick for tick in reversed(history.ticks) if tick.tick > history.recovered_tick)
    row = sum(1 for _ in takewhile(lambda tick: tick.outcome == "failed", open_ticks))
    failures = f"Failed ticks in a row: {row}"
    window = timedelta(hours=config.window_hours)
    recent = sum(age(moment) < window for moment in history.recoveries)

    if history.trouble:
        reason = history.trouble
    elif row < config.failures:
        return Decision("none", f"{failures}; fewer than {config.failures} need no healing.")
    elif recent >= config.recoveries:
        reason = f"{failures}, after {recent} recoveries in {config.window_hours:g} hours."
    elif not history.snapshots:
        reason = f"{failures}, and there is no snapshot to go back to."
    else:
        return Decision("restore", f"{failures}.", max(history.snapshots), flare=True)

    pause = timedelta(minutes=config.flare_minutes)
    is_told = any(timedelta(0) <= age(moment) < pause for moment in history.panic_flares)
    return Decision("panic", reason, flare=not is_told)
