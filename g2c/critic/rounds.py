"""How many rounds are worth their price, where the scores to come can be guessed.

The idea to take away: another round has a price whether or not it helps. Once both are in one
currency, the number of rounds is arithmetic, and "until it is perfect" is the wrong answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.convergence import S_MIN


def optimal_rounds(
    expected_scores: Sequence[float],
    cost_per_round: float,
    shortfall_penalty: float,
    s_min: float = S_MIN,
) -> int:
    """The number of rounds r, from 1 on, with the lowest max(0, s_min - S(r)) * penalty + r * cost.

    `expected_scores` has S(r) for r = 1, 2, ..., in points of 0 to 100; the penalty is the price of
    a point that is missing to `s_min`, in the same unit as the cost. Of equals, the fewer rounds.

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
