"""Judge a draft that reaches the bar of 75 exactly, and one that nobody has reviewed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from g2c.course.naive import CAME, WISHED, Seen
from g2c.critic import Aggregate
from g2c.critic.provided.types import FLOOR, S_MIN

QUESTION = "What does each of the three comparisons say about the case that you did not think of?"


def has_converged(scored: Aggregate, *, s_min: float = S_MIN, floor: float = FLOOR) -> bool:
    high_enough = scored.total >= s_min
    no_weak_part = min(scored.means.values()) >= floor
    return high_enough and no_weak_part and scored.approvals == scored.reviewers


WEIGHTS = ("0.6", "0.3", "0.1")
SCORES = (62, 95, 93)


def show(folder: Path) -> Seen:
    on_paper = sum(Fraction(weight) * score for weight, score in zip(WEIGHTS, SCORES, strict=True))
    products = [float(weight) * score for weight, score in zip(WEIGHTS, SCORES, strict=True)]
    total = products[0] + products[1] + products[2]
    yield "total", f"0.6 * 62 + 0.3 * 95 + 0.1 * 93 = {on_paper} on paper, {total!r} in Python"
    means = dict(zip(("clarity", "truth", "form"), map(float, SCORES), strict=True))
    exact = has_converged(Aggregate(total, means, approvals=2, reviewers=2))
    yield "both approve", f"passes: {exact}"
    unread = has_converged(Aggregate(90.0, means, approvals=0, reviewers=0))
    yield "nobody looked", f"passes: {unread}"
    yield CAME, f"{exact} for the draft with {on_paper} points, {unread} for the one nobody read"
    yield WISHED, "True and False"
