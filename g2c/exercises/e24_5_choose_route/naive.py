"""Ask a cheap model first, and the strong one where the cheap one is too unsure: twenty tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.swarm.core.routing import Labelled, Prices, Route

QUESTION = "Who pays for the first call when the second one is made anyway?"


def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    best, most = 0.0, -1
    for candidate in [task.unsure for task in tasks]:
        right = 0
        for task in tasks:
            is_right = task.strong_is_right if task.unsure > candidate else task.cheap_is_right
            right += is_right
        if right > most:
            best, most = candidate, right
    second = sum(task.unsure > best for task in tasks)
    return Route(best, (prices.cheap * (len(tasks) - second) + prices.strong * second) / len(tasks))


PRICES = Prices(cheap=2, strong=5, wrong=10)
TASKS = (
    *(Labelled(0.2, True, True) for _ in range(4)),
    *(Labelled(0.6, True, True) for _ in range(8)),
    *(Labelled(0.8, False, True) for _ in range(8)),
)


def show(folder: Path) -> Seen:
    found = choose_route(TASKS, PRICES)
    assert found.threshold is not None
    second = [task for task in TASKS if task.unsure > found.threshold]
    paid = PRICES.cheap + PRICES.strong * len(second) / len(TASKS)
    yield "prices", f"{PRICES.cheap:g} for the cheap, {PRICES.strong:g} for the strong model"
    yield "its route", f"the strong model is asked too, if unsure is above {found.threshold:g}"
    yield "second calls", f"{len(second)} of {len(TASKS)}, each after a call of the cheap one"
    yield "it says", f"{found.cost:.2f} a task"
    yield RESULT, f"{paid:.2f} a task, since both calls are paid"
    yield WANTED, "4.00 a task, with a threshold of 0.6, or 5.00 with the strong model at once"
