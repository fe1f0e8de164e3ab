"""22.7 as two functions: what to do, and whether to light the flare.

The first has one `return` for each decision and knows nothing of flares. It costs a second
`Decision`, because a frozen dataclass cannot be changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from g2c.loop.core.types import DEFAULTS, Decision, HealConfig, HealHistory, TickRecord


def decide(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    recoveries = _ages(history.recoveries, now)
    flares = _ages(history.panic_flares, now)
    found = _what_to_do(
        history, sum(age < config.window_hours * 3600 for age in recoveries), config
    )
    is_told = any(0 <= age < config.flare_minutes * 60 for age in flares)
    lights = found.action == "restore" or (found.action == "panic" and not is_told)
    return replace(found, flare=lights)


def _ages(moments: Sequence[datetime], now: datetime) -> list[float]:
    """How many seconds ago each moment was; below 0 if it is in the future."""
    for moment in (now, *moments):
        if moment.utcoffset() is None:
            raise ValueError(f"a time zone is missing from {moment!r}")
    return [(now.astimezone(UTC) - moment.astimezone(UTC)).total_seconds() for moment in moments]


def _what_to_do(history: HealHistory, recent: int, config: HealConfig) -> Decision:
    row = _failed_in_a_row([t for t in history.ticks if t.tick > history.recovered_tick])
    failures = f"Failed ticks in a row: {row}"
    if history.trouble:
        return Decision("panic", history.trouble)
    if row < config.failures:
        return Decision("none", f"{failures}; fewer than {config.failures} need no healing.")
    if recent >= config.recoveries:
        often = f"after {recent} recoveries in {config.window_hours:g} hours"
        return Decision("panic", f"{failures}, {often}.")
    if not history.snapshots:
        return Decision("panic", f"{failures}, and there is no snapshot to go back to.")
    return Decision("restore", f"{failures}.", max(history.snapshots))


def _failed_in_a_row(ticks: Sequence[TickRecord]) -> int:
    outcomes = [tick.outcome == "failed" for tick in reversed(ticks)]
    return outcomes.index(False) if False in outcomes else len(outcomes)
