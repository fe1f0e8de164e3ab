"""Give the same 20 tasks to two configurations, the second a little better at each, and draw 2,000
resamples."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.critic.core.types import Interval

QUESTION = "The two results of a task belong together. What did this function do with that?"


def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    random.seed(seed)
    gains = []
    for _ in range(resamples):
        before = random.choices(a, k=len(a))
        after = random.choices(b, k=len(b))
        gains.append(fmean(after) - fmean(before))
    gains.sort()
    tail = (1 - confidence) / 2
    low, high = gains[int(tail * resamples)], gains[int((1 - tail) * resamples) - 1]
    return Interval(fmean(b) - fmean(a), low, high, confidence)


BEFORE = [5 * number for number in range(20)]
GAINS = [2, 3, 4, 3] * 5


def show(folder: Path) -> Seen:
    after = [score + gain for score, gain in zip(BEFORE, GAINS, strict=True)]
    yield "before", ", ".join(map(str, BEFORE))
    yield "after", ", ".join(map(str, after))
    better = sum(new > old for old, new in zip(BEFORE, after, strict=True))
    found = paired_bootstrap(BEFORE, after)
    yield (
        RESULT,
        (
            f"a gain of {found.estimate:g} points, between {found.low:g} and {found.high:g}: "
            "it may as well be a loss"
            if found.low < 0
            else f"between {found.low:g} and {found.high:g}"
        ),
    )
    yield WANTED, f"an interval above 0, since {better} of {len(BEFORE)} tasks got better"
