"""24.5 with two running sums: the cheap model's mistakes from below, the strong one's from above.

A threshold cuts the sorted tasks in two. Its wrong answers are the cheap model's before the cut and
the strong one's after it. Both sums are looked up, so every cut can be priced by itself. It costs a
sort, and two lists as long as the tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import isclose, isfinite

from g2c.swarm.core.routing import Labelled, Prices, Route


def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    n = len(tasks)
    if n == 0:
        raise ValueError("There is no task to choose a route on.")
    if any(not 0 <= task.unsure <= 1 for task in tasks):
        raise ValueError("Each unsure is a share, from 0 to 1.")
    if any(not isfinite(p) or p < 0 for p in (prices.cheap, prices.strong, prices.wrong)):
        raise ValueError("Each price is a finite number from 0 on.")
    known = sorted(tasks, key=lambda task: task.unsure)
    cheap_wrong = list(accumulate((not task.cheap_is_right for task in known), initial=0))
    strong_wrong = list(accumulate((not task.strong_is_right for task in known), initial=0))
    best = Route(None, prices.strong + prices.wrong * strong_wrong[n] / n)
    for cut in range(1, n + 1):
        if cut < n and known[cut].unsure == known[cut - 1].unsure:
            continue
        mistakes = cheap_wrong[cut] + strong_wrong[n] - strong_wrong[cut]
        cost = prices.cheap + (prices.strong * (n - cut) + prices.wrong * mistakes) / n
        # Later cuts ask the strong model less often, so they win a tie.
        if cost <= best.cost or isclose(cost, best.cost):
            best = Route(known[cut - 1].unsure, cost)
    return best
