"""Now and then somebody else looks: whether the work progresses, and what to change if not.

The idea to take away: an agent that drifts does not notice, for it judges each step by the one
before. A look from outside helps only as long as somebody is left to read it.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.loop.provided.types import INTERVAL, MIN_PLANNED_TICKS  # noqa: F401  (for your function)


@exercise("22.4")
def checkpoint_due(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Decide whether the work is reviewed now that the tick number `tick` is over.

    - It is reviewed every `interval` ticks; an interval of 0 stands for no reviews at all.
    - `tick` is 0 before the first tick, when there is nothing to review yet.
    - A loop planned for fewer than `MIN_PLANNED_TICKS` (10) ticks has no reviews. Where
      `planned_ticks` is None the loop has no such bound, and counts as a long one.
    - What a review says goes into the next tick's prompt. After the last planned tick nobody would
      read it.

    >>> [tick for tick in range(13) if checkpoint_due(tick, planned_ticks=12)]
    [5, 10]
    >>> [tick for tick in range(10) if checkpoint_due(tick, planned_ticks=9)]
    []
    """
    raise NotImplementedError
