"""How far a difference may be trusted: the interval around what one configuration gains on another.

The same tasks were given to both, so their results come in pairs. The idea to take away: if you
cannot run the experiment again, draw new samples from its results.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.core.types import Interval
from g2c.exercise import exercise


@exercise("21.6")
def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The interval of the mean gain from `a` to `b`, by the paired percentile bootstrap.

    `a[i]` and `b[i]` are two configurations' results on task `i`: scores, or whether it was solved.

    - `estimate` is `b`'s mean minus `a`'s.
    - A resample draws as many tasks as there are, with replacement, each with both results.
    - `low` and `high` enclose the middle `confidence` of the gains of `resamples` resamples, by any
      usual percentile rule.
    - The same arguments give the same interval, another `seed` other resamples. The program's other
      random numbers neither matter nor change.

    Raises:
        ValueError: `a` and `b` differ in length or are empty, `resamples` is below 1, or
            `confidence` is not between 0 and 1.

    >>> paired_bootstrap([10, 50, 90], [15, 55, 95])
    Interval(estimate=5.0, low=5.0, high=5.0, confidence=0.95)
    >>> solved = paired_bootstrap([False] * 20, [True, False] * 10)
    >>> solved.estimate, 0 < solved.low < 0.5 < solved.high < 1
    (0.5, True)
    """
    raise NotImplementedError
