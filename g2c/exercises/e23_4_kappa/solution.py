"""23.4: the cost of two labels, as a mean over the items and as a mean over all random pairs.

Cohen (1968) writes kappa with the costs of disagreements in place of agreements, which makes the
plain kappa of 1960 its simplest case. Nothing lists the classes: a label that one rater never uses
is in the other's count. The unit of the costs cancels, so no largest distance is needed. If chance
costs nothing, both raters gave the same label to all. Such items show neither agreement nor its
lack, so both 1 and 0 would be a false claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from g2c.evaluation.core.ratings import Label, Weights

COSTS: Mapping[str, Callable[[Any, Any], float]] = {
    "none": lambda one, other: one != other,
    "linear": lambda one, other: abs(one - other),
    "quadratic": lambda one, other: (one - other) ** 2,
}


def kappa(a: Sequence[Label], b: Sequence[Label], *, weights: Weights = "none") -> float | None:
    if len(a) != len(b) or not a:
        raise ValueError(f"Labels come in pairs, one or more; got {len(a)} and {len(b)}.")
    if weights not in COSTS:
        raise ValueError(f"There are no weights {weights!r}; there are {', '.join(COSTS)}.")
    cost = COSTS[weights]
    observed = sum(map(cost, a, b)) / len(a)
    table = product(Counter(a).items(), Counter(b).items())
    by_chance = sum(cost(x, y) * n * m for (x, n), (y, m) in table) / len(a) ** 2
    return 1 - observed / by_chance if by_chance else None
