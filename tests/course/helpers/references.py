"""For the tests of an agent's home: the references, whatever stands in the student's files."""

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
            students = getattr(import_module(exercise.import_name), exercise.function)
            solution = getattr(exercise.part("solution"), exercise.function)
            for owner, attribute in _uses_of(students):
                patch.setattr(owner, attribute, solution)
        if not fsync:
            patch.setattr("os.fsync", lambda handle: None)
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
