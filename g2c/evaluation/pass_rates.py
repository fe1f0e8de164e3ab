"""Solved once in several tries, or every time: two questions about one set of tries.

An agent that can be asked again may fail; one that works alone may not. The idea to take away: the
rate for several tries is not a power of the rate for one, since tasks differ and tries are few.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.evaluation.core.rates import PassRates
from g2c.exercise import exercise


@exercise("23.6")
def pass_rates(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    """Estimate how often `k` tries solve a task at least once, and how often each of them does.

    `tries` has a task each: whether each of its tries solved it.

    - Of one task both rates are right on average. If a try solves it with chance p, their means
      over many such samples are 1 - (1 - p)**k and p**k.
    - All tries of a task count, in any order.
    - The rates are the means of the tasks' rates. A task with more tries counts as one.
    - Thousands of tries are not an obstacle.

    Raises:
        ValueError: there is no task, `k` is below 1, or a task has fewer than `k` tries.

    >>> pass_rates([[True, False]], 2)
    PassRates(once=1.0, every=0.0)
    >>> pass_rates([[True, True, True, False], [False, False, False, False]], 2)
    PassRates(once=0.5, every=0.25)
    """
    raise NotImplementedError
