"""22.4 by walking back from the newest tick, until `k` equal ones were seen or one differs.

It reads no more records than it needs, which matters for a log of a year. It costs two ways out of
the loop, and a set of the ticks' numbers that were seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.loop.core.types import TickRecord


def is_stuck(ticks: Sequence[TickRecord], k: int = 3) -> bool:
    if k < 2:
        raise ValueError(f"a tick is always the same as itself; compare 2 ticks or more, not {k}")
    seen: set[int] = set()
    newest = None
    for tick in reversed(ticks):
        if tick.tick in seen:
            continue  # a later record of the same tick was checked
        seen.add(tick.tick)
        shape = tick.prompt, tick.actions, tick.answer
        newest = newest or shape
        if tick.outcome == "failed" or shape != newest:
            return False
        if len(seen) == k:
            return True
    return False
