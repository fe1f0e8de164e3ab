"""24.2 with the library's sorter: a task that it never calls ready can never start.

`TopologicalSorter` returns a task when everything that the task needs is marked as done. Only tasks
that can end are marked, so it stops at failed tasks, at unknown names and at cycles. `prepare` also
raises an error for a cycle. It costs a node for each name that is needed, and the reader has to
know that the sorter goes on after that error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter

from g2c.swarm.core.tasks import Progress, Starts, Task


def may_start(
    tasks: Sequence[Task], progress: Mapping[str, Progress], at_once: int, budget: int
) -> Starts:
    known = {task.name: task for task in tasks}
    states = {name: progress[name].state if name in progress else "waiting" for name in known}
    to_spend = budget
    to_give = budget
    slots = at_once
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for name, task in known.items():
        sorter.add(name, *(task.needs if states[name] == "waiting" else ()))
        if states[name] == "running":
            to_give -= task.grant
            slots -= 1
        elif states[name] != "waiting":
            to_spend -= progress[name].spent
            to_give -= progress[name].spent
    with suppress(CycleError):
        sorter.prepare()
    can_end = set()
    while ready := sorter.get_ready():
        for name in ready:
            state = states.get(name, "failed")
            if state != "failed" and (state != "waiting" or known[name].grant <= to_spend):
                can_end.add(name)
                sorter.done(name)
    never = tuple(n for n, state in states.items() if state == "waiting" and n not in can_end)
    now = []
    for name, task in known.items():
        if states[name] != "waiting" or name not in can_end:
            continue
        if slots > 0 and task.grant <= to_give and {states[n] for n in task.needs} <= {"done"}:
            now.append(name)
            to_give -= task.grant
            slots -= 1
    return Starts(tuple(now), never)
