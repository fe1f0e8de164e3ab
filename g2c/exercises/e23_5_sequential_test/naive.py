"""Compare two equals in 1,000 invented runs of 200 tasks that only one of them solves, and look at
the result after each task."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from pathlib import Path
from random import Random

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.evaluation.core.pairs import Better, Solved

QUESTION = "Each look alone errs once in twenty. How many looks does a run have?"


@cache
def chance_of(low: int, of: int) -> float:
    """The chance that a coin, thrown `of` times, shows one of its sides `low` times or less."""
    chance: float = 2 * sum(comb(of, n) for n in range(low + 1)) / 2**of
    return min(1.0, chance)


def sequential_test(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    won, lost = pairs.count((True, False)), pairs.count((False, True))
    if chance_of(min(won, lost), won + lost) < alpha:
        return "a" if won > lost else "b"
    return None


RUNS, LOOKS = 1000, 200


def first_look(run: Sequence[Solved], every: int) -> int | None:
    """The task after which somebody who looks every `every` tasks sees a winner; None: never."""
    looks = range(every, len(run) + 1, every)
    return next((n for n in looks if sequential_test(run[:n])), None)


def show(folder: Path) -> Seen:
    random = Random(0)
    coins = [[random.random() < 0.5 for _ in range(LOOKS)] for _ in range(RUNS)]
    runs = [[(heads, not heads) for heads in run] for run in coins]
    for every, called in ((LOOKS, "once, at the end"), (20, "after every 20 tasks")):
        found = sum(first_look(run, every) is not None for run in runs)
        yield f"looked {called}", f"{found} of {RUNS:,} runs have a winner"
    run = next(run for run in runs if (first_look(run, 1) or 0) > 60)
    at = first_look(run, 1) or 0
    won, whole = run[:at].count((True, False)), run.count((True, False))
    yield "one of the runs", f"p < 0.05 after task {at}, at {won} to {at - won}: stopped"
    yield "the same, not stopped", f"{whole} to {LOOKS - whole} after {LOOKS} tasks"
    found = sum(first_look(run, 1) is not None for run in runs)
    yield RESULT, f"looked after each task: {found} of {RUNS:,} runs of equals have a winner"
    yield WANTED, f"at most 5 in 100, so about {RUNS // 20} of {RUNS:,}"
