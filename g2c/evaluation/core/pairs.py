"""Two models or settings on the same tasks: a pair of outcomes for each task."""

from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal

Solved = tuple[bool, bool]
"""Whether A solved a task, and whether B did."""

Better = Literal["a", "b"]
"""Which of the two is better."""


def tasks_needed(
    difference: float, differing: float, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """How many paired tasks show a `difference` of two shares, before anything is run.

    `differing` is the share of tasks on which only one of the two succeeds: this is the noise, and
    the fewer there are, the fewer tasks are needed. `alpha` is how often a test says that two equal
    ones differ, and `power` how often it notices the difference. The test is asked once, at the
    end. The formula is Connor's (1987, "Sample size for testing differences in proportions for the
    paired-sample design").

    Raises:
        ValueError: not 0 < difference <= differing <= 1, or `alpha` or `power` is not between
            0 and 1.

    >>> tasks_needed(0.05, 0.2), tasks_needed(0.05, 0.1), tasks_needed(0.2, 0.3)
    (626, 312, 57)
    """
    if not 0 < difference <= differing <= 1:
        raise ValueError(
            "A difference is above 0 and at most the share of tasks that differ, got "
            f"{difference!r} of {differing!r}."
        )
    if not (0 < alpha < 1 and 0 < power < 1):
        raise ValueError(f"alpha and power are between 0 and 1, got {alpha!r} and {power!r}.")
    at = NormalDist().inv_cdf
    spread = sqrt(differing - difference**2)
    return ceil(((at(1 - alpha / 2) * sqrt(differing) + at(power) * spread) / difference) ** 2)
