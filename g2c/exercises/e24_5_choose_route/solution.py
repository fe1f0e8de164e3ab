"""24.5: the cheapest route, if it saves more than its luck; otherwise one of the two models alone.

Of many thresholds one looks cheap by chance, most of all on few tasks. A model alone is chosen from
two, so it was hardly lucky. The saving of the cheapest route over it is a mean of differences, one
for each task, and has a standard error. A saving below that is noise. The costs of all routes come
from two counts that change by one task at a time, after a sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import inf, sqrt
from statistics import fmean, pstdev

from g2c.swarm.core.routing import Labelled, Prices, Route


def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    if not tasks:
        raise ValueError("A route is chosen on tasks, one or more.")
    if not all(0 <= task.unsure <= 1 for task in tasks):
        raise ValueError("How unsure the cheap model was is from 0 to 1.")
    if not all(0 <= price < inf for price in (prices.cheap, prices.strong, prices.wrong)):
        raise ValueError(f"A price is 0 or more, and finite; got {prices}.")
    routes = _all_routes(tasks, prices)
    alone, best = min(routes[0], routes[-1], key=_cost), min(routes, key=_cost)
    saved = [
        _cost_of(known, alone.threshold, prices) - _cost_of(known, best.threshold, prices)
        for known in tasks
    ]
    is_luck = fmean(saved) <= pstdev(saved) / sqrt(len(tasks))
    return alone if is_luck else best


def _all_routes(tasks: Sequence[Labelled], prices: Prices) -> list[Route]:
    """The strong model alone, then each threshold; the last one is the cheap model alone."""
    asked, wrong = len(tasks), sum(not task.strong_is_right for task in tasks)
    routes = [Route(None, prices.strong + prices.wrong * wrong / len(tasks))]
    for unsure, group in groupby(sorted(tasks, key=_unsure), _unsure):
        for task in group:
            asked -= 1
            wrong += task.strong_is_right - task.cheap_is_right
        second = (prices.strong * asked + prices.wrong * wrong) / len(tasks)
        routes.append(Route(unsure, prices.cheap + second))
    return routes


def _cost_of(task: Labelled, threshold: float | None, prices: Prices) -> float:
    if threshold is not None and task.unsure <= threshold:
        return prices.cheap + prices.wrong * (not task.cheap_is_right)
    first = 0 if threshold is None else prices.cheap
    return first + prices.strong + prices.wrong * (not task.strong_is_right)


def _cost(route: Route) -> float:
    return route.cost


def _unsure(task: Labelled) -> float:
    return task.unsure
