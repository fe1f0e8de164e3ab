"""The scores of plans for 24.7: of each plan on each seed, and how good the best one is.

python maintain/benchmarks/reading.py
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.course.scored import no_progress
from g2c.exercises.e24_7_read_all.goal import measure, one_worker
from g2c.swarm.core.reading import CONTEXT, Ask, Errand, File, Question
from g2c.swarm.read_all import read_all

SEEDS = range(12)
Plan = Callable[[Question, Sequence[File], Ask, int], str | None]


def packs(files: Sequence[File], size: int) -> Iterator[tuple[str, ...]]:
    names: list[str] = []
    tokens = 0
    for file in files:
        if names and tokens + file.tokens > size:
            yield tuple(names)
            names, tokens = [], 0
        names.append(file.name)
        tokens += file.tokens
    yield tuple(names)


def fixed(size: int, copies: bool = False, least: int = 1, totals: bool = True) -> Plan:
    """Packs of one size, each read once. The answer is the value that most files give, if at least
    `least` of them do."""

    def plan(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
        chosen = [file for file in files if copies or not file.copy_of]

        def voices(about: str) -> list[str]:
            replies = ask([Errand(about, pack) for pack in packs(chosen, size)])
            return [claim.value for reply in replies for claim in reply.claims]

        def most(values: Sequence[str]) -> str | None:
            best = max(values, key=values.count, default=None)
            return best if best is not None and values.count(best) >= least else None

        if question.kind == "total":
            values = voices(question.about) if totals else []
            return str(sum(map(int, values))) if values else None
        value = most(voices(question.about))
        if value and question.kind == "linked":
            value = most(voices(question.second(value)))
        return value

    return plan


def nobody_can_tell(question: Question, files: Sequence[File], ask: Ask, budget: int) -> None:
    return None


def main() -> None:
    print_heading(f"Points of 24.7 on seeds {SEEDS[0]} to {SEEDS[-1]}: 0 is one worker.")
    plans: dict[str, Plan] = {
        "one worker": one_worker,
        "None, always": nobody_can_tell,
        "a worker for each file": fixed(1, copies=True),
        "the same, without copies": fixed(1),
        "packs of half a context": fixed(CONTEXT // 2),
        "packs of 2,000": fixed(2_000),
        "the same, if two files agree": fixed(2_000, least=2),
        "the same, and no totals": fixed(2_000, least=2, totals=False),
        "reference": read_all,
    }
    table = []
    for name, plan in plans.items():
        points = [measure(plan, seed, no_progress).points for seed in SEEDS]
        table.append([name, f"{min(points):g}", f"{max(points):g}"])
    print_table(["", "least", "most"], table)


if __name__ == "__main__":
    main()
