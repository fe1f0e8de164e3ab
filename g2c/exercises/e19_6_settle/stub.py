"""One answer out of several that a model gave to the same question.

The idea to take away: at a temperature above 0 an answer is a draw, and the answer on which draws
agree is right more often than a single one. How many draws that takes depends on what they say.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise


@exercise("19.6")
def settle(answers: Sequence[str | None], most: int) -> str | None:
    """Return the answer with the most votes as soon as no later sample can change it, else None.

    `answers` are those of the samples so far, in order. None, a sample without an answer, has no
    vote. `most` is how many samples there can be.

    Two answers are the same if their last numbers are equal; if neither has one, if their texts are
    exactly equal. A number may have commas before just three digits, decimals and, not behind a
    letter or digit, a minus sign: `1,200`, `0.50`, `-3`.

    In a tie, the one given first wins. The winner is returned in the words in which it was first
    given. If no sample has an answer, the result is None.

    >>> settle(["It is 1,200.", None, "1200 coins"], most=4)
    'It is 1,200.'
    >>> settle(["12", "15"], most=4) is None
    True
    """
    raise NotImplementedError
