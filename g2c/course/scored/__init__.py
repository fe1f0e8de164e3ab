"""Exercises with a goal and no given algorithm: a function is measured, and passes from a target
score on.

`goal.py` in an exercise's folder makes the tasks from a seed, so a grader can measure on unseen
tasks, and defines `GOAL`. A score is compared with that of the first version of `g2c break`; the
reference is measured, too.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from g2c.course.manifest import Exercise

SEED_VARIABLE = "G2C_GOAL_SEED"
"""The environment variable with the seed of the tasks that the tests measure on."""

PUBLIC_SEED = 0
"""The seed of the tasks that a student measures on."""


@dataclass(frozen=True)
class Score:
    """How well a function did: `points` of `best`. `lost` has a sentence for each kind of loss, the
    largest first."""

    points: float
    best: float
    lost: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.points:g} of {self.best:g}"


def worst_losses(
    lost: Mapping[str, Sequence[tuple[float, str]]], most: float, shown: int = 5
) -> tuple[str, ...]:
    """A sentence for each kind of loss, the dearest first: what it cost in points, if `most` are
    100, how often it came, and its worst case. `lost` has each case's cost, and a sentence.

    >>> worst_losses({"late": [(1, "By a day."), (2, "By two.")], "early": [(0, "Never.")]}, 10)
    ('30.0 of 100 points: late (2 times). By two.',)
    """
    totals = {kind: 100 * sum(cost for cost, _ in cases) / most for kind, cases in lost.items()}
    return tuple(
        f"{totals[kind]:.1f} of 100 points: {kind} ({len(lost[kind]):,} times). "
        f"{max(lost[kind])[1]}"
        for kind in sorted(totals, key=lambda kind: -totals[kind])
        if totals[kind] > 0
    )[:shown]


Progress = Callable[[float, float], None]
"""Called with the number of finished tasks and of all tasks."""


def no_progress(done: float, of: float) -> None:
    """Shows no progress."""


@dataclass(frozen=True)
class Goal:
    """The goal by which an exercise is judged.

    `measure(function, seed, progress)` gives a function's score on the tasks of that seed; it
    raises what the function raises. `target` is the least score that passes, `unit` what a point
    stands for, in the plural. If measuring takes long, `facts` returns everything that determines
    the score of a function on a seed, and the score is cached; see `g2c.course.scored.kept`.
    `tasks` yields some of a seed's tasks with the right answers, as lines.
    """

    measure: Callable[[Callable[..., Any], int, Progress], Score]
    target: float
    unit: str
    facts: Callable[[Callable[..., Any], int], str] | None = None
    tasks: Callable[[int], Iterator[str]] | None = None

    def score_for_tests(self, function: Callable[..., Any], further: int = 0) -> Score:
        """A function's score on the seed of the tests plus `further`. The second call with the same
        function measures nothing. Raises what the function raises."""
        return _measure_once(self, function, seed_of_tests() + further)


@cache
def _measure_once(goal: Goal, function: Callable[..., Any], seed: int) -> Score:
    return goal.measure(function, seed, no_progress)


def goal_of(exercise: Exercise) -> Goal:
    """The goal of an exercise that has one.

    Raises:
        ValueError: the exercise has no goal.
    """
    if not exercise.has_goal:
        raise ValueError(f"{exercise.id} is judged by its tests alone: g2c check {exercise.id}")
    goal: Goal = exercise.part("goal").GOAL
    return goal


def is_by_model(exercise: Exercise) -> bool:
    """Whether an exercise is measured on a model."""
    return bool(exercise.has_goal and goal_of(exercise).facts)


def seed_of_tests() -> int:
    """The seed that the tests measure with: the public one, unless a grader set another."""
    return int(os.environ.get(SEED_VARIABLE, PUBLIC_SEED))
