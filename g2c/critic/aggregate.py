"""From what several reviewers scored to one total, and whether the draft passes.

The idea to take away: a mean hides who disagreed and on what, and a total can be bought with the
easy dimensions. So the total, the weakest dimension and every reviewer have a veto.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.core.types import FLOOR, S_MIN, Aggregate, Review, Rubric
from g2c.exercise import exercise


@exercise("21.3")
def aggregate(
    reviews: Sequence[Review], rubric: Rubric, *, s_min: float = S_MIN, floor: float = FLOOR
) -> Aggregate:
    """Put the reviews of one draft together: S(r) = sum_i w_i * mean_j s_ij.

    Here w_i is the weight of the rubric's dimension i, and s_ij what review j scored for it.
    `total` is S(r), `means` has each dimension's mean by its name; nothing is rounded. Every review
    counts, also a second one under the same name.

    A draft `passes` if its total is `s_min` points or more, each mean is `floor` or more, and every
    review approved. Points nearer than `TOLERANCE` (of `g2c.critic.core.types`) are the same.

    Raises:
        ValueError: there are no reviews, or a review's dimensions are not the rubric's. The message
            names the reviewer and the dimension.

    >>> from g2c.critic import Dimension
    >>> rubric = Rubric((Dimension("clarity", 0.25), Dimension("truth", 0.75)))
    >>> ada = Review("Ada", {"clarity": 90, "truth": 50}, approved=False)
    >>> bob = Review("Bob", {"truth": 80, "clarity": 70}, approved=True)
    >>> aggregate([ada, bob], rubric)  # doctest: +NORMALIZE_WHITESPACE
    Aggregate(total=68.75, means={'clarity': 80.0, 'truth': 65.0}, approvals=1, reviewers=2,
        passes=False)
    """
    raise NotImplementedError
