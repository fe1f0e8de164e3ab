"""When a draft is good enough: three bars, and all of them must be cleared.

The idea to take away: a total can be bought with the easy dimensions, and an approval costs a
reviewer nothing. So the total, the weakest dimension and every reviewer have a veto.
"""

from __future__ import annotations

from g2c.critic.provided.types import FLOOR, S_MIN, Aggregate
from g2c.exercise import exercise


@exercise("21.4")
def has_converged(scored: Aggregate, *, s_min: float = S_MIN, floor: float = FLOOR) -> bool:
    """Decide whether a round's reviews let the draft pass.

    They do where all three hold, each judged alone:

    - the total is `s_min` or more, in points of 0 to 100;
    - the mean of each dimension is `floor` or more;
    - every reviewer approved, and there was at least one.

    Points that are nearer than `TOLERANCE` (of `g2c.critic.provided.types`) are the same.

    >>> has_converged(Aggregate(75.0, {"clarity": 60.0, "truth": 80.0}, approvals=2, reviewers=2))
    True
    >>> has_converged(Aggregate(81.0, {"clarity": 59.0, "truth": 92.0}, approvals=2, reviewers=2))
    False
    """
    raise NotImplementedError
