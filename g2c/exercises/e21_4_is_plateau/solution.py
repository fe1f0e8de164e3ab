"""21.4: decide how many rounds the wait for a gain may last, and then whether those rounds paid.

A single round says little, because reviewers err by more than most rounds bring. Several rounds
together say more, and they cost more. The wait is long if totals are low, since they have room
above them, or if the price is low. It shrinks by itself while the totals rise.

The numbers were found by measuring, on other seeds than the public one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

from g2c.critic.core.types import ROUND_PRICE

_HIGH = 70
"""Reviews whose mean total is this high seldom rise."""
_LONGEST = 5
_DUE = 1.3
"""The gain that rounds must have brought, as a multiple of their price: some of a gain is luck, and
later rounds bring less."""


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
