"""21.3: check that all reviewers scored the same things, take means and a weighted sum, compare.

No number can stand in for a missing score. A 0 would punish the draft for what a reviewer forgot. A
mean of the others would let a dimension pass that only one of them looked at. So a review that does
not fit the rubric is refused. `fmean` and `fsum` round only once, at the end, so the order of the
reviewers cannot change the last digit. Each bar is lowered by a tiny amount, because it is compared
with a sum of floats. Without reviews it refuses, so it never asks whether all of none approved.
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
    names = [dimension.name for dimension in rubric.dimensions]
    for review in reviews:
        if strays := review.scores.keys() ^ set(names):
            raise ValueError(f"{review.reviewer} and the rubric differ on {sorted(strays)}")
    means = {name: fmean(review.scores[name] for review in reviews) for name in names}
    total = fsum(dimension.weight * means[dimension.name] for dimension in rubric.dimensions)
    approvals = sum(review.approved for review in reviews)
    is_good = total >= s_min - TOLERANCE
    has_no_gap = min(means.values()) >= floor - TOLERANCE
    is_approved = approvals == len(reviews)
    passes = is_good and has_no_gap and is_approved
    return Aggregate(total, means, approvals, len(reviews), passes)
