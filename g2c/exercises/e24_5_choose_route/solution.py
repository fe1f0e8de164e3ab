"""24.5: sort by how unsure, and move the threshold up one group of equal ones at a time.

A step changes little: the group's strong calls are saved, and its right answers are now
the cheap model's. Calls and wrong answers are counted in whole numbers, so a cost does not depend
on the order in which it was added up. To ask both every time is not a candidate: it has the answers
of the strong model alone, for a call more. It costs a sort, n log n.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import inf, isclose

from g2c.swarm.core.routing import Labelled, Prices, Route


def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    if not tasks:
        raise ValueError("A route is chosen on tasks, one or more.")
    if not all(0 <= task.unsure <= 1 for task in tasks):
        raise ValueError("How unsure the cheap model was is from 0 to 1.")
    if not all(0 <= price < inf for price in (prices.cheap, prices.strong, prices.wrong)):
        raise ValueError(f"A price is 0 or more, and finite; got {prices}.")

    def route(threshold: float | None, cheap: int, strong: int, wrong: int) -> tuple[int, Route]:
        cost = prices.cheap * cheap + prices.strong * strong + prices.wrong * wrong
        return strong, Route(threshold, cost / len(tasks))

    asked, wrong = len(tasks), sum(not task.strong_is_right for task in tasks)
    routes = [route(None, 0, asked, wrong)]
    for unsure, group in groupby(sorted(tasks, key=_unsure), _unsure):
        for task in group:
            asked -= 1
            wrong += task.strong_is_right - task.cheap_is_right
        routes.append(route(unsure, len(tasks), asked, wrong))
    lowest = min(route.cost for _, route in routes)
    _, best = min(
        (best for best in routes if isclose(best[1].cost, lowest)), key=lambda route: route[0]
    )
    return best


def _unsure(task: Labelled) -> float:
    return task.unsure
