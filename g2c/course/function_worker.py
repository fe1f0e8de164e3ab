"""The process of `OtherFunctions`: some exercises are a student's own or a file's, the others
references. It answers tasks from its standard input until that ends."""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import pickle
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from g2c.course.manifest import find_exercise
from g2c.course.other_functions import file_of
from g2c.course.traces import tracing_to_file
from g2c.interrupted import OutageError
from g2c.text import named_reason


class _FromFile(importlib.abc.MetaPathFinder):
    """Finds the module of an exercise in another file."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        file = self._files.get(fullname)
        return importlib.util.spec_from_file_location(fullname, file) if file else None


def main() -> None:
    """Answer the tasks; what a function prints goes to the standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    functions = json.loads(sys.argv[1])
    chosen = map(find_exercise, functions)
    files = {
        exercise.import_name: file_of(exercise, functions[exercise.id]).resolve()
        for exercise in chosen
    }
    sys.meta_path.insert(0, _FromFile(files))
    with tracing_to_file("functions"):
        _answer_tasks(answers)


def _answer_tasks(answers: BinaryIO) -> None:
    from g2c.course.sweep_workers import loaded

    while True:
        try:
            name, task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        said: Any
        try:
            from g2c.suite.runner import run_task
            from g2c.suite.settings import split_name

            model, settings = split_name(name)
            said = run_task(loaded(model), task, settings)
        except OutageError as error:
            said = error
        except Exception as error:  # whatever the student's module does when it is imported
            said = RuntimeError(named_reason(error))
        pickle.dump(said, answers)
        answers.flush()


if __name__ == "__main__":
    main()
