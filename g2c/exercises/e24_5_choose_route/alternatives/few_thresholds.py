"""24.5 with few thresholds: the quartiles of `unsure`, and one of them only if it saves a tenth.

Where there is little to choose from, luck has little to choose from, too. It costs the finer
thresholds that many tasks could support.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from g2c.swarm.core.routing import Labelled, Prices, Route

MARGIN = 0.9


def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    n = len(tasks)
    if n == 0:
        raise ValueError("There is no task to choose a route on.")
    if any(not 0 <= task.unsure <= 1 for task in tasks):
        raise ValueError("Each unsure is a share, from 0 to 1.")
    if any(not isfinite(p) or p < 0 for p in (prices.cheap, prices.strong, prices.wrong)):
        raise ValueError("Each price is a finite number from 0 on.")
    known = sorted(task.unsure for task in tasks)

    def cheapest(*thresholds: float | None) -> Route:
        routes = (Route(each, _mean_cost(tasks, each, prices)) for each in thresholds)
        return min(routes, key=lambda route: route.cost)

    alone = cheapest(known[-1], None)
    both = cheapest(*(known[n * quarter // 4] for quarter in (1, 2, 3)))
    return both if both.cost < MARGIN * alone.cost else alone


def _mean_cost(tasks: Sequence[Labelled], threshold: float | None, prices: Prices) -> float:
    calls = mistakes = 0.0
    for task in tasks:
        is_sure = threshold is not None and task.unsure <= threshold
        calls += 0 if threshold is None else prices.cheap
        calls += 0 if is_sure else prices.strong
        mistakes += not (task.cheap_is_right if is_sure else task.strong_is_right)
    return (calls + prices.wrong * mistakes) / len(tasks)
