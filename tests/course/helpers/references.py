"""For the course's own tests: the references, whatever stands in the student's files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest

from g2c.course.manifest import load_exercises


@contextmanager
def references(*, fsync: bool = True) -> Iterator[None]:
    """The reference of every exercise, wherever the program uses the exercise. Without `fsync`
    nothing waits for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        for exercise in load_exercises():
            module, _, name = exercise.target.partition(":")
            students = getattr(import_module(module), name)
            solutions = import_module(module.replace("g2c.", "g2c.solutions.", 1))
            for owner, attribute in _uses_of(students):
                patch.setattr(owner, attribute, getattr(solutions, name))
        if not fsync:
            patch.setattr("os.fsync", lambda handle: None)
        yield


@contextmanager
def believed() -> Iterator[None]:
    """A dream believes its model: for what a plan does to files, whatever is in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("g2c.memory.assembled.evidence.is_grounded", lambda line, said: True)
        patch.setattr(
            "g2c.memory.assembled.dream.with_what_was_said", lambda plan, known, turns: plan
        )
        patch.setattr(
            "g2c.memory.assembled.evidence._described", lambda draft, old, body: draft.description
        )
        yield


def _uses_of(function: Any) -> list[tuple[Any, str]]:
    """The modules and classes of the program that hold `function`, and its name there."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "g2c"]
    values = [value for module in modules for value in vars(module).values()]
    classes = {value for value in values if isinstance(value, type)}
    return [
        (owner, name)
        for owner in (*modules, *classes)
        for name, value in vars(owner).items()
        if value is function
    ]
