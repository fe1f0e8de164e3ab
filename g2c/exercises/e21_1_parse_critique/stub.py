"""From what a critic wrote to a verdict that a program can act on.

The idea to take away: a gate fails closed. An approval that nobody can read is not an approval.
Nobody sees a draft that is let through by mistake; a draft that is sent back by mistake costs one
round."""

from __future__ import annotations

from g2c.critic.core.types import Critique
from g2c.exercise import exercise


@exercise("21.1")
def parse_critique(text: str) -> Critique:
    r"""Read a critique made of `SCORE:`, `ISSUES:` and `RECOMMENDATION:`.

    A marker begins a line, in any order and case; spaces, tabs, `#` and bold print aside. Lines end
    with `\n` or `\r\n`.

    - The recommendation is APPROVE or REVISE, alone on its marker's line.
    - The score is a number from 0 to 10, such as `7.5` or `7.5/10`; else None.
    - If either repeats and differs, it cannot be read.
    - The issues are the lines from each `ISSUES:` to the next marker, without bullets (`-`, `*`,
      `•`, `1.`, `1)`), lines without words, and `none`.

    Spaces, stars and one final period around a value say nothing. A recommendation that cannot be
    read is REVISE, with a `parse_error` naming RECOMMENDATION.

    >>> parse_critique("SCORE: 7/10\nISSUES:\n- Too long.\nRECOMMENDATION: REVISE")
    Critique(score=7.0, issues=('Too long.',), recommendation='REVISE', parse_error=None)
    >>> parse_critique("**Recommendation:** approve.").approved
    True
    >>> critique = parse_critique("SCORE: 80/100\nRECOMMENDATION: APPROVE | REVISE")
    >>> critique.score, critique.recommendation, "RECOMMENDATION" in critique.parse_error
    (None, 'REVISE', True)
    """
    raise NotImplementedError
