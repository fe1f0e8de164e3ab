"""Whether to trust a judge: how far it agrees with a person whose labels are trusted.

The idea to take away: if nearly all is good, a judge that always says "good" agrees nearly always.
Only the agreement beyond that counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.evaluation.core.ratings import Label, Weights
from g2c.exercise import exercise


@exercise("23.4")
def kappa(a: Sequence[Label], b: Sequence[Label], *, weights: Weights = "none") -> float | None:
    """Cohen's kappa: how much less two raters disagree than by chance.

    `a[i]` and `b[i]` are their labels for item `i`. Two equal labels cost 0, and others, by
    `weights`:

    - `"none"`: 1 (Cohen, 1960);
    - `"linear"` and `"quadratic"` (Cohen, 1968), for scores: the difference of the two scores, or
      its square.

    Kappa is 1 if all items cost nothing, and falls in proportion to what an item costs on average.
    If the labels of `b` were shuffled over the items, its mean over all orders would be 0. If no
    order costs anything, the labels show nothing, and it is None.

    Raises:
        ValueError: `a` and `b` differ in length or are empty, or there are no such `weights`.

    >>> kappa(["good"] * 19 + ["bad"], ["good"] * 20)
    0.0
    >>> kappa([1, 2, 3], [1, 2, 3], weights="linear")
    1.0
    """
    raise NotImplementedError
