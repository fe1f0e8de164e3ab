"""The pytest plugin that tells the `g2c` command what happens, test by test.

Each event is written to a file as soon as it is known, a JSON object a line, so a run that is
killed has said how far it got. A test that does not end is stopped, and the line where it was is
told.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import signal
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

import g2c.exercise
from g2c.course.bounded import printable
from g2c.course.check.results import TestResult
from g2c.course.check.values import describe_call, sides
from g2c.course.errors import is_students, relative
from g2c.course.manifest import find_exercise

TEST_LIMIT_S = 5
"""Seconds of the processor's time. A student's test takes milliseconds; one that computes for this
long will not end. A clock would blame a test that only had to wait on a busy machine."""

WAIT_LIMIT_S = 30
"""Seconds by the clock, for a test that computes nothing and waits for something that never
comes."""

MOST_PRINTED_CHARS = 1000
MOST_SAID_CHARS = 4000
"""An exception's message may be of any length, and every report of a run has to be read."""

_ATTRIBUTE = re.compile(r"\n \+  where .+\)\.(\w+)$", re.MULTILINE)
"""Where pytest names the attribute that was compared."""

Function = TypeVar("Function", bound=Callable[..., Any])


class TestTooLong(BaseException):
    """A test was stopped. No `except Exception` of the student's may catch it."""

    __test__ = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--report-to", type=Path, metavar="FILE", help="Write what happens to FILE.")


@pytest.hookimpl(tryfirst=True)  # before anything imports a student's file
def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--report-to"):
        config.pluginmanager.register(Reporter(file))


class Reporter:
    """Writes what happens to `file`, from the first exercise that is imported on."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("a", encoding="utf-8", errors="backslashreplace", buffering=1)
        self._test_class = self._given = self._expected = self._got = ""
        self._used: set[str] = set()
        self._mark = g2c.exercise.exercise
        g2c.exercise.exercise = self._exercise

    def _exercise(self, exercise_id: str) -> Callable[[Function], Function]:
        """The exercise switch. It also notes which functions are called, and how the function
        under test was called last."""
        mark = self._mark(exercise_id)
        found = find_exercise(exercise_id)

        def choose(student: Function) -> Function:
            function = mark(student)

            @functools.wraps(function)
            def noted(*args: Any, **options: Any) -> Any:
                self._used.add(exercise_id)
                if self._test_class in found.tests:
                    self._given = describe_call(found.name, args, options)
                return function(*args, **options)

            return noted  # type: ignore[return-value]

        return choose

    def _tell(self, event: str, **what: Any) -> None:
        self._file.write(json.dumps({"event": event, **what}) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._tell("collected", tests=[item.nodeid for item in session.items])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell("trouble", says=report.longreprtext[:MOST_SAID_CHARS])

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        with self._time_limit(lambda says: self._tell("trouble", says=says)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        self._given = self._expected = self._got = ""
        self._used.clear()
        self._test_class = TestResult(item.nodeid).test_class
        self._tell("started", test=item.nodeid)

        def tell(says: str) -> None:
            self._tell("ended", result={"test": item.nodeid, "says": says, "given": self._given})

        with self._time_limit(tell):
            try:
                return (yield)
            except AssertionError as error:
                if self._expected and (found := _ATTRIBUTE.search(str(error))):
                    self._expected = f".{found[1]} = {self._expected}"
                    self._got = f".{found[1]} = {self._got}"
                raise
            except TestTooLong as stop:
                item.session.shouldstop = "a test did not end"  # nor will the next one
                raise pytest.fail.Exception(str(stop), pytrace=False) from None

    @contextlib.contextmanager
    def _time_limit(self, tell: Callable[[str], None]) -> Generator[None, None, None]:
        """Raise TestTooLong in the block when it has taken too long. On Windows nothing is raised;
        the parent process ends the run.

        If the code catches even that, the process tells of it and ends.
        """
        if not hasattr(signal, "SIGALRM"):
            yield
            return
        limits = {
            signal.SIGPROF: (signal.ITIMER_PROF, TEST_LIMIT_S),
            signal.SIGALRM: (signal.ITIMER_REAL, WAIT_LIMIT_S),
        }
        stops = 0

        def stop(number: int, frame: FrameType | None) -> None:
            nonlocal stops
            stops += 1
            _, limit = limits[signal.Signals(number)]
            says = f"still running after {limit} seconds{_place(frame)}: is there a loop "
            says += "that nothing ends, or what takes so long?"
            if stops > 1:
                tell(says)
                os._exit(1)
            raise TestTooLong(says)

        before = {number: signal.signal(number, stop) for number in limits}
        for timer, limit in limits.values():
            signal.setitimer(timer, limit, 1)
        try:
            yield
        finally:
            for timer, _ in limits.values():
                signal.setitimer(timer, 0)
            for number, handler in before.items():
                signal.signal(number, handler)

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self._expected, self._got = sides(op, left, right)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.passed:
            return
        failed = report.failed
        self._tell(
            "ended",
            result={
                "test": report.nodeid,
                "says": _why(report) if failed else "",
                "given": self._given if failed else "",
                "expected": self._expected if failed else "",
                "got": self._got if failed else "",
                "printed": report.capstdout[:MOST_PRINTED_CHARS] if failed else "",
                "used": " ".join(sorted(self._used)) if failed else "",
                "skipped": str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else "",
            },
        )


def _why(report: pytest.TestReport) -> str:
    """Why a test failed, never empty: a result that says nothing has passed."""
    return printable(report.longreprtext)[:MOST_SAID_CHARS].strip() or "It failed without a word."


def _place(frame: FrameType | None) -> str:
    """Which of the student's lines runs; the innermost one."""
    while frame and not is_students(frame.f_code.co_filename):
        frame = frame.f_back
    return f", in {relative(frame.f_code.co_filename)}, line {frame.f_lineno}" if frame else ""
