"""21.5 by dimension: the names first, then a pass over the reviews for each of them.

No table is built, and each dimension is one expression. It costs a pass over all reviews for each
dimension, which is nothing for five reviewers and five dimensions.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from g2c.critic.core.types import GAP, TOLERANCE, Dispute, Review


def disputed(reviews: Sequence[Review], gap: float = GAP) -> tuple[Dispute, ...]:
    if not gap > 0:
        raise ValueError(f"two who agree are 0 apart, so a gap is above 0, not {gap}")
    names = dict.fromkeys(name for review in reviews for name in review.scores)
    ranges = [_range(name, reviews) for name in names]
    wide = [dispute for dispute in ranges if dispute.gap >= gap - TOLERANCE]
    return tuple(sorted(wide, key=attrgetter("gap"), reverse=True))


def _range(name: str, reviews: Sequence[Review]) -> Dispute:
    scores = [(review.scores[name], review.reviewer) for review in reviews if name in review.scores]
    lowest = min(score for score, _ in scores)
    highest = max(score for score, _ in scores)
    low = next(pair for pair in scores if pair[0] == lowest)
    high = next(pair for pair in scores if pair[0] == highest)
    return Dispute(name, *low, *high)
