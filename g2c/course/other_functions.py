"""A process in which the functions of some exercises are a student's own, or those of a file.

The exercise switch chooses once, when a module is imported. So one process cannot compare two
versions of a function: each runs in its own process, with the references for all other exercises.
"""

from __future__ import annotations

import ast
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from g2c.course.manifest import Exercise, find_exercise, load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import REFERENCE_VARIABLE
from g2c.kept import key_of_code
from g2c.paths import project_root
from g2c.text import reason_of
from g2c.tracing import environment_of_child
from g2c.written import read_text

if TYPE_CHECKING:
    from g2c.suite.runner import Attempt
    from g2c.suite.tasks import SuiteTask

YOURS = "yours"


def identity_of_functions(functions: Mapping[str, str]) -> dict[str, str]:
    """A key of the code of each of these functions, which others of the same name do not share.

    Raises:
        ValueError: there is no such exercise, it is not written yet, or the file lacks its
            function.
    """
    found = {}
    for exercise_id, whose in functions.items():
        exercise = find_exercise(exercise_id)
        file = file_of(exercise, whose)
        try:
            text = read_text(file)
            names = {
                statement.name
                for statement in ast.parse(text).body
                if isinstance(statement, ast.FunctionDef)
            }
        except OSError as error:
            raise ValueError(f"The function cannot be read: {reason_of(error)}") from None
        except SyntaxError as error:
            raise ValueError(f"{file} cannot be read ({error}).") from None
        if exercise.function not in names:
            raise ValueError(f"{file} has no function {exercise.function}, which {exercise.id} is.")
        if whose == YOURS and is_stub(exercise):
            raise ValueError(f"Your {exercise.id} is not written yet; g2c next says what is.")
        found[f"function {exercise_id}"] = key_of_code(file)
    return found


class OtherFunctions:
    """The process for these functions. It must be closed, or it waits for ever."""

    def __init__(self, functions: Mapping[str, str]) -> None:
        references = [exercise.id for exercise in load_exercises() if exercise.id not in functions]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "g2c.course.function_worker", json.dumps(dict(functions))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {REFERENCE_VARIABLE: ",".join(references), **environment_of_child()},
            start_new_session=True,  # Ctrl-C is for the parent, which keeps what was measured
        )

    def ask(self, model: str, task: SuiteTask) -> Attempt:
        """The outcome of the task for the model of that name.

        Raises:
            OutageError: the model could not be asked.
            RuntimeError: a file cannot be imported, or the process ended.
        """
        assert self._process.stdin and self._process.stdout
        try:
            pickle.dump((model, task), self._process.stdin)
            self._process.stdin.flush()
            said: Attempt | Exception = pickle.load(self._process.stdout)
        except (OSError, EOFError):
            raise RuntimeError(f"its process ended with {self._process.wait()}.") from None
        if isinstance(said, Exception):
            raise said
        return said

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def file_of(exercise: Exercise, whose: str) -> Path:
    """The file with a student's own function, or with the one that was named."""
    return project_root() / exercise.file if whose == YOURS else Path(whose)
