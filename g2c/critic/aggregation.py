"""From what several reviewers scored to one total.

The idea to take away: a mean hides who disagreed and on what. So the total is kept together with
the mean of each dimension and the count of approvals, and the reviews themselves are kept, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.provided.types import Aggregate, Review, Rubric
from g2c.exercise import exercise


@exercise("21.3")
def aggregate(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Put the reviews of one draft together: S(r) = sum_i w_i * mean_j s_ij.

    Here w_i is the weight of the rubric's dimension i, and s_ij what review j scored for it.
    `total` is S(r), and `means` has the mean of each dimension by its name; nothing is rounded.
    Every review counts, also a second one under the same reviewer's name.

    Raises:
        ValueError: there are no reviews, or the dimensions of a review are not those of the rubric.
            The message names the reviewer and the dimension.

    >>> from g2c.critic import Dimension
    >>> rubric = Rubric((Dimension("clarity", 0.25), Dimension("truth", 0.75)))
    >>> ada = Review("Ada", {"clarity": 90, "truth": 50}, approved=False)
    >>> bob = Review("Bob", {"truth": 80, "clarity": 70}, approved=True)
    >>> aggregate([ada, bob], rubric)
    Aggregate(total=68.75, means={'clarity': 80.0, 'truth': 65.0}, approvals=1, reviewers=2)
    """
    raise NotImplementedError
