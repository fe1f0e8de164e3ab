"""How often several tries of a task solve it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PassRates:
    """Of several tries of a task: how often one at least solves it, and how often each does.

    The one is called pass@k, the other pass^k. They are shares, from 0 to 1.
    """

    once: float
    every: float
