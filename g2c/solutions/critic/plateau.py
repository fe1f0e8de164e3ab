"""21.4: decide how many rounds one can afford to wait for a gain, and then whether they paid.

A single round says little, because reviewers err by more than most rounds bring. Several rounds
together say more, and they cost more. Low totals have room above them, and a low price makes it
cheap to wait: there the wait is long. It shrinks by itself while the totals rise.

The numbers were found by measuring, on other seeds than the public one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from g2c.critic.provided.types import ROUND_PRICE

_HIGH = 70
"""Reviews whose mean total is this high seldom rise."""
_LONGEST = 5
_DUE = 1.3
"""What rounds must have brought, by their price: some of it is luck, and the next bring less."""


def is_plateau(history: Sequence[float], price: float = ROUND_PRICE) -> bool:
    if not history:
        return False
    room = _HIGH - fmean(history)
    waited = round(room / (6 * sqrt(max(price, 0.1))))
    waited = min(max(waited, 1), _LONGEST)
    if len(history) <= waited:
        return False
    gained = max(history[-waited:]) - max(history[:-waited])
    return gained < _DUE * waited * price
