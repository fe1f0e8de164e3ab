"""Combine two reviews, one with a slip in a dimension's name, and judge a draft with 75 points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from statistics import mean

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.critic import Aggregate, Dimension, Review, Rubric
from g2c.critic.core.types import FLOOR, S_MIN

QUESTION = "Where did Bob's 10 go, and why did the draft with 75 points on paper not pass?"


def aggregate(
    reviews: Sequence[Review], rubric: Rubric, *, s_min: float = S_MIN, floor: float = FLOOR
) -> Aggregate:
    averages, points = {}, 0.0
    for part in rubric.dimensions:
        given = [review.scores[part.name] for review in reviews if part.name in review.scores]
        averages[part.name] = mean(given)
        points += part.weight * averages[part.name]
    approvals = len([review for review in reviews if review.approved])
    high_enough = points >= s_min and sum(averages.values()) / len(averages) >= floor
    all_agree = approvals == len(reviews)
    return Aggregate(points, averages, approvals, len(reviews), high_enough and all_agree)


def show(folder: Path) -> Seen:
    two = Rubric((Dimension("clarity", 0.4), Dimension("truth", 0.6)))
    ada = Review("Ada", {"clarity": 80, "truth": 90}, approved=True)
    bob = Review("Bob", {"clarity": 80, "Truth": 10}, approved=True)
    for review in (ada, bob):
        yield review.reviewer, ", ".join(f"{name} {score}" for name, score in review.scores.items())
    slip = aggregate([ada, bob], two)
    yield "together", f"truth {slip.means['truth']}, in total {slip.total:.0f}; {slip.passes=}"
    three = Rubric((Dimension("clarity", 0.6), Dimension("truth", 0.3), Dimension("form", 0.1)))
    cy = Review("Cy", {"clarity": 62, "truth": 95, "form": 93}, approved=True)
    on_paper = sum(
        Fraction(str(part.weight)) * int(cy.scores[part.name]) for part in three.dimensions
    )
    exact = aggregate([cy], three)
    yield "Cy", f"0.6 * 62 + 0.3 * 95 + 0.1 * 93 = {on_paper} on paper, {exact.total!r} in Python"
    yield RESULT, f"{slip.passes} for the draft that Bob found false, {exact.passes} for Cy's 75"
    yield WANTED, "an error that Bob's review cannot be used, and True for 75"
