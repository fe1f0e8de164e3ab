"""23.6 by drawing one try after the other, as from a hat, and never putting one back.

It multiplies the chance that the first is a failure by the chance that the second is one among
those that are left, and so on. Chen et al. compute it like this, since no number gets large. It
needs no combinations. It costs k steps for each task instead of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from statistics import fmean

from g2c.evaluation.core.rates import PassRates


def pass_rates(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    if not tries or k < 1 or any(len(outcomes) < k for outcomes in tries):
        raise ValueError(f"There are tasks, each with k tries or more, and k is 1 or more: {k!r}.")

    def all_drawn_are(wanted: bool, outcomes: Sequence[bool]) -> float:
        there, left = sum(outcome is wanted for outcome in outcomes), len(outcomes)
        return prod(max(0, there - drawn) / (left - drawn) for drawn in range(k))

    return PassRates(
        once=fmean(1 - all_drawn_are(False, outcomes) for outcomes in tries),
        every=fmean(all_drawn_are(True, outcomes) for outcomes in tries),
    )
