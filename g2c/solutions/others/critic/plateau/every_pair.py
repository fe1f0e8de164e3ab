"""21.4 with every pair of the newest totals, as the contract puts it.

"Less than epsilon apart from one another" can be read off the code. It costs work that grows with
the square of the window, for a window of three.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from g2c.critic.provided.types import EPSILON, TOLERANCE, WINDOW


def is_plateau(history: Sequence[float], window: int = WINDOW, epsilon: float = EPSILON) -> bool:
    if window < 2:
        raise ValueError(f"a window of {window} rounds has no distance in it; use 2 or more")
    if not epsilon > 0:
        raise ValueError(f"no totals are less than {epsilon} points apart; use more than 0")
    if len(history) < window:
        return False
    pairs = combinations(history[-window:], 2)
    return all(abs(one - other) < epsilon - TOLERANCE for one, other in pairs)
