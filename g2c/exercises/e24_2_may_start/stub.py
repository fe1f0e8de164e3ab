"""Which tasks start now, and which never can.

The idea to take away: what is running has been promised its grant, so what is left to give is less
than what is left to spend.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2c.exercise import exercise
from g2c.swarm.core.tasks import Progress, Starts, Task


@exercise("24.2")
def may_start(
    tasks: Sequence[Task], progress: Mapping[str, Progress], at_once: int, budget: int
) -> Starts:
    """Say which waiting tasks start now, and which never can, each in the order of `tasks`.

    A task without progress is waiting. It may start when all that it needs is done. New ones count
    as running: at most `at_once` tasks run, and what ended ones spent and running ones were granted
    is at most `budget` tokens. Earlier tasks come first; one that does not fit lets later ones
    pass.

    A waiting task never can start if it needs a failed task, one that is not in the list, itself
    in however many steps, or one that never can; or if its grant is more than can ever be left. A
    running task may give all of its grant back.

    >>> tasks = [Task("read", "", grant=60), Task("add", "", ("read",)), Task("end", "", ("x",))]
    >>> may_start(tasks, {}, at_once=2, budget=100)
    Starts(now=('read',), never=('end',))
    """
    raise NotImplementedError
