"""How good rules for 23.5 and 23.7 are: tasks until one names the better, and scores on each seed.

python maintain/benchmarks/stopping.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import comb
from random import Random
from statistics import median

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.course.scored import no_progress
from g2c.evaluation.core.stakes import Counts, Decision
from g2c.evaluation.decide import decide
from g2c.evaluation.sequential_test import sequential_test
from g2c.exercises.e23_7_decide.goal import measure
from g2c.exercises.e23_7_decide.naive import decide as first_version

RUNS = 200
MOST = 1_000
SEEDS = range(12)
FIXED = 40


def tasks_until_named(share: float, random: Random) -> int:
    """The number of tasks until one is named. The two differ on each task; B wins `share`."""
    run: list[tuple[bool, bool]] = []
    while len(run) < MOST:
        b = random.random() < share
        run.append((not b, b))
        if sequential_test(run):
            break
    return len(run)


def one_look(seen: Counts, left: int, price: float) -> Decision:
    """Forty tasks, and then one sign test."""
    if seen.tasks < FIXED and left:
        return "go on"
    n, most = seen.only_a + seen.only_b, max(seen.only_a, seen.only_b)
    p = 2 * sum(comb(n, k) for k in range(most, n + 1)) / 2**n
    if p >= 0.05:
        return "no telling"
    return "a" if seen.only_a > seen.only_b else "b"


def main() -> None:
    print_heading(
        f"Tasks on which two differ until sequential_test has a name: the median of {RUNS} runs."
    )
    random = Random(0)
    rows = [
        [f"B wins {share:.0%}", median(tasks_until_named(share, random) for _ in range(RUNS))]
        for share in (0.9, 0.75, 0.6)
    ]
    print_table(["", "tasks"], rows)
    print(f"\nWhat a rule for 23.7 saves, in per cent, on seeds {SEEDS[0]} to {SEEDS[-1]}.\n")
    rules: dict[str, Callable[..., Decision]] = {
        "reference": decide,
        "forty tasks, one look": one_look,
        "first version": first_version,
    }
    table = []
    for name, rule in rules.items():
        points = [measure(rule, seed, no_progress).points for seed in SEEDS]
        table.append([name, f"{min(points):.1f}", f"{max(points):.1f}"])
    print_table(["", "least", "most"], table)


if __name__ == "__main__":
    main()
