"""Routes on tasks that nobody has seen: whether `choose_route` (24.5) chooses well from few tasks.

Two models and their prices are drawn, and some tasks on which both are known. The route that is
chosen on these is then charged what it costs on average on all tasks of these models. That is known
exactly, since the models are invented.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import exp, log
from random import Random
from typing import Any

from g2c.course.scored import Goal, Progress, Score, worst_losses
from g2c.swarm.core.routing import Labelled, Prices, Route

SIZES = (10, 20, 40)
"""The numbers of tasks that are shown."""
OF_EACH = 10
LEVELS = (5, 10, 20)
"""`unsure` is one of so many steps from 0 to 1, as if so many samples had been compared."""
SLOPES = (0, 0, 2, 4, 8)
"""How much `unsure` says: with 0, it is noise."""
STRONG, WRONG = (3, 6, 12), (40, 120)
"""The prices of a strong call and of a wrong answer; a cheap call costs 1."""

TARGET = 13.0


@dataclass(frozen=True)
class Models:
    """Two invented models, their prices, and the tasks that are shown.

    `cheap` is the chance that the cheap model is right, for each step of `unsure`, which are all
    equally frequent; `strong` is that of the strong one.
    """

    shown: tuple[Labelled, ...]
    prices: Prices
    cheap: tuple[float, ...]
    strong: float
    says: bool
    """Whether `unsure` says anything."""

    def cost(self, threshold: float | None) -> float:
        """The mean cost of a task by that route, on all tasks, in strong calls."""
        prices, both = self.prices, self.prices.strong + self.prices.wrong * (1 - self.strong)
        if threshold is None:
            return both / self.prices.strong
        top = len(self.cheap) - 1
        costs = (
            prices.cheap + (both if step / top > threshold else prices.wrong * (1 - right))
            for step, right in enumerate(self.cheap)
        )
        return sum(costs) / len(self.cheap) / self.prices.strong

    @property
    def best(self) -> float:
        """The lowest cost of any route."""
        top = len(self.cheap) - 1
        return min(map(self.cost, (None, *(step / top for step in range(top + 1)))))

    @property
    def alone(self) -> float:
        """The cost of that one of the two models that costs less on the shown tasks."""
        wrong = self.prices.wrong
        cheap = self.prices.cheap + wrong * _share(not task.cheap_is_right for task in self.shown)
        strong = self.prices.strong + wrong * _share(
            not task.strong_is_right for task in self.shown
        )
        top = max(task.unsure for task in self.shown)
        return self.cost(top if cheap <= strong else None)


def _share(values: Iterator[bool]) -> float:
    found = list(values)
    return sum(found) / len(found)


@cache
def make_models(seed: int) -> tuple[Models, ...]:
    """The pairs of models of a seed, as many for each size, slope, step and price."""
    random = Random(seed)
    kinds = list(product(SIZES, SLOPES, LEVELS, STRONG, WRONG)) * OF_EACH
    return tuple(_invent(random, *kind) for kind in kinds)


def _invent(
    random: Random, size: int, slope: float, top: int, price: float, wrong: float
) -> Models:
    middle, right = random.uniform(0.2, 0.9), random.uniform(0.5, 0.9)
    strong, odds = random.uniform(0.8, 0.98), log(right / (1 - right))
    cheap = [1 / (1 + exp(slope * (step / top - middle) - odds)) for step in range(top + 1)]
    steps = [random.randint(0, top) for _ in range(size)]
    shown = [
        Labelled(step / top, random.random() < cheap[step], random.random() < strong)
        for step in steps
    ]
    return Models(tuple(shown), Prices(1, price, wrong), tuple(cheap), strong, slope > 0)


def measure(choose_route: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The saving of the chosen routes on unseen tasks, in per cent of the largest possible one. The
    better of the two models alone saves nothing, and a route that costs more loses points. So does
    an answer that is not a route; it is charged as the dearest one.

    Raises:
        Exception: what `choose_route` raises.
    """
    models = make_models(seed)
    saved = most = 0.0
    lost: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for number, pair in enumerate(models, 1):
        progress(number - 1, len(models))
        route = choose_route(list(pair.shown), pair.prices)
        cost = pair.cost(route.threshold) if _is_route(route, pair) else _dearest(pair)
        saved += pair.alone - cost
        most += pair.alone - pair.best
        says = "unsure says something" if pair.says else "unsure is noise"
        kind = f"{len(pair.shown)} tasks, and {says}"
        lost[kind].append((cost - pair.best, _describe(number, pair, route, cost)))
    progress(len(models), len(models))
    return Score(round(100 * saved / most, 1), 100, worst_losses(lost, most))


def _is_route(route: object, pair: Models) -> bool:
    known = {None, *(task.unsure for task in pair.shown)}
    return isinstance(route, Route) and route.threshold in known


def _dearest(pair: Models) -> float:
    return max(map(pair.cost, (None, *(task.unsure for task in pair.shown))))


def _describe(number: int, pair: Models, route: object, cost: float) -> str:
    prices = f"{pair.prices.cheap:g}, {pair.prices.strong:g} and {pair.prices.wrong:g}"
    if not isinstance(route, Route):
        return f"Pair {number}: {route!r:.60} is not a route."
    threshold = "none" if route.threshold is None else f"{route.threshold:g}"
    return (
        f"Pair {number}, prices {prices}: with the threshold {threshold} a task costs "
        f"{route.cost:.2f} by your word, and others cost {cost * pair.prices.strong:.2f}; the best "
        f"route costs {pair.best * pair.prices.strong:.2f}."
    )


def tasks(seed: int) -> Iterator[str]:
    """Some pairs of models: the prices, what is shown of the tasks, and the best route."""
    models = make_models(seed)
    yield from map(_line, models[:: len(models) // 30])


def _line(pair: Models) -> str:
    shown: Sequence[Labelled] = sorted(pair.shown, key=lambda task: task.unsure)
    marks = " ".join(
        f"{task.unsure:.2f}{'+' if task.cheap_is_right else '-'}"
        f"{'+' if task.strong_is_right else '-'}"
        for task in shown
    )
    prices = f"{pair.prices.cheap:g}, {pair.prices.strong:g}, {pair.prices.wrong:g}"
    top = len(pair.cheap) - 1
    best = min((None, *(step / top for step in range(top + 1))), key=pair.cost)
    named = "the strong model at once" if best is None else f"a threshold of {best:.2f}"
    return f"prices {prices}: {marks}; best: {named}"


GOAL = Goal(measure, TARGET, "per cent of what a route could save", tasks=tasks)
