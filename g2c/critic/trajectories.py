"""Three worked examples: the total of each round, as a draft was reviewed and revised.

They are made up to be looked at, not measured. The idea to take away: scores rise fast and then
slowly, and whether they reach the bar before they stop is what you cannot see from the first two.
"""

from __future__ import annotations

from collections.abc import Sequence

MEMO = (48, 62, 71, 78, 82, 84)
PAPER = (35, 51, 63, 68, 70, 71, 72, 71)
DECK = (42, 55, 58, 64, 69, 73, 76, 79, 81)


def first_gain(totals: Sequence[float]) -> float:
    """The share that the first revision has of the whole gain, from the first total to the best.

    Raises:
        ValueError: there is no gain to have a share of.

    >>> [round(first_gain(totals), 2) for totals in (MEMO, PAPER, DECK)]
    [0.39, 0.43, 0.33]
    """
    if len(totals) < 2 or max(totals) <= totals[0]:
        raise ValueError(f"No total is above the first: {list(totals)}.")
    return (totals[1] - totals[0]) / (max(totals) - totals[0])
