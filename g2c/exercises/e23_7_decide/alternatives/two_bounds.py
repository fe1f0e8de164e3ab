"""23.7 with two bounds on the lead: enough to name the leader, or too little to pay for more tasks.

The spread of the lead is about the root of the number of wins. A lead of two and a half spreads
names the leader. If even half a spread more would be worth less than five times the price so far,
the answer is "no telling". It computes no chances, so it is quickly written. It costs clarity: the
price of a false alarm is hidden in one of its numbers.
"""

from __future__ import annotations

from math import sqrt

from g2c.evaluation.core.stakes import Counts, Decision


def decide(seen: Counts, left: int, price: float) -> Decision:
    wins = seen.only_a + seen.only_b
    lead = abs(seen.only_a - seen.only_b)
    if wins >= 6 and lead > 2.5 * sqrt(wins):
        return "a" if seen.only_a > seen.only_b else "b"
    hoped_for = 100 * (lead + 0.5 * sqrt(wins + 1)) / (seen.tasks + 5)
    if seen.tasks >= 8 and hoped_for < 5 * price * seen.tasks:
        return "no telling"
    return "go on" if left else "no telling"
