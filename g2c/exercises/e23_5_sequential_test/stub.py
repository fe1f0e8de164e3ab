"""Stopping a comparison as soon as it is clear, without fooling oneself.

If you look at p after each task and stop when it is low, you look until chance is kind. The idea to
take away: a stopping rule must be right about the whole run, not about each look.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.evaluation.core.pairs import Better, Solved
from g2c.exercise import exercise


@exercise("23.5")
def sequential_test(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """Say which of A and B is shown to be better; None while neither is.

    `pairs` has a task each, in the order asked: whether A solved it, and whether B did.

    - If A and B are equally good, at most the share `alpha` of runs ever get a name, whatever their
      length, however often one asks.
    - A name, once given, stays.
    - Tasks on which both did the same change nothing.
    - With A and B exchanged, so are the names.
    - 12 wins without a loss get a name at `alpha=0.05`. So do most runs of 100 wins and losses
      in which B wins three in four.

    Raises:
        ValueError: `alpha` is not between 0 and 1.

    >>> sequential_test([(False, True)] * 5) is None
    True
    >>> sequential_test([(False, True)] * 12 + [(True, False)] * 12)
    'b'
    """
    raise NotImplementedError
