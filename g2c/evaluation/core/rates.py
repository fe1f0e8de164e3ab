"""How often several tries of a task solve it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PassRates:
    """`once` is how often at least one of k tries solves a task (pass@k), `every` how often each of
    them does (pass^k). They are shares, from 0 to 1.
    """

    once: float
    every: float
