"""Dimensions on which reviewers disagree.

The idea to take away: disagreement is signal. Two reviewers who score a dimension 40 and 90 have
read two different drafts. The mean of 65 says that all is fair, and hides the one sentence that one
of them found and the other overlooked.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.core.types import GAP, Dispute, Review
from g2c.exercise import exercise


@exercise("21.5")
def disputed(reviews: Sequence[Review], gap: float = GAP) -> tuple[Dispute, ...]:
    """Find the dimensions on which any two reviews stand `gap` points or more apart.

    A dimension counts if at least two reviews scored it, whether or not they approved. A distance
    that falls short of `gap` by no more than `TOLERANCE` (of `g2c.critic.core.types`) reaches
    it.

    There is one dispute for each such dimension, between its lowest and its highest score. If
    several reviews gave the same score, the first of them is named.

    Returns:
        The disputes, the widest first. Equally wide ones stand in the order in which the reviews
        first score their dimensions.

    Raises:
        ValueError: `gap` is not above 0.

    >>> ada = Review("Ada", {"clarity": 90, "truth": 60}, approved=True)
    >>> bob = Review("Bob", {"clarity": 40, "truth": 70}, approved=False)
    >>> for dispute in disputed([ada, bob]):
    ...     print(dispute.dimension, dispute.low_reviewer, dispute.high_reviewer, dispute.gap)
    clarity Bob Ada 50
    """
    raise NotImplementedError
