"""The stubs as they stand in this checkout, and a mark for tests that need them as shipped.

A student may run the course's tests, too. Then some functions are written, as they should be.
"""

import ast
import os
from pathlib import Path

import pytest

from g2c.course.manifest import Exercise, load_exercises

ROOT = Path(__file__).parents[3]


def stub(exercise: Exercise) -> ast.FunctionDef:
    """The exercise's function."""
    file = ROOT / exercise.file
    nodes = ast.parse(file.read_text("utf-8")).body if file.exists() else []
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name == exercise.function:
            return node
    raise AssertionError(f"{exercise.file} lacks the stub of {exercise.id}: {exercise.function}.")


def body_of(exercise: Exercise) -> list[str]:
    """The statements of the exercise's function, without its docstring."""
    return [ast.unparse(statement) for statement in stub(exercise).body[1:]]


as_shipped = pytest.mark.skipif(
    "CI" not in os.environ
    and any(body_of(exercise) != ["raise NotImplementedError"] for exercise in load_exercises()),
    reason="exercises have been worked on in this checkout",
)
