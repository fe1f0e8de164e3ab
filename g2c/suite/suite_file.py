"""A suite from outside: tasks in a file of JSON Lines.

docs/modules/23-evaluation/suites.md describes the format.

The file's author does not know this program. So each line is fully checked before any model is
asked, and an error names the line's number.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from g2c.foreign_json import load_json
from g2c.suite.outside import KINDS, find_trouble, make_task
from g2c.suite.suite import CHANNELS, FAMILIES, NATIVE, arranged, on_channels
from g2c.suite.tasks import Channel, SuiteTask
from g2c.written import lines_of, read_text

HELP = "docs/modules/23-evaluation/suites.md has the format and an example."


def load_suite_file(
    file: Path,
    families: Collection[str] = (),
    limit: int | None = None,
    *,
    channels: Collection[Channel] = CHANNELS,
) -> tuple[SuiteTask, ...]:
    """The tasks in `file` of these families, or of all; at most `limit` of each. Calls are asked on
    each of `channels`.

    Raises:
        ValueError: the file cannot be used, or has no such family; the message says what to do.
        OSError: it cannot be read.
    """
    tasks = _read_tasks(file)
    there = dict.fromkeys(task.family for task in tasks)
    if unknown := [name for name in families if name not in there]:
        raise ValueError(f"{file} has no family {unknown[0]!r}; it has {', '.join(there)}.")
    parts = (
        arranged([task for task in tasks if task.family == name], limit)
        for name in there
        if not families or name in families
    )
    return tuple(task for family in parts for task in on_channels(family, channels))


def _read_tasks(file: Path) -> list[SuiteTask]:
    lines = lines_of(read_text(file))
    tasks: dict[str, SuiteTask] = {}
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            task = _read_task(line)
            counts[task.family] += 1
            task = replace(task, id=task.id or f"{task.family}-{counts[task.family]}")
            if task.id in tasks:
                raise ValueError(f"there is another task {task.id!r}; give each an id of its own")
        except ValueError as error:
            raise ValueError(f"{file}, line {number}: {error}. {HELP}") from None
        tasks[task.id] = task
    if not tasks:
        raise ValueError(f"{file} has no task. Write one a line, as JSON. {HELP}")
    return list(tasks.values())


def _read_task(line: str) -> SuiteTask:
    try:
        data: Any = load_json(line)
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error}); write one object a line") from None
    if not isinstance(data, dict):
        raise ValueError(f"it is {line.strip()[:40]!r}; write an object with a kind")
    if not isinstance(kind := data.get("kind"), str) or kind not in KINDS:
        raise ValueError(f"there is no kind {kind!r:.60}; there are {', '.join(KINDS)}")
    if trouble := find_trouble(data):
        raise ValueError(trouble)
    family = data.get("family", kind)
    if family in FAMILIES or family.endswith(NATIVE):
        raise ValueError(f"the fixed suite has the family {family!r}; give yours another name")
    return make_task(data)
