"""How far a share may be trusted, the interval around k successes of n, and what a gain shows.

The idea to take away: 0 of 12 is not "never". A share of few cases says little, and the interval
says how little.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal

from g2c.critic.base import Interval

MIN_TOLD_APART = 6
"""Of six tosses a coin gives six alike once in 32 times, of five once in 16: too often for 95 %."""

Shown = Literal["better", "worse", "unclear"]


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """The score interval of a share (Wilson, 1927): those that such a count would not surprise.

    Unlike the interval of most textbooks it stays within 0 and 1, and has a width at 0 of n and
    at n of n.

    Raises:
        ValueError: `n` is below 1, `successes` not of 0 to `n`, `confidence` not between 0 and 1.

    >>> never = wilson(0, 12)
    >>> never.estimate, never.low, round(never.high, 2)
    (0.0, 0.0, 0.24)
    """
    if not 0 <= successes <= n or n < 1:
        raise ValueError(f"A share is of 1 or more: 0 to n of n, got {successes} of {n}.")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is between 0 and 1, got {confidence!r}.")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the two terms are equal but for rounding, which must not reach past 0 or 1.
    low = 0.0 if successes == 0 else centre - reach
    high = 1.0 if successes == n else centre + reach
    return Interval(share, low, high, confidence)


def shown_by(gain: Interval, told_apart: int) -> Shown:
    """What a paired gain shows, where `told_apart` tasks had a different result in the two.

    A bootstrap knows only the tasks it has. Where few of them told the two apart its interval is
    too narrow, so with fewer than `MIN_TOLD_APART` nothing is shown, whatever the interval.

    >>> [shown_by(Interval(0.5, 0.2, 0.8), told_apart) for told_apart in (5, 6)]
    ['unclear', 'better']
    """
    if told_apart < MIN_TOLD_APART or gain.low <= 0 <= gain.high:
        return "unclear"
    return "better" if gain.low > 0 else "worse"
