"""21.3: check that all reviewers scored the same things, then take means and a weighted sum.

No number can stand in for a missing score. A 0 would punish the draft for what a reviewer forgot. A
mean of the others would let a dimension pass that only one of them looked at. So a review that does
not fit the rubric is refused. `fmean` and `fsum` round only once, at the end, so the order of the
reviewers cannot change the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import fmean

from g2c.critic.provided.types import Aggregate, Review, Rubric


def aggregate(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    if not reviews:
        raise ValueError("there are no reviews to put together")
    names = [dimension.name for dimension in rubric.dimensions]
    for review in reviews:
        if strays := review.scores.keys() ^ set(names):
            raise ValueError(f"{review.reviewer} and the rubric differ on {sorted(strays)}")
    means = {name: fmean(review.scores[name] for review in reviews) for name in names}
    total = fsum(dimension.weight * means[dimension.name] for dimension in rubric.dimensions)
    return Aggregate(total, means, sum(review.approved for review in reviews), len(reviews))
