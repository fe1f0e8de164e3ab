"""22.4: first what rules a review out, then the count.

Asking about 0 first is not only tidy: nothing can be divided by an interval of 0, and every number
divides the tick 0.
"""

from __future__ import annotations

from g2c.loop.checkpoint import INTERVAL, MIN_PLANNED_TICKS


def checkpoint_due(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    if tick == 0 or interval == 0:
        return False
    if planned_ticks is not None and (planned_ticks < MIN_PLANNED_TICKS or tick >= planned_ticks):
        return False
    return tick % interval == 0
