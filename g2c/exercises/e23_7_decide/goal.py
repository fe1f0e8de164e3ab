"""The goal of 23.7: when to end a comparison and what to say, scored by the cost.

The comparisons are invented, so it is known which of the two is better. Two agents differ in one
hidden way, a line of a prompt or a tool's description, and half of the time that changes nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product
from math import exp
from random import Random
from statistics import NormalDist, fmean
from typing import Any, get_args

from g2c.course.scored import Goal, Progress, Score, worst_losses
from g2c.evaluation.core.pairs import Solved
from g2c.evaluation.core.stakes import FALSE_ALARM, Counts, Decision

PRICES = (0.01, 0.03, 0.1)
"""The possible prices of a task, in points."""
MAX_TASKS = (50, 150, 400)
"""The possible numbers of tasks."""
PER_KIND = 134
"""Comparisons for each price and number of tasks, half of them between equals."""
EFFECTS = (0.25, 2.5)
"""The least and the largest effect where there is one, in log-odds of solving a task."""

TARGET = 37.0
SHOWN_EVERY = 43
"""An odd number, since every second comparison is between equals."""
NO_DECISION = "an answer that is not a decision"
_HARD = [NormalDist().inv_cdf((n + 0.5) / 100) for n in range(100)]
"""The difficulties of tasks around a comparison's mean: the middles of a hundred equal
quantiles."""


@dataclass(frozen=True)
class Invented:
    """A comparison with all its tasks.

    `gain` is how many more of 100 tasks B solves than A; 0 if they are equals.
    """

    price: float
    gain: float
    pairs: tuple[Solved, ...]

    @property
    def right(self) -> Decision:
        """The right answer."""
        return "no telling" if self.gain == 0 else "b" if self.gain > 0 else "a"

    def cost(self, decision: Decision, tasks: int) -> float:
        """The cost of this answer after so many tasks, in points."""
        cost = self.price * tasks
        if decision != self.right:
            cost += abs(self.gain) + FALSE_ALARM * (decision != "no telling")
        return cost


@cache
def make_comparisons(seed: int) -> tuple[Invented, ...]:
    """The comparisons of a seed. Each seed has as many of each price and number of tasks."""
    random = Random(seed)
    kinds = product(PRICES, MAX_TASKS, range(PER_KIND))
    return tuple(_invent(random, price, most, n % 2 == 0) for price, most, n in kinds)


def _invent(random: Random, price: float, most: int, are_equals: bool) -> Invented:
    low, high = EFFECTS
    size = low * (high / low) ** random.random() * random.choice((-1, 1))
    effect = 0.0 if are_equals else size
    middle, spread = random.gauss(0, 1.2), random.uniform(0.3, 2.5)
    alike = random.uniform(0, 0.9)

    def play() -> Solved:
        ease = random.gauss(middle, spread)
        luck = random.random()
        other = luck if random.random() < alike else random.random()
        return luck < _share(ease), other < _share(ease + effect)

    gain = fmean(
        _share(middle + spread * hard + effect) - _share(middle + spread * hard) for hard in _HARD
    )
    return Invented(price, 100 * gain, tuple(play() for _ in range(most)))


def _share(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))


def tallies(pairs: Sequence[Solved]) -> Iterator[Counts]:
    """The counts before the first task, and after each."""

    def count(seen: Counts, pair: Solved) -> Counts:
        a, b = pair
        return Counts(
            seen.only_a + (a and not b), seen.only_b + (b and not a), seen.same + (a == b)
        )

    return accumulate(pairs, count, initial=Counts())


def measure(decide: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The cost that `decide` saves, in per cent of the cost of ending each comparison at once with
    "no telling".

    An answer that is not a decision costs as much as a false alarm.

    Raises:
        Exception: what `decide` raises.
    """
    cases = make_comparisons(seed)
    known = sum(abs(case.gain) for case in cases)
    lost: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for number, case in enumerate(cases, 1):
        progress(number - 1, len(cases))
        decision, seen = _end_of(decide, case)
        told = (
            f"Comparison {number}, at {case.price:g} a task, {_tally_text(seen)}, "
            f"ended with {decision!r}"
        )
        if decision not in get_args(Decision):
            lost[NO_DECISION].append((FALSE_ALARM, f"{told:.200}."))
            continue
        paid = case.price * seen.tasks
        lost["paid for tasks"].append((paid, f"{told}, for {paid:.1f} points."))
        if decision != case.right:
            lost[_mistake(decision, case)].append(
                (case.cost(decision, seen.tasks) - paid, f"{told}; {_truth(case)}.")
            )
    progress(len(cases), len(cases))
    cost = sum(points for mistakes in lost.values() for points, _ in mistakes)
    return Score(round(100 * (known - cost) / known, 1), 100, worst_losses(lost, known))


def _end_of(decide: Callable[..., Any], case: Invented) -> tuple[Any, Counts]:
    """The final answer, and the counts by then."""
    most = len(case.pairs)
    seen = Counts()
    for seen in tallies(case.pairs):
        decision = decide(seen, most - seen.tasks, case.price)
        if decision != "go on":
            return decision, seen
    return "no telling", seen


def _mistake(decision: Decision, case: Invented) -> str:
    if decision == "no telling":
        return "a difference that was missed"
    return "equals, and one was named" if case.gain == 0 else "the worse one was named"


def _tally_text(seen: Counts) -> str:
    return f"with {seen.only_a} to {seen.only_b} after {seen.tasks} tasks"


def _truth(case: Invented) -> str:
    if case.gain == 0:
        return "they were equals"
    return f"{case.right.upper()} was better by {abs(case.gain):.0f} points"


def tasks(seed: int) -> Iterator[str]:
    """Some comparisons, in any order: the counts as they go on, and below them who is better."""
    shown = list(make_comparisons(seed)[::SHOWN_EVERY])
    Random(seed).shuffle(shown)
    for case in shown:
        seen = list(tallies(case.pairs))
        yield f"A task costs {case.price:g}, and there are {len(case.pairs)}."
        for number in (5, 10, 20, 40, 80, 160, 400):
            if number < len(seen):
                one = seen[number]
                yield f"    after {number:3}: A {one.only_a:3}, B {one.only_b:3}, same {one.same:3}"
        yield f"    {_truth(case)}"


GOAL = Goal(measure, TARGET, "per cent of the cost of not looking", tasks=tasks)
