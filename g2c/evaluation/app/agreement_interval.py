"""An interval around kappa: items are resampled, each with both of its labels."""

import random
from collections.abc import Sequence

from g2c.critic.core.types import Interval
from g2c.evaluation.core.ratings import Label, Weights
from g2c.evaluation.kappa import kappa


def kappa_interval(
    a: Sequence[Label],
    b: Sequence[Label],
    *,
    weights: Weights = "none",
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval | None:
    """Kappa with its percentile bootstrap interval; None if kappa is undefined. Resamples with only
    one label have no kappa, and are left out.

    Raises:
        ValueError: as for `kappa`.

    >>> found = kappa_interval(["a", "b"] * 10, ["a", "b"] * 8 + ["b", "a"] * 2)
    >>> found is not None and 0 < found.low < found.estimate < found.high <= 1
    True
    """
    estimate = kappa(a, b, weights=weights)
    if estimate is None:
        return None
    items = list(zip(a, b, strict=True))
    draw = random.Random(seed).choices
    drawn = (zip(*draw(items, k=len(items)), strict=True) for _ in range(resamples))
    found = [kappa(one, other, weights=weights) for one, other in drawn]
    kappas = sorted(value for value in found if value is not None)
    cut = int((1 - confidence) / 2 * len(kappas))
    return Interval(estimate, kappas[cut], kappas[-1 - cut], confidence)
