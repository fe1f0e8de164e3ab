"""Two judges rate a hundred answers. A person found 95 of them good. One judge reads each answer
and errs in six. The other reads none and always answers "good"."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.evaluation.core.ratings import Label, Weights

QUESTION = "How often would somebody who has seen none of the answers agree with this person?"


def kappa(a: Sequence[Label], b: Sequence[Label], *, weights: Weights = "none") -> float | None:
    if weights == "none":
        return sum(one == other for one, other in zip(a, b, strict=True)) / len(a)
    far = max(abs(float(x) - float(y)) for x, y in zip(a, b, strict=True)) or 1
    return 1 - sum(abs(float(x) - float(y)) / far for x, y in zip(a, b, strict=True)) / len(a)


PERSON = ["good"] * 95 + ["bad"] * 5
READS = ["good"] * 90 + ["bad"] * 5 + ["bad"] * 4 + ["good"]
NODS = ["good"] * 100


def show(folder: Path) -> Seen:
    yield "the person", "95 good, 5 bad"
    yield "one that reads", "takes 5 good ones for bad, and misses 1 of the 5 bad ones"
    yield "one that nods", "says good a hundred times"
    reads, nods = kappa(PERSON, READS), kappa(PERSON, NODS)
    yield RESULT, f"{reads} for the one that reads, and {nods} for the one that nods"
    yield WANTED, "0 for a judge that has not looked"
