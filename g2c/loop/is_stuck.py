"""Whether a loop goes in a circle: tick after tick with the same prompt and the same result.

The idea to take away: a tick knows only its prompt. If nothing that it did changed the next prompt,
nothing will change the next tick either. Nothing fails, so somebody has to compare.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.loop.core.types import TickRecord


@exercise("22.4")
def is_stuck(ticks: Sequence[TickRecord], k: int = 3) -> bool:
    """Decide whether the newest `k` ticks of a loop were all the same.

    - `ticks` is the log, oldest first. If a number repeats, only its last record counts: a crash
      cut the earlier one off.
    - Ticks are the same if they have equal prompts, equal actions in the same order, and equal
      answers. Nothing else has to be equal.
    - A failed tick is never the same as another one. `next_status` (22.2) counts failures.
    - With fewer than `k` ticks the answer is False.

    Raises:
        ValueError: `k` is below 2, whatever the log.

    >>> from datetime import datetime
    >>> now = datetime(2026, 4, 21)
    >>> log = [TickRecord(n, now, "continue", "Tidy up.", "I wait.") for n in (1, 2, 3)]
    >>> is_stuck(log), is_stuck(log[:2]), is_stuck(log[:2], k=2)
    (True, False, True)
    """
    raise NotImplementedError
