"""When critics review the work: whether it progresses, and what to change if not."""

from g2c.loop.core.types import INTERVAL, MIN_PLANNED_TICKS


def checkpoint_due(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Whether the work is reviewed now that the tick number `tick` is over.

    A review is due every `interval` ticks; 0 is never. A loop planned for fewer than
    `MIN_PLANNED_TICKS` has none: it would be over before one could help. `planned_ticks` is None
    for a loop without that bound. The review goes into the next prompt, so the last planned tick
    has none.

    >>> [tick for tick in range(13) if checkpoint_due(tick, planned_ticks=12)]
    [5, 10]
    >>> [tick for tick in range(10) if checkpoint_due(tick, planned_ticks=9)]
    []
    """
    if tick == 0 or interval == 0:
        return False
    if planned_ticks is not None and (planned_ticks < MIN_PLANNED_TICKS or tick >= planned_ticks):
        return False
    return tick % interval == 0
