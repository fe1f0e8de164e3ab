"""21.5: gather the scores of each dimension, take the lowest and the highest, sort by distance.

The range matters here, not the spread around the mean. One reviewer of five who disagrees hardly
changes a standard deviation, but is the one to listen to. The rules for ties need no code: `min`
and `max` return the first of equal scores, a dict keeps the order of its keys, and a sort keeps the
order of equals.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.core.types import GAP, TOLERANCE, Dispute, Review


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
