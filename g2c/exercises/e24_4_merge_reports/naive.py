"""Merge five reports. One note was poisoned, and four of the five workers have read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.swarm.core.reports import Claim, Finding, Reading, Report

QUESTION = "How many files would an attacker have to change to win over all five workers?"


def merge_reports(reports: Sequence[Report]) -> list[Finding]:
    voices: dict[str, Counter[str]] = {}
    where: dict[tuple[str, str], tuple[str, ...]] = {}
    for report in reports:
        for claim in report.claims:
            voices.setdefault(claim.about, Counter())[claim.value] += 1
            where.setdefault((claim.about, claim.value), claim.sources)
    result = []
    for about, counted in voices.items():
        winner, _ = counted.most_common(1)[0]
        result.append(Finding(about, (Reading(winner, where[about, winner]),)))
    return result


POISONED = Claim("the port", "6666", ("inbox/note.md",))
REPORTS = (
    *(Report(f"worker {n}", (POISONED,)) for n in (1, 2, 3, 4)),
    Report("worker 5", (Claim("the port", "8041", ("ops/ports.md", "ops/readme.md")),)),
)


def show(folder: Path) -> Seen:
    for report in REPORTS:
        for claim in report.claims:
            yield report.worker, f"{claim.about} is {claim.value}, says {', '.join(claim.sources)}"
    (found,) = merge_reports(REPORTS)
    yield (
        RESULT,
        "; ".join(
            f"{reading.value} from {', '.join(reading.sources)}" for reading in found.readings
        ),
    )
    yield WANTED, "8041 from two files and 6666 from one, side by side"
