"""End invented comparisons after ten tasks, and name the one that is ahead."""

from __future__ import annotations

from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.evaluation.core.stakes import FALSE_ALARM, Counts, Decision
from g2c.exercises.e23_7_decide.goal import GOAL, make_comparisons, measure, tallies

QUESTION = "What does it cost to ask one task more, and what does it cost to be wrong?"


def decide(seen: Counts, left: int, price: float) -> Decision:
    if seen.tasks < 10:
        return "go on"
    if seen.only_a == seen.only_b:
        return "no telling"
    return "a" if seen.only_a > seen.only_b else "b"


def show(folder: Path) -> Seen:
    cases = make_comparisons(PUBLIC_SEED)
    said = [
        decide(list(tallies(case.pairs))[10], len(case.pairs) - 10, case.price) for case in cases
    ]
    equals = [answer for answer, case in zip(said, cases, strict=True) if case.gain == 0]
    differ = [(answer, case) for answer, case in zip(said, cases, strict=True) if case.gain]
    named = sum(equal != "no telling" for equal in equals)
    yield "equals", f"one was named in {named} of {len(equals)}, at {FALSE_ALARM:g} points each"
    wrong = sum(answer not in (case.right, "no telling") for answer, case in differ)
    missed = sum(answer == "no telling" for answer, _ in differ)
    yield "one is better", f"the other was named in {wrong} of {len(differ)}, {missed} were missed"
    found = measure(decide, PUBLIC_SEED, no_progress)
    yield RESULT, f"{found.points:g} per cent saved: not looking at all costs less"
    yield WANTED, f"{GOAL.target:g} per cent or more"
