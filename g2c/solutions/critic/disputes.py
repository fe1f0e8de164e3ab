"""21.6: gather the scores of each dimension, take the lowest and the highest, sort by distance.

The range is what matters, and not a spread around the mean: one reviewer of five who stands alone
hardly moves a standard deviation, and is the one to hear. `min` and `max` give the first of equals,
a dict keeps the order in which its keys came, and a sort keeps the order of equals, so each rule on
ties costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.base import TOLERANCE, Dispute, Review
from g2c.critic.disputes import GAP


def disputed(reviews: Sequence[Review], gap: float = GAP) -> tuple[Dispute, ...]:
    if not gap > 0:
        raise ValueError(f"two who agree are 0 apart, so a gap is above 0, not {gap}")
    given: dict[str, list[tuple[float, str]]] = {}
    for review in reviews:
        for name, score in review.scores.items():
            given.setdefault(name, []).append((score, review.reviewer))
    found = []
    for name, scores in given.items():
        low, high = (pick(scores, key=lambda pair: pair[0]) for pick in (min, max))
        if high[0] - low[0] >= gap - TOLERANCE:
            found.append(Dispute(name, *low, *high))
    return tuple(sorted(found, key=lambda dispute: -dispute.gap))
