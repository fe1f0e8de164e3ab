"""21.4: the range of the last totals, if there are enough of them.

With a window of 1 every round would be a plateau. A window of 0 would be the whole history, because
`history[-0:]` begins at the start. Both are refused first, so a wrong argument is an error in the
first round and not in the third.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.provided.types import EPSILON, TOLERANCE, WINDOW


def is_plateau(history: Sequence[float], window: int = WINDOW, epsilon: float = EPSILON) -> bool:
    if window < 2:
        raise ValueError(f"a window of {window} rounds has no distance in it; use 2 or more")
    if not epsilon > 0:
        raise ValueError(f"no totals are less than {epsilon} points apart; use more than 0")
    newest = history[-window:]
    if len(newest) < window:
        return False
    return max(newest) - min(newest) < epsilon - TOLERANCE
