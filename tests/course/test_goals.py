"""The goals: on tasks of any seed the reference reaches the target, and the first version stays far
below it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from g2c.course.goals import PUBLIC_SEED, Score, goal_of, no_progress
from g2c.course.manifest import Exercise, load_exercises
from g2c.memory.provided.terms import split_words

GOALS = [exercise for exercise in load_exercises() if exercise.goal]
SEEDS = (PUBLIC_SEED, 1, 77, 2_026)

each_goal = pytest.mark.parametrize("exercise", GOALS, ids=attrgetter("id"))
each_seed = pytest.mark.parametrize("seed", SEEDS)


def function_in(module: str, exercise: Exercise) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module(module), exercise.function)
    return function


@cache
def scored(exercise: Exercise, by: str, seed: int) -> Score:
    module = {
        "reference": exercise.solution_file.removesuffix(".py").replace("/", "."),
        "first version": f"g2c.course.naive.{Path(exercise.file).stem}",
    }[by]
    return goal_of(exercise).measure(function_in(module, exercise), seed, no_progress)


@each_goal
@each_seed
def test_the_reference_reaches_the_target(exercise: Exercise, seed: int) -> None:
    goal, found = goal_of(exercise), scored(exercise, "reference", seed)
    assert found.points >= goal.target, (
        f"{exercise.id}, seed {seed}: {found}, and the target is {goal.target:g}"
    )


@each_goal
@each_seed
def test_the_first_version_stays_far_below(exercise: Exercise, seed: int) -> None:
    goal, found = goal_of(exercise), scored(exercise, "first version", seed)
    assert found.points < 0.7 * goal.target, (
        f"{exercise.id}, seed {seed}: {found} is near the target of {goal.target:g}"
    )


@each_goal
def test_a_score_says_where_it_loses_in_at_most_five_sentences(exercise: Exercise) -> None:
    lost = scored(exercise, "first version", PUBLIC_SEED).lost
    assert 0 < len(lost) <= 5 and all(one.endswith(".") for one in lost), lost


@each_goal
def test_the_same_seed_gives_the_same_score_and_another_another(exercise: Exercise) -> None:
    first, other = (scored(exercise, "reference", seed) for seed in SEEDS[:2])
    scored.cache_clear()
    assert scored(exercise, "reference", SEEDS[0]) == first
    assert first.lost != other.lost, "the tasks should differ"


class TestWorth:
    """20.9: a month that is known by heart is worth nothing to a grader."""

    def test_the_public_seed_uses_a_part_of_the_words(self) -> None:
        from g2c.course.goals.month import make_months

        def words(seed: int) -> set[str]:
            turns = [turn for month in make_months(seed, 24) for turn in month.turns]
            return {word for turn in turns for word in split_words(turn.content)}

        public, other = words(PUBLIC_SEED), words(1)
        assert public < other, "the public seed has words of its own"
        assert len(other - public) > 100, "a grader's seed has words that nobody could learn"

    def test_the_best_choice_is_beyond_what_any_policy_can_know(self) -> None:
        from g2c.course.goals.month import make_months
        from g2c.course.goals.worth import BUDGET, best_of, measure_month

        for month in make_months(PUBLIC_SEED, 4):
            asked = sorted(month.questions, key=attrgetter("times"), reverse=True)[:BUDGET]
            claims = month.claims.items()
            kept = [
                max(n for n, c in claims if (c.matter, c.value) == (one.matter, one.value))
                for one in asked
            ]
            assert measure_month(month, kept) == best_of(month)

    @pytest.mark.parametrize(
        ("kept", "says"),
        [
            (None, "gave None"),
            ([0.0], "gave [0.0]"),
            ([True], "gave [True]"),
            ([10_000], "there is no turn 10000"),
            ([-1], "there is no turn -1"),
            ([0, 0], "a turn twice"),
        ],
    )
    def test_a_choice_that_breaks_the_contract_is_a_sentence(self, kept: Any, says: str) -> None:
        goal = goal_of(next(one for one in GOALS if one.id == "20.9"))
        found = goal.measure(lambda turns, budget: kept, PUBLIC_SEED, no_progress)
        assert found.points == 0 and says in found.lost[0]
