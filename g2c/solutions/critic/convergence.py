"""21.4: three conditions joined with `and`.

Each bar is lowered by a tiny amount, because it is compared with a sum of floats: on paper, 0.6 *
62 + 0.3 * 95 + 0.1 * 93 is 75. Zero reviewers need a check of their own: 0 approvals of 0 reviewers
would count as all of them.
"""

from __future__ import annotations

from g2c.critic.provided.types import FLOOR, S_MIN, TOLERANCE, Aggregate


def has_converged(scored: Aggregate, *, s_min: float = S_MIN, floor: float = FLOOR) -> bool:
    is_good = scored.total >= s_min - TOLERANCE
    has_no_gap = all(mean >= floor - TOLERANCE for mean in scored.means.values())
    is_approved = 0 < scored.reviewers == scored.approvals
    return is_good and has_no_gap and is_approved
