"""The fixed suite, the same tasks on every machine and for every model; and fresh ones.

Scores can be compared only if the tasks are the same. So the tasks of the fixed suite are drawn
from a seed that never changes, and a test pins them. But fixed tasks get learned by heart. A fresh
suite has the same families and as many tasks, with other names, numbers and phrasings, from a seed
that its user chooses.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from g2c.suite.draw import Draw, FreshDraw
from g2c.suite.families.calls import calls
from g2c.suite.families.checks import checks
from g2c.suite.families.formats import consolidations, critiques, instructions, plans, rerank, ticks
from g2c.suite.families.sessions import conversation, memory, messages
from g2c.suite.families.steps import arithmetic, read_compute, read_file, two_files, word_problem
from g2c.suite.families.trouble import give_up, no_tool, recovery, unseen_tool
from g2c.suite.tasks import CallTask, Channel, SuiteTask

FAMILIES: Mapping[str, Callable[[Draw], Iterator[SuiteTask]]] = {
    make.__name__: make
    for make in (
        *(arithmetic, word_problem, read_file, read_compute, two_files, recovery, unseen_tool),
        *(no_tool, give_up, plans, critiques, consolidations, rerank, ticks, instructions),
        *(conversation, memory, messages, calls, checks),
    )
}
"""The function that makes the tasks of each family, from easy to hard and then by protocol."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "one step": ("arithmetic", "word_problem", "read_file"),
    "read, then compute": ("read_compute", "two_files"),
    "recovery": ("recovery",),
    "unseen tool": ("unseen_tool",),
    "instructions": ("instructions",),
    "conversation and memory": ("conversation", "memory"),
    "what mattered is kept": ("consolidations",),
}
"""Groups of families whose scores are also reported together."""

FORMATS = ("plans", "critiques", "consolidations")
"""The families for which the report also counts the answers that could be read."""


CHANNELS: tuple[Channel, ...] = ("text", "native")
NATIVE = "_native"
"""The suffix of a family's name and its tasks' ids if calls are made in the model's own format."""
BARE = "_bare"
"""The suffix of the ids of tasks whose prompts have no worked examples."""


def load_suite(
    families: Collection[str] = (),
    limit: int | None = None,
    *,
    seed: str | None = None,
    channels: Collection[Channel] = CHANNELS,
) -> tuple[SuiteTask, ...]:
    """The tasks of these families, or of all; at most `limit` of each, spread over the family. With
    a `seed`, a fresh suite is drawn from it. `channels` are the ways in which functions are called.

    Raises:
        ValueError: there is no such family.
    """
    if unknown := [name for name in families if name not in FAMILIES]:
        raise ValueError(f"There is no family {unknown[0]!r}; there are {', '.join(FAMILIES)}.")
    chosen = [name for name in FAMILIES if name in (families or FAMILIES)]
    draws = {name: Draw(name) if seed is None else FreshDraw(f"{seed} {name}") for name in chosen}
    made = (
        arranged(
            [
                replace(task, family=name, id=f"{name}-{n}")
                for n, task in enumerate(FAMILIES[name](draw), 1)
            ],
            limit,
        )
        for name, draw in draws.items()
    )
    return tuple(task for family in made for task in on_channels(family, channels))


def arranged(family: Sequence[SuiteTask], limit: int | None) -> list[SuiteTask]:
    """The tasks of one family, at most `limit` of them, in the order in which they are asked."""
    if limit and limit < len(family):
        family = [family[place * len(family) // limit] for place in range(limit)]
    # A model's cache keeps what one prompt shares with the next.
    return sorted(family, key=lambda task: getattr(task, "tools", ()))


def on_channels(
    tasks: Sequence[SuiteTask], channels: Collection[Channel] = CHANNELS
) -> list[SuiteTask]:
    """The tasks of a family. Tasks for calls come once for each of `channels`: first all in text,
    then all in the model's own format, as a separate family."""
    kept = [task for task in tasks if not isinstance(task, CallTask) or "text" in channels]
    if "native" in channels:
        kept += [
            replace(task, family=task.family + NATIVE, id=task.id + NATIVE, channel="native")
            for task in tasks
            if isinstance(task, CallTask)
        ]
    return kept


def without_examples(tasks: Iterable[SuiteTask]) -> tuple[SuiteTask, ...]:
    """The tasks, with prompts that have no worked examples."""
    return tuple(replace(task, id=f"{task.id}{BARE}", examples=False) for task in tasks)


def fingerprint(tasks: Collection[SuiteTask]) -> str:
    """A short text that changes if any of the tasks changes."""
    return hashlib.sha256("\n".join(map(repr, tasks)).encode()).hexdigest()[:12]
