"""The fixed suite: the same tasks on every machine and for every model.

Scores can be compared only if the tasks are the same. All tasks are drawn at random from a seed
that never changes, and a test pins them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from random import Random

from g2c.evaluation.families.formats import (
    consolidations,
    critiques,
    instructions,
    plans,
    rerank,
    ticks,
)
from g2c.evaluation.families.steps import (
    arithmetic,
    read_compute,
    read_file,
    two_files,
    word_problem,
)
from g2c.evaluation.families.trouble import give_up, no_tool, recovery, unseen_tool
from g2c.evaluation.tasks import SuiteTask

FAMILIES: Mapping[str, Callable[[Random], Iterator[SuiteTask]]] = {
    make.__name__: make
    for make in (
        *(arithmetic, word_problem, read_file, read_compute, two_files, recovery, unseen_tool),
        *(no_tool, give_up, plans, critiques, consolidations, rerank, ticks, instructions),
    )
}
"""What makes the tasks of each family, from easy to hard and then by protocol."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "one step": ("arithmetic", "word_problem", "read_file"),
    "read, then compute": ("read_compute", "two_files"),
    "recovery": ("recovery",),
    "unseen tool": ("unseen_tool",),
    "instructions": ("instructions",),
}
"""What the scores of several families say together."""

FORMATS = ("plans", "critiques", "consolidations")
"""The families of which it counts for itself whether the answer could be read."""


def load_suite(families: Collection[str] = (), limit: int | None = None) -> tuple[SuiteTask, ...]:
    """The tasks of these families, or of all; of each at most `limit`, spread over the family.

    Raises:
        ValueError: there is no such family.
    """
    if unknown := [name for name in families if name not in FAMILIES]:
        raise ValueError(f"There is no family {unknown[0]!r}; there are {', '.join(FAMILIES)}.")
    chosen = [name for name in FAMILIES if name in (families or FAMILIES)]
    return tuple(task for name in chosen for task in _family(name, limit))


def fingerprint(tasks: Collection[SuiteTask]) -> str:
    """A short text that is another one where any of the tasks is."""
    return hashlib.sha256("\n".join(map(repr, tasks)).encode()).hexdigest()[:12]


def _family(name: str, limit: int | None) -> list[SuiteTask]:
    made = FAMILIES[name](Random(name))
    tasks = [replace(task, id=f"{name}-{number}") for number, task in enumerate(made, 1)]
    if limit and limit < len(tasks):
        tasks = [tasks[place * len(tasks) // limit] for place in range(limit)]
    # A model's cache keeps what one prompt has in common with the next.
    return sorted(tasks, key=lambda task: getattr(task, "tools", ()))
