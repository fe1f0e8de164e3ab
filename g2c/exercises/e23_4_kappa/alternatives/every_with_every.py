"""23.4 with chance played out: each label of one rater is compared with each label of the other.

It is the definition, and there is no table to get wrong. It costs the square of the number of
items: a million comparisons for a thousand of them. A table has the square of the number of
classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from g2c.evaluation.core.ratings import Label, Weights

POWERS = {"none": 0, "linear": 1, "quadratic": 2}


def kappa(a: Sequence[Label], b: Sequence[Label], *, weights: Weights = "none") -> float | None:
    if len(a) != len(b) or not a:
        raise ValueError(f"Two raters label the same items, got {len(a)} and {len(b)} labels.")
    if weights not in POWERS:
        raise ValueError(f"weights is one of {', '.join(POWERS)}, got {weights!r}.")

    def apart(one: Any, other: Any) -> float:
        if one == other:
            return 0.0
        return float(abs(one - other) ** POWERS[weights]) if POWERS[weights] else 1.0

    together = fmean(apart(one, other) for one, other in zip(a, b, strict=True))
    at_random = fmean(apart(item, other) for item in a for other in b)
    return None if at_random == 0 else 1 - together / at_random
