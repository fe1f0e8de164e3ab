"""21.4: three conditions joined with `and`.

The bars are lowered by a hair, because the numbers that are compared with them are sums of floats:
0.6 * 62 + 0.3 * 95 + 0.1 * 93 is 75 on paper. The check for zero reviewers is needed because
nobody is everybody where there is nobody: 0 approvals of 0 reviewers are all of them.
"""

from __future__ import annotations

from g2c.critic.base import TOLERANCE, Aggregate
from g2c.critic.convergence import FLOOR, S_MIN


def has_converged(scored: Aggregate, *, s_min: float = S_MIN, floor: float = FLOOR) -> bool:
    is_good = scored.total >= s_min - TOLERANCE
    has_no_gap = all(mean >= floor - TOLERANCE for mean in scored.means.values())
    is_approved = 0 < scored.reviewers == scored.approvals
    return is_good and has_no_gap and is_approved
