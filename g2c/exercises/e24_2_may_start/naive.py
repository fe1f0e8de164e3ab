"""Let workers read four real files, one of which is missing. A character costs a token, and there
are 100 tokens in all. Two more tasks need what they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.swarm.core.tasks import Progress, Starts, Task

QUESTION = "How much of the budget was still free when the third of them started?"


def may_start(
    tasks: Sequence[Task], progress: Mapping[str, Progress], at_once: int, budget: int
) -> Starts:
    left = budget - sum(task.spent for task in progress.values())
    ended = {name for name, task in progress.items() if task.state == "done"}
    ready = [
        task.name
        for task in tasks
        if task.name not in progress and ended.issuperset(task.needs) and task.grant < left
    ]
    return Starts(now=tuple(ready[:at_once]))


READERS = ("north", "south", "east", "west")
TASKS = (
    *(Task(name, f"Read {name}.txt.", grant=50) for name in READERS),
    Task("sum up", "Sum up the four.", READERS),
    Task("print", "Print the sum.", ("sum up",)),
)
BUDGET = 100


def show(folder: Path) -> Seen:
    for name in READERS[:3]:
        (folder / f"{name}.txt").write_text(f"{name}: ".ljust(44, "."), encoding="utf-8")
    progress: dict[str, Progress] = {}
    while names := may_start(TASKS, progress, 4, BUDGET).now:
        yield "start", ", ".join(names)
        for name in names:
            file = folder / f"{name}.txt"
            read = file.read_text("utf-8") if file.exists() else ""
            progress[name] = Progress("done" if read else "failed", len(read))
            yield "ended", f"{name}: {progress[name].state}, {len(read)} tokens"
    spent = sum(task_progress.spent for task_progress in progress.values())
    waits = [task.name for task in TASKS if task.name not in progress]
    yield RESULT, f"{spent} of {BUDGET} tokens are spent, and nothing is reported of {waits}"
    yield WANTED, f"{BUDGET} tokens or fewer, and a report that {waits} can never start"
