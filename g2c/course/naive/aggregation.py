"""Put two reviews together, of which one has a slip in the name of a dimension."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from g2c.course.naive import CAME, WISHED, Seen
from g2c.critic import Aggregate, Dimension, Review, Rubric

QUESTION = "Where did Bob's 10 go, and who will ever notice?"


def aggregate(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    averages, points = {}, 0.0
    for part in rubric.dimensions:
        given = [one.scores[part.name] for one in reviews if part.name in one.scores]
        averages[part.name] = mean(given)
        points += part.weight * averages[part.name]
    approvals = len([one for one in reviews if one.approved])
    return Aggregate(points, averages, approvals, len(reviews))


def show(folder: Path) -> Seen:
    rubric = Rubric((Dimension("clarity", 0.4), Dimension("truth", 0.6)))
    ada = Review("Ada", {"clarity": 80, "truth": 90}, approved=True)
    bob = Review("Bob", {"clarity": 80, "Truth": 10}, approved=True)
    for one in (ada, bob):
        yield one.reviewer, ", ".join(f"{name} {score}" for name, score in one.scores.items())
    scored = aggregate([ada, bob], rubric)
    yield CAME, f"truth {scored.means['truth']}, in total {scored.total:.0f} of 100"
    yield WISHED, "to hear that somebody found the draft false, or that a review cannot be used"
