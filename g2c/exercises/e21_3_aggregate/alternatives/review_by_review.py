"""21.3 with a total for each review first, and their mean as the total of the draft.

A mean of weighted sums is the weighted sum of the means: S(r) = mean_j sum_i w_i * s_ij. Each
reviewer's own total is known, so it can be shown, or tell who is strict. It costs a second pass
over the scores, since the floor needs the means of the dimensions as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from statistics import fmean

from g2c.critic.core.types import FLOOR, S_MIN, TOLERANCE, Aggregate, Review, Rubric


def aggregate(
    reviews: Sequence[Review], rubric: Rubric, *, s_min: float = S_MIN, floor: float = FLOOR
) -> Aggregate:
    if not reviews:
        raise ValueError("there are no reviews to put together")
    total = fmean(_total(review, rubric) for review in reviews)
    names = [dimension.name for dimension in rubric.dimensions]
    means = {name: fmean(review.scores[name] for review in reviews) for name in names}
    approvals = sum(review.approved for review in reviews)
    passes = (
        approvals == len(reviews)
        and total >= s_min - TOLERANCE
        and all(mean >= floor - TOLERANCE for mean in means.values())
    )
    return Aggregate(total, means, approvals, len(reviews), passes)


def _total(review: Review, rubric: Rubric) -> float:
    weights = {dimension.name: dimension.weight for dimension in rubric.dimensions}
    if strays := weights.keys() ^ review.scores.keys():
        raise ValueError(f"{review.reviewer} and the rubric differ on {sorted(strays)}")
    return fsum(weights[name] * score for name, score in review.scores.items())
