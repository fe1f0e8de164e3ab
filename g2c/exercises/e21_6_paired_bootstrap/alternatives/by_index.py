"""21.6 by drawing positions of pairs and looking up their results.

It takes the hat with its slips literally, and works for any statistic of the pairs, not only for a
mean of differences. It costs two lookups where the reference has one number.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import floor
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
    hat = random.Random(seed)
    slips = range(len(a))

    def mean_gain(drawn: Sequence[int]) -> float:
        return fmean(b[slip] - a[slip] for slip in drawn)

    means = sorted(mean_gain(hat.choices(slips, k=len(slips))) for _ in range(resamples))
    cut = floor((1 - confidence) / 2 * resamples)
    return Interval(mean_gain(slips), means[cut], means[resamples - 1 - cut], confidence)
