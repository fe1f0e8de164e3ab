"""23.7 with two bounds on the lead: one is enough, or the other can no longer pay.

The lead of the wins has a spread, about the root of their number. A lead of two and a half spreads
names the leader. Where even half a spread more than there is would be worth less than what was paid
so far, several times over, nobody can tell. It knows nothing of chances, so it is quickly written.
It costs what the false alarm's price is good for, which is hidden in one of its numbers.
"""

from __future__ import annotations

from math import sqrt

from g2c.evaluation.provided.stakes import Counts, Decision


def decide(seen: Counts, left: int, price: float) -> Decision:
    wins = seen.only_a + seen.only_b
    lead = abs(seen.only_a - seen.only_b)
    if wins >= 6 and lead > 2.5 * sqrt(wins):
        return "a" if seen.only_a > seen.only_b else "b"
    hoped_for = 100 * (lead + 0.5 * sqrt(wins + 1)) / (seen.tasks + 5)
    if seen.tasks >= 8 and hoped_for < 5 * price * seen.tasks:
        return "no telling"
    return "go on" if left else "no telling"
