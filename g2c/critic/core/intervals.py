"""How far a share can be trusted, and how a report shows it.

0 of 12 does not mean "never". A share of few cases is uncertain, and its interval says how much.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Literal

from g2c.critic.core.types import Interval

MIN_TOLD_APART = 6
"""Six tosses of a coin come out alike once in 32 times, five once in 16: too often for 95 %."""

Shown = Literal["better", "worse", "unclear"]


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval (1927): the true shares for which this count would be no surprise.

    Unlike most textbooks' interval, it stays within 0 and 1 and has a width even at 0 of n and at
    n of n.

    Raises:
        ValueError: `n` is below 1, `successes` is not in 0 to `n`, or `confidence` is not between 0
            and 1.

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
    # At the ends the two terms are equal. Rounding must not take their difference past 0 or 1.
    low = 0.0 if successes == 0 else centre - reach
    high = 1.0 if successes == n else centre + reach
    return Interval(share, low, high, confidence)


def shown_by(gain: Interval, told_apart: int) -> Shown:
    """Describe a paired gain, if the two results differed on `told_apart` tasks.

    A bootstrap knows only its own tasks. If few of them differ, its interval is too narrow. So with
    fewer than `MIN_TOLD_APART` the result is unclear, whatever the interval.

    >>> [shown_by(Interval(0.5, 0.2, 0.8), told_apart) for told_apart in (5, 6)]
    ['unclear', 'better']
    """
    if told_apart < MIN_TOLD_APART or gain.low <= 0 <= gain.high:
        return "unclear"
    return "better" if gain.low > 0 else "worse"


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown, padded so that it is also a table in a terminal.

    >>> print(markdown_table(["critic", "approved"], [["strict", "1 of 2"], ["a|b", 0]]))
    | critic | approved |
    |--------|----------|
    | strict | 1 of 2   |
    | a\\|b   | 0        |
    """
    cells = [[_cell(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    head, *body = ("| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in cells)
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([head, rule, *body])


def percent(interval: Interval) -> str:
    """A share and its bounds, in whole per cent.

    >>> percent(Interval(0.5, 0.254, 0.746))
    '50 % (25 to 75)'
    """
    share, low, high = 100 * interval.estimate, 100 * interval.low, 100 * interval.high
    return f"{share:.0f} % ({low:.0f} to {high:.0f})"


def points(interval: Interval) -> str:
    """A difference of shares and its bounds, in percentage points with signs.

    >>> points(Interval(0.25, -0.1, 0.6))
    '+25 points (-10 to +60)'
    """
    low, middle, high = (
        f"{round(100 * value):+d}" for value in (interval.low, interval.estimate, interval.high)
    )
    return f"{middle} points ({low} to {high})"


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")
