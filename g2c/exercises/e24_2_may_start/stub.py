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
    """The waiting tasks that start now, and those that never can, in order of `tasks`.

    A task without progress is waiting; progress of other tasks counts for nothing.

    - A task may start when its needs are done.
    - At most `at_once` tasks run, new ones included.
    - Tokens that ended tasks spent and running ones were granted are at most `budget`.
    - Earlier tasks go first. Skip what does not fit.

    A waiting task can never start if it needs a failed task, a task not in the list, itself in any
    number of steps, or one that can never start; or if its grant is more than can ever be left.
    A running task may return its grant.

    >>> tasks = [Task("read", "", grant=60), Task("add", "", ("read",)), Task("end", "", ("x",))]
    >>> may_start(tasks, {}, at_once=2, budget=100)
    Starts(now=('read',), never=('end',))
    """
    raise NotImplementedError
