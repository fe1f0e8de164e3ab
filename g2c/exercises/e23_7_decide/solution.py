"""23.7: end when the smaller of two risks is less than the cost of as many tasks again.

To name the leader risks a false alarm, and to say "no telling" risks missing the apparent
difference. The chance of a difference follows from the fortune of 23.5: a difference and no
difference are equally likely beforehand, and the fortune is the odds now. The apparent difference
is shrunk, since the lead after a few tasks is mostly luck.

The number was found by measuring, on other seeds than the public one.
"""

from __future__ import annotations

from math import exp, lgamma, log

from g2c.evaluation.core.stakes import FALSE_ALARM, Counts, Decision

_FEW = 10
"""This many tasks show little: the smallest step, and the number of tasks without a difference that
are added to those seen."""


def decide(seen: Counts, left: int, price: float) -> Decision:
    leader: Decision = "a" if seen.only_a > seen.only_b else "b"
    likely = _chance_of_difference(seen.only_a, seen.only_b)
    lead = abs(seen.only_a - seen.only_b) + 0.5
    to_name = (1 - likely) * FALSE_ALARM
    to_pass = likely * 100 * lead / (seen.tasks + _FEW)
    next_step = price * max(_FEW, seen.tasks)
    if left and min(to_name, to_pass) > next_step:
        return "go on"
    return leader if to_name < to_pass else "no telling"


def _chance_of_difference(won: int, lost: int) -> float:
    wins = won + lost
    orders = lgamma(wins + 1) - lgamma(won + 1) - lgamma(lost + 1)
    fortune = wins * log(2) - log(wins + 1) - orders
    return 1 / (1 + exp(-fortune))
