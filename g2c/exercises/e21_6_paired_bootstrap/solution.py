"""21.6: draw from the differences, sort the means, and cut off as many at each end.

A pair enters the mean only by its difference, so the differences are enough. That is why pairing
helps: a hard task lowers both results, and not their difference. The percentile interval is that of
Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), section 13.3. The cut is rounded
down and is less than half of the resamples. So the bounds never cross, even with few resamples.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean

from g2c.critic.core.types import Interval


def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    if len(a) != len(b) or not a:
        raise ValueError(f"Results come in pairs, one or more; got {len(a)} and {len(b)}.")
    if resamples < 1:
        raise ValueError(f"resamples is 1 or more, got {resamples!r}.")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is between 0 and 1, got {confidence!r}.")
    gains = [after - before for before, after in zip(a, b, strict=True)]
    draw = random.Random(seed).choices
    means = sorted(fmean(draw(gains, k=len(gains))) for _ in range(resamples))
    cut = int((1 - confidence) / 2 * resamples)
    return Interval(fmean(gains), means[cut], means[-1 - cut], confidence)
