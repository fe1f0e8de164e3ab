"""Batches: a few tasks of one family for one model, asked one after the other.

A model's cache keeps what their prompts share, and an interruption loses no more than one batch.
Nothing here imports an exercise, so a machine can get a batch before it is known whose functions
are to run.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from g2c.suite.tasks import SuiteTask

SIZE = 10


@dataclass(frozen=True)
class Batch:
    """Tasks for the model of the name `model`."""

    model: str
    tasks: tuple[SuiteTask, ...]


def batches(model: str, tasks: Sequence[SuiteTask], done: Collection[str]) -> Iterator[Batch]:
    """The tasks without those whose ids are in `done`, in their order."""
    left = [task for task in tasks if task.id not in done]
    for _, tasks_of_one in groupby(left, key=lambda task: task.family):
        family = tuple(tasks_of_one)
        for start in range(0, len(family), SIZE):
            yield Batch(model, family[start : start + SIZE])
