"""23.6: count the ways to draw k tries, and those without a success or without a failure.

Any k of the tries are as good as any others, so their share is right on average. Pass@k is of Chen
et al. (2021), pass^k of Yao et al. (2024). The counts are Python's unbounded integers; only their
quotient becomes a float.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from statistics import fmean

from g2c.evaluation.core.rates import PassRates


def pass_rates(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    if not tries:
        raise ValueError("A rate needs a task, one or more.")
    fewest = min(map(len, tries))
    if not 1 <= k <= fewest:
        raise ValueError(f"k is from 1 to the fewest tries of a task, {fewest}; got {k!r}.")
    once, every = [], []
    for outcomes in tries:
        solved = sum(outcomes)
        draws = comb(len(outcomes), k)
        once.append(1 - comb(len(outcomes) - solved, k) / draws)
        every.append(comb(solved, k) / draws)
    return PassRates(fmean(once), fmean(every))
