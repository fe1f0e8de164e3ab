"""24.2: find what can ever end, task by task, and call the rest never.

To look for what is lost, one would have to look for failed tasks, for names that nobody has, and
for circles. The tasks that can end are found in one way: a task runs or is done, or it has a grant
that can be paid and needs only tasks that can end. Whatever that does not reach is lost, for
whichever reason. A
queue goes from each task to those that need it (Kahn, 1962, "Topological sorting of large
networks"), so nothing recurses. It costs one step for each task and each need.

The tokens left to spend decide about never, since a running task may give its grant back. The
tokens left to give decide about now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from g2c.swarm.core.tasks import Progress, Starts, Task


def may_start(
    tasks: Sequence[Task], progress: Mapping[str, Progress], at_once: int, budget: int
) -> Starts:
    at = {task.name: progress.get(task.name, Progress()) for task in tasks}
    waiting = [task for task in tasks if at[task.name].state == "waiting"]
    running = [task for task in tasks if at[task.name].state == "running"]
    spent = sum(progress.spent for progress in at.values() if progress.state in ("done", "failed"))
    free = budget - spent - sum(task.grant for task in running)
    possible = _can_end([task for task in waiting if task.grant <= budget - spent], at)
    now: list[str] = []
    for task in waiting:
        is_ready = task.name in possible and all(at[name].state == "done" for name in task.needs)
        if is_ready and task.grant <= free and len(running) + len(now) < at_once:
            now.append(task.name)
            free -= task.grant
    never = [task.name for task in waiting if task.name not in possible]
    return Starts(tuple(now), tuple(never))


def _can_end(payable: Sequence[Task], at: Mapping[str, Progress]) -> set[str]:
    """The names of the tasks that are done or running, and of those that may come to it."""
    queue = [name for name, one in at.items() if one.state in ("done", "running")]
    needed_by, open_needs = defaultdict(list), {}
    for task in payable:
        open_needs[task.name] = len({*task.needs})
        queue += [] if task.needs else [task.name]
        for name in {*task.needs}:
            needed_by[name].append(task.name)
    for name in queue:
        for other in needed_by[name]:
            open_needs[other] -= 1
            queue += [] if open_needs[other] else [other]
    return {*queue}
