"""22.4: first the cases without a review, then the count.

An interval of 0 must come first because nothing can be divided by 0. Tick 0 must come first because
every interval divides it.
"""

from __future__ import annotations

from g2c.loop.provided.types import INTERVAL, MIN_PLANNED_TICKS


def checkpoint_due(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    if tick == 0 or interval == 0:
        return False
    if planned_ticks is not None and (planned_ticks < MIN_PLANNED_TICKS or tick >= planned_ticks):
        return False
    return tick % interval == 0
