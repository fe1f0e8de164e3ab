"""21.4 as a forecast of the next round's gain: the trend, and a hope for what is still missing.

The trend is the slope of the newest four totals. Only a part of it counts: climbs get slower, and a
fall may be the reviewers' error. The hope is for a rise that has not begun yet, and it shrinks with
each round. The forecast is a number of points, and can be compared with the price. It costs two
more numbers to find by measuring.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, linear_regression

from g2c.critic.core.types import ROUND_PRICE


def is_plateau(history: Sequence[float], price: float = ROUND_PRICE) -> bool:
    if len(history) < 2:
        return False
    newest = history[-4:]
    trend = linear_regression(range(len(newest)), newest).slope
    trend *= 0.4 if trend > 0 else 0.2
    hope = 0.5 * max(0, 65 - fmean(history)) / len(history) ** 1.2
    return bool(trend + hope < price)
