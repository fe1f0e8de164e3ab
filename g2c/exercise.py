"""The exercise switch: whose function runs, the student's or the reference's.

An exercise is marked `@exercise("19.1")`. The choice is made once, when the student's file is
imported: the decorator hands back either the student's function itself, so that it costs nothing
and adds no frame to a traceback, or the one of `g2c/exercises`.
"""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

from g2c.paths import exercise_functions, project_root
from g2c.written import read_text

REFERENCE_VARIABLE = "G2C_REFERENCE"

Function = TypeVar("Function", bound=Callable[..., Any])


def exercise(exercise_id: str) -> Callable[[Function], Function]:
    """Mark a function as the exercise `exercise_id`.

    The reference replaces it where `requested_references` names the exercise (`19.1`), its module
    (`19`) or `all`.
    """

    def choose(student: Function) -> Function:
        function = student
        # Another decorator may have changed the name. `g2c.broken` tells of an id that is wrong.
        asked = is_requested(exercise_id, requested_references())
        if asked and (name := exercise_functions().get(exercise_id)):
            try:
                function = cast(Function, solution_of(exercise_id, name))
            except AttributeError:  # the reference is being imported, and stands on this package
                function = cast(Function, _once_imported(exercise_id, name))
        function.__dict__["__exercise__"] = exercise_id
        return function

    return choose


def _once_imported(exercise_id: str, name: str) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        return solution_of(exercise_id, name)(*arguments, **options)

    return call


def written_or_reference(exercise_id: str, module: str, name: str) -> Callable[..., Any]:
    """The exercise `name` in `module`, for code that cannot do without it: the reference while it
    has no body, or its file cannot be imported."""
    student = getattr(import_module(module), name)

    def call(*arguments: Any) -> Any:
        try:
            return student(*arguments)
        except (NotImplementedError, ImportError):
            return solution_of(exercise_id, name)(*arguments)

    return call


def solution_of(exercise_id: str, name: str) -> Callable[..., Any]:
    """The reference of the exercise with that id, whose function has that name."""
    folder = f"g2c.exercises.e{exercise_id.replace('.', '_')}_{name}"
    found: Callable[..., Any] = getattr(import_module(f"{folder}.solution"), name)
    return found


def requested_references() -> str:
    """The exercises, separated by commas, for which the reference stands in.

    The environment variable `G2C_REFERENCE` says so, also where it is empty; where it is not set,
    those that `g2c skip` wrote down.
    """
    if (requested := os.environ.get(REFERENCE_VARIABLE)) is not None:
        return requested
    try:
        return ",".join(read_text(skipped_file()).split())
    except FileNotFoundError:
        return ""


def skipped_file() -> Path:
    """The file with the ids of the exercises that were skipped, one a line."""
    return project_root() / ".g2c" / "handed-back"


def is_requested(exercise_id: str, requested: str) -> bool:
    """Whether the comma-separated list `requested` names the exercise.

    >>> [is_requested("19.1", text) for text in ("all", "19", "20, 19.1", "1", "19.10", "")]
    [True, True, True, False, False, False]
    """
    names = {name.strip() for name in requested.split(",")}
    return not names.isdisjoint({"all", exercise_id, exercise_id.partition(".")[0]})
