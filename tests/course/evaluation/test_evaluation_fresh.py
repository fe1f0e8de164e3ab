"""A fresh suite: as many tasks of each family, none of them the fixed suite's, and all solvable."""

import re
from collections import Counter

import pytest
from suite_scripts import play, scripted, wrong_answer

from g2c.suite.suite import FAMILIES, fingerprint, load_suite
from g2c.suite.tasks import SuiteTask
from g2c.suite.vocabulary import is_held_out

pytestmark = pytest.mark.slow


SEEDS = ("1", "2026", "a seed of words")
FRESH = {seed: load_suite(seed=seed) for seed in SEEDS}


def asked(task: SuiteTask) -> str:
    """All that a model is told: what sets two tasks of a family apart."""
    return repr({name: value for name, value in vars(task).items() if name != "id"})


def test_a_fresh_suite_has_the_shape_of_the_fixed_one() -> None:
    fixed = load_suite()
    for seed, fresh in FRESH.items():
        assert Counter(task.family for task in fresh) == Counter(task.family for task in fixed)
        assert Counter(map(type, fresh)) == Counter(map(type, fixed)), seed
        assert {task.id for task in fresh} == {task.id for task in fixed}


def test_a_seed_gives_one_suite_and_another_seed_another() -> None:
    prints = {fingerprint(load_suite()), *map(fingerprint, FRESH.values())}
    assert len(prints) == 1 + len(SEEDS)
    assert load_suite(seed=SEEDS[0]) == FRESH[SEEDS[0]]
    of_one = load_suite(["recovery"], seed=SEEDS[0])
    whole = [task for task in FRESH[SEEDS[0]] if task.family == "recovery"]
    assert list(of_one) == whole, "a family must not depend on the others"


@pytest.mark.parametrize("family", FAMILIES)
def test_hardly_a_task_is_in_two_suites(family: str) -> None:
    suites = [load_suite([family]), *(load_suite([family], seed=seed) for seed in SEEDS)]
    everything = [
        asked(task) for suite in suites for task in {asked(task): task for task in suite}.values()
    ]
    seen = Counter(everything)
    twice = [task for task, count in seen.items() if count > 1]
    assert len(twice) <= len(everything) / 4, (
        f"{len(twice)} of {len(everything)} tasks: {twice[:3]}"
    )


def test_the_phrasings_are_drawn_too() -> None:
    def shapes(tasks: tuple[SuiteTask, ...]) -> set[str]:
        return {re.sub(r"\d+|[A-Z]\w+|\w+\.txt", "_", task.question) for task in tasks}

    fixed = shapes(load_suite())
    for seed, fresh in FRESH.items():
        new = shapes(fresh) - fixed
        assert len(new) > len(fixed) / 3, f"{seed} asks as the fixed suite does"


@pytest.mark.parametrize("seed", SEEDS)
def test_every_fresh_task_can_be_solved_and_not_by_a_wrong_answer(seed: str) -> None:
    for task in FRESH[seed]:
        outcome = play(task, scripted(task))
        assert outcome.verdict.success, f"{task} cannot be solved: {outcome.verdict.why}"
        wrong = wrong_answer(task)
        assert not play(task, scripted(task, wrong)).verdict.success, f"{wrong!r} solves {task}"


def test_fresh_numbers_are_held_out_from_training() -> None:
    for seed in map(str, range(20)):
        for task in load_suite(["arithmetic", "word_problem", "read_compute"], seed=seed):
            numbers = map(int, re.findall(r"\d+", task.question))
            assert all(is_held_out(n) or n < 10 for n in numbers), f"training may have seen {task}"
