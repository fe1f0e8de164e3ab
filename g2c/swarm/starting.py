"""Which tasks start now, and which never can.

The idea to take away: what is running has been promised its grant, so what is left to give is less
than what is left to spend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2c.exercise import exercise
from g2c.swarm.provided.tasks import Progress, Starts, Task


@exercise("24.2")
def may_start(
    tasks: Sequence[Task], progress: Mapping[str, Progress], at_once: int, budget: int
) -> Starts:
    """TODO (at most 120 words). In their order; at most `at_once` run at a time, those that run
    already among them; what ended tasks spent, running ones were granted and new ones are granted
    stays within `budget`. A task that does not fit lets later ones pass. `never`: waiting tasks
    that need a failed or unknown one, or themselves, in however many steps, or one that never can,
    or whose grant is more than the budget will ever have left.
    """
    raise NotImplementedError
