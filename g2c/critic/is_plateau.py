"""When to end a review that no longer earns what it costs.

Another round costs money, and nobody knows what it will bring. The idea to take away: when to stop
is a bet on rounds that were not made, and the totals so far are noisy evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.core.types import ROUND_PRICE
from g2c.exercise import exercise


@exercise("21.4")
def is_plateau(history: Sequence[float], price: float = ROUND_PRICE) -> bool:
    """Decide after a round whether the review ends here.

    `history` holds the total of each round so far, from 0 to 100, oldest first. A total is what the
    reviewers gave: near what the draft is worth, and not the same. `price` is what a round costs,
    in points. A review that ends hands back the draft with the highest total.

    The score counts what that draft is worth above the first draft, less `price` for each round
    after the first. `g2c score 21.4` measures 1,200 invented reviews of at most 12 rounds; a grader
    uses others.

    `history` is left as it is.

    >>> is_plateau([35, 51, 63])
    False
    >>> is_plateau([70, 71, 70, 71, 70, 71, 70, 71])
    True
    """
    raise NotImplementedError
