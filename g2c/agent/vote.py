"""One answer out of several that a model gave to the same question.

The idea to take away: at a temperature above 0 an answer is a draw, and the answer on which draws
agree is right more often than a single one. How many draws that takes depends on what they say.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise


@exercise("19.6")
def settle(answers: Sequence[str | None], most: int) -> str | None:
    """Give the answer with the most votes once it is certain; None before, and if there is none.

    `answers` are those of the samples so far, in their order. None is a sample without an answer,
    which has no vote. `most` is how many there can be in all.

    Two answers are the same if their last numbers are equal, or, where neither has a number, their
    texts. A number may have a minus sign, commas between thousands and decimals: `-3`, `1,200`,
    `0.50`.

    In a tie, the one given first wins. A winner is certain if nothing that the samples to come may
    answer can change it. It is returned in the words in which it was first given.

    >>> settle(["It is 1,200.", None, "1200 coins"], most=4)
    'It is 1,200.'
    >>> settle(["12", "15"], most=4) is None
    True
    """
    raise NotImplementedError
