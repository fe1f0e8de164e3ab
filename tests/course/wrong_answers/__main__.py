"""Try the bank, and the other good solutions: `python -m wrong_answers FOLDER` writes a file for
each answer. `--first` tries what `g2c break` shows; `--only` those of some exercises; `--tests` on
other tests than the course's own.

This process collects the student's tests once, and tries each answer in a fork of itself. So a
trial costs no import, and nothing that it does reaches the next one.
"""

import argparse
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Collection
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import pytest
from _pytest.runner import runtestprotocol

import g2c.exercise
from g2c.course.manifest import load_exercises
from g2c.course.scored import goal_of, is_by_model

from . import WrongAnswer, load_bank, load_first_versions

ROOT = Path(__file__).parents[3]
LIMIT_S = 60
"""A wrong answer may run for ever."""

Function = Callable[..., Any]


def switch_exercises() -> dict[str, Function]:
    """Have each exercise call what the returned dict holds for it: at first, its reference."""
    functions: dict[str, Function] = {}
    mark = g2c.exercise.exercise

    def exercise(exercise_id: str) -> Callable[[Function], Function]:
        def choose(student: Function) -> Function:
            functions[exercise_id] = mark(exercise_id)(student)
            return lambda *args, **options: functions[exercise_id](*args, **options)

        return choose

    os.environ[g2c.exercise.REFERENCE_VARIABLE] = "all"
    g2c.exercise.exercise = exercise
    return functions


class Trials:
    """A plugin that, in place of pytest's one run over the tests, makes one for each trial."""

    def __init__(
        self,
        folder: Path,
        functions: dict[str, Function],
        load: Callable[[], list[WrongAnswer]],
        ids: Collection[str],
    ) -> None:
        self.folder = folder
        self.functions = functions
        self.load = load
        self.ids = ids
        self.said: dict[str, str] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        answers = self.load()
        for exercise in load_exercises():
            if exercise.id not in self.ids:
                continue
            items = [item for item in session.items if class_of(item) in exercise.tests]
            if items and exercise.has_goal and not is_by_model(exercise):
                # The tests compare with it: once, and not in each fork. This imports exercises.
                first = getattr(exercise.part("naive"), exercise.function)
                goal_of(exercise).score_for_tests(first)
            self.try_in_fork(items, exercise.id)
            for file in exercise.other_solutions(ROOT):
                name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
                other = getattr(import_module(name), exercise.function)
                self.try_in_fork(items, name, {exercise.id: other})
            for answer in answers:
                if answer.exercise == exercise.id:
                    self.try_in_fork(items, answer.name, {exercise.id: answer.function})
        return True

    def try_in_fork(
        self, items: list[pytest.Item], name: str, functions: dict[str, Function] | None = None
    ) -> None:
        """Write what each test said as JSON; a trial that takes too long writes nothing."""
        gc.collect()
        gc.freeze()  # else each fork looks through all that is here, and has all of it copied
        if child := os.fork():
            os.waitpid(child, 0)
            return
        signal.alarm(LIMIT_S)
        os.fsync = lambda file: None  # no machine stops in a trial, and a disk takes its time
        try:
            self.functions.update(functions or {})
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            file = self.folder / f"{name}.json"
            file.write_text(json.dumps(self.said), encoding="utf-8")
        finally:
            os._exit(0)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Tell nobody else of it."""
        runtestprotocol(item, log=False, nextitem=nextitem)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport | None:
        """The report of a test that has no traceback, which nobody would read."""
        if call.when != "call":
            return None
        said = self.said[item.name] = call.excinfo.exconly() if call.excinfo else ""
        outcome: Literal["passed", "failed"] = "failed" if call.excinfo else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, said or None, "call")


def class_of(item: pytest.Item) -> str:
    return item.parent.name if item.parent else ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="wrong_answers")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--only", nargs="+", default=[exercise.id for exercise in load_exercises()])
    parser.add_argument("--tests", type=Path, default=ROOT / "tests")
    options = parser.parse_args()
    os.chdir(ROOT)
    for name in ("g2c.json_schema", "pydantic", "yaml"):
        import_module(name)  # once, and not in each fork that needs it
    load = load_first_versions if options.first else load_bank
    trials = Trials(options.folder, switch_exercises(), load, options.only)
    for exercise in load_exercises():  # now, and not in a fork, where it would choose the reference
        import_module(exercise.file.removesuffix(".py").replace("/", "."))
    suites = {exercise.suite for exercise in load_exercises() if exercise.id in options.only}
    files = sorted(str(options.tests / Path(suite).name) for suite in suites)
    here = ["--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")]
    here.append("--import-mode=prepend")  # other tests have the names of the course's own
    # Around a test that takes a fraction of a millisecond, what pytest's plugins do is most of it.
    # Those that are left out see to output, logs and warnings, of which no trial is told.
    idle = ("cacheprovider", "logging", "warnings", "threadexception", "unraisableexception")
    less = [part for name in (*idle, "faulthandler", "junitxml") for part in ("-p", f"no:{name}")]
    options = [*here, *less, "--tb=native", "--capture=no"]
    sys.exit(pytest.main([*options, *files], plugins=[trials]))


if __name__ == "__main__":
    main()
