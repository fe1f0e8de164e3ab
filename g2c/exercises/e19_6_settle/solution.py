"""19.6: try the worst case: all remaining samples agree with each other.

If that cannot change the winner, no other rest can. The votes are counted anew for each rival,
which is quadratic and does not matter for few samples.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

# In 7-3 and 2026-11-25 a hyphen is not a sign, and in 12,3456 the comma ends the number.
_NUMBER = re.compile(r"(?:(?<!\w)-)?\d+(?:,\d{3}(?!\d))*(?:\.\d+)?")


def settle(answers: Sequence[str | None], most: int) -> str | None:
    said = [answer for answer in answers if answer is not None]
    if not said:
        return None
    votes: list[Decimal | str | None] = [_meaning(answer) for answer in said]
    winner = _winner(votes)
    left = most - len(answers)
    # None stands for an answer that nobody has given yet.
    for rival in (*votes, None):
        if _winner([*votes, *[rival] * left]) != winner:
            return None
    return said[votes.index(winner)]


def _meaning(answer: str) -> Decimal | str:
    numbers = _NUMBER.findall(answer)
    return Decimal(numbers[-1].replace(",", "")) if numbers else answer


def _winner(votes: Sequence[Decimal | str | None]) -> Decimal | str | None:
    return max(votes, key=votes.count)  # in a tie, max takes the first
