"""How many rounds are worth their price, and three made-up histories of totals.

Each round costs the same, but scores rise fast and then slowly. If costs and missing points have
the same unit, the best number of rounds is arithmetic. The first two rounds do not show whether the
scores will ever reach the bar.
"""

from collections.abc import Sequence

from g2c.critic.core.types import S_MIN


def optimal_rounds(
    expected_scores: Sequence[float],
    cost_per_round: float,
    shortfall_penalty: float,
    s_min: float = S_MIN,
) -> int:
    """The number of rounds r >= 1 with the lowest max(0, s_min - S(r)) * penalty + r * cost.

    `expected_scores` are S(1), S(2), ..., in points from 0 to 100. The penalty is the price of each
    point below `s_min`, in the same unit as the cost. If two numbers are equally good, the lower
    one is returned.

    Raises:
        ValueError: there are no scores, or a price is below 0.

    >>> memo = [48, 62, 71, 78, 82, 84]
    >>> optimal_rounds(memo, cost_per_round=10, shortfall_penalty=1)
    2
    >>> optimal_rounds(memo, cost_per_round=10, shortfall_penalty=5)
    4
    """
    if not expected_scores:
        raise ValueError("There are no expected scores; give one for each round.")
    if cost_per_round < 0 or shortfall_penalty < 0:
        raise ValueError(
            f"Prices are 0 or more, got {cost_per_round} a round and {shortfall_penalty} a point."
        )

    def price(rounds: int) -> float:
        shortfall = max(0.0, s_min - expected_scores[rounds - 1])
        return shortfall * shortfall_penalty + rounds * cost_per_round

    return min(range(1, len(expected_scores) + 1), key=price)


MEMO = (48, 62, 71, 78, 82, 84)
PAPER = (35, 51, 63, 68, 70, 71, 72, 71)
DECK = (42, 55, 58, 64, 69, 73, 76, 79, 81)


def first_gain(totals: Sequence[float]) -> float:
    """The first revision's share of the whole gain from the first total to the best.

    Raises:
        ValueError: there is no gain.

    >>> [round(first_gain(totals), 2) for totals in (MEMO, PAPER, DECK)]
    [0.39, 0.43, 0.33]
    """
    if len(totals) < 2 or max(totals) <= totals[0]:
        raise ValueError(f"No total is above the first: {list(totals)}.")
    return (totals[1] - totals[0]) / (max(totals) - totals[0])
