"""When to stop a draft that is not good enough and no longer gets better.

The idea to take away: a plateau is a statement about the last few rounds and nothing else. How far
a draft has come is behind it; how far it is from good is another question.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.provided.types import EPSILON, WINDOW
from g2c.exercise import exercise


@exercise("21.4")
def is_plateau(history: Sequence[float], window: int = WINDOW, epsilon: float = EPSILON) -> bool:
    """Decide whether the totals have stopped moving.

    `history` holds the total of each round, oldest first. They have stopped where all of the newest
    `window` totals are less than `epsilon` points apart from one another; a draft that gets worse
    moves, too. With fewer totals nothing can be said, and the answer is False. Distances that are
    nearer than `TOLERANCE` (of `g2c.critic.provided.types`) are the same.

    `history` is left as it is.

    Raises:
        ValueError: `window` is below 2, or `epsilon` is not above 0, whatever the history.

    >>> is_plateau([35, 51, 63, 68, 70, 71])
    False
    >>> is_plateau([35, 51, 63, 68, 70, 71, 72])
    True
    """
    raise NotImplementedError
