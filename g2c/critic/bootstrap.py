"""How far a difference may be trusted: the interval around what one configuration gains on another.

The same tasks were given to both, so their results come in pairs. The idea to take away: whoever
cannot run the experiment again draws new ones out of the one there is.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.critic.base import Interval
from g2c.exercise import exercise


@exercise("21.7")
def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The interval of the mean gain from `a` to `b`, by the paired bootstrap, percentile method.

    `a[i]` and `b[i]` are the results of two configurations on task `i`: scores, or whether it was
    solved, where True is 1 and False 0.

    - `estimate` is the mean of `b` minus the mean of `a`, as they were measured.
    - A resample is an experiment that might have been: as many tasks as there are, drawn from them
      with replacement, each with its result in `a` and its result in `b`.
    - `low` and `high` enclose the middle `confidence` of the gains of `resamples` resamples, with
      as many left out below as above. Any usual rule for a percentile between two of them will do.
    - `seed` decides which resamples are drawn: with the same arguments the interval is the same,
      with another seed the resamples are others. The random numbers of the rest of the program
      neither matter to it nor are disturbed, and neither `a` nor `b` is changed.

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
