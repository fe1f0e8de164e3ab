"""A warm process that tries programs against an exercise's tests, each in a fork of itself.

The process collects the tests once. A trial costs a fork and the tests up to the first that fails,
and cannot affect the next one. `python -m maintain.author.mutation.trials SUITE` reads one trial
from each line of its input, as JSON (`exercise`, `source`), and writes a line for each: the test
that failed, `time` if the program did not end, or nothing if all tests passed.
"""

import contextlib
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

import pytest

import g2c.exercise
from g2c.course.manifest import Exercise, find_exercise
from g2c.paths import project_root

COMPUTING_S = 6
"""Seconds of the processor's time. The tests of an exercise take less than one."""

WAITING_S = 60
"""Seconds by the clock, for a program that waits forever."""

MAX_BYTES = 4 * 2**30

Function = Callable[..., Any]


class Trials:
    """A pytest plugin that runs the tests once for each trial, instead of only once."""

    def __init__(self, answers: int) -> None:
        self._answers = answers
        self._functions: dict[str, Function] = {}
        self._failed = ""
        mark = g2c.exercise.exercise

        def exercise(exercise_id: str) -> Callable[[Function], Function]:
            def choose(student: Function) -> Function:
                self._functions[exercise_id] = mark(exercise_id)(student)
                return lambda *args, **options: self._functions[exercise_id](*args, **options)

            return choose

        g2c.exercise.exercise = exercise  # type: ignore[assignment]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for line in sys.stdin:
            trial = json.loads(line)
            exercise = find_exercise(trial["exercise"])
            items = [item for item in session.items if _class_of(item) in exercise.tests]
            os.write(self._answers, (self._try_in_fork(items, exercise, trial) + "\n").encode())
        return True

    def _try_in_fork(
        self, items: list[pytest.Item], exercise: Exercise, trial: dict[str, str]
    ) -> str:
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            os.close(read)
            self._try(items, exercise, trial["source"], write)
        os.close(write)
        with os.fdopen(read, encoding="utf-8") as said:  # ends with the child and all its processes
            answer = said.readline()
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # processes that it left running
        if not answer:
            stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in _LIMITS
            return "time" if stopped else "the process ended"
        return answer.strip()

    def _try(
        self, items: list[pytest.Item], exercise: Exercise, source: str, write: int
    ) -> NoReturn:
        """In the fork: run the tests until one fails, report it, and exit."""
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (COMPUTING_S, COMPUTING_S + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(WAITING_S)
            failed = self._run(items, exercise, source)
            os.write(write, f"{failed}\n".encode())
        finally:
            os._exit(0)

    def _run(self, items: list[pytest.Item], exercise: Exercise, source: str) -> str:
        """The first test that fails on the program; empty if none does."""
        item = None
        try:
            self._functions[exercise.id] = _function_of(exercise, source)
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._failed:
                    return self._failed
        except BaseException as error:
            return f"{item.name if item else ''} {type(error).__name__}".strip()
        return ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._failed:
            self._failed = report.nodeid.rpartition("::")[2]


_LIMITS = (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM)


def _function_of(exercise: Exercise, source: str) -> Function:
    """The exercise's function in a program."""
    module = ModuleType("mutant")
    exec(compile(source, "<mutant>", "exec"), vars(module))
    function: Function = getattr(module, exercise.function)
    return function


def _class_of(item: pytest.Item) -> str:
    return item.parent.name if item.parent else ""


@contextlib.contextmanager
def _own_output() -> Iterator[int]:
    """A file descriptor for the answers. Everything that is printed is dropped."""
    answers, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nothing, number)
    yield answers


def main(suite: str) -> None:
    os.chdir(project_root())
    os.environ[g2c.exercise.REFERENCE_VARIABLE] = "all"
    for name in ("jsonschema", "pydantic", "yaml"):
        import_module(name)  # once, and not in each fork that needs it
    with _own_output() as answers:
        options = ["-q", "-s", "-p", "no:cacheprovider", "--tb=no"]
        os._exit(pytest.main([*options, suite], plugins=[Trials(answers)]))


if __name__ == "__main__":
    main(sys.argv[1])
