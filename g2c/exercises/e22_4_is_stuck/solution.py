"""22.4: choose the ticks, then compare what they have in common as a set of tuples.

A dict keeps the last record of a number. It comes before the slice, or the newest `k` lines could
be fewer than `k` ticks. The bound of `k` comes first, because `[-0:]` is the whole log. A failed
tick has an empty answer and no actions, so ticks that broke look alike; their reason may be gone in
the next one.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.loop.core.types import TickRecord


def is_stuck(ticks: Sequence[TickRecord], k: int = 3) -> bool:
    if k < 2:
        raise ValueError(f"a tick is always the same as itself; compare 2 ticks or more, not {k}")
    last = {tick.tick: tick for tick in ticks}
    newest = list(last.values())[-k:]
    if len(newest) < k or any(tick.outcome == "failed" for tick in newest):
        return False
    return len({(tick.prompt, tick.actions, tick.answer) for tick in newest}) == 1
