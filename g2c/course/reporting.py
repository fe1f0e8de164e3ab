"""The plugin inside the test process: it tells the command what happens, test by test.

What is told goes to a file, a JSON object a line, as soon as it is known, so that a run which is
killed has said how far it got. A test that does not end is stopped, with the line that it was in.
"""

from __future__ import annotations

import contextlib
import functools
import json
import signal
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

import g2c.exercise
from g2c.course.failures import is_students, relative
from g2c.course.manifest import find_exercise

TEST_LIMIT_S = 5
"""A student's test takes milliseconds; one that takes this long will not end."""

MOST_CHARS = 1000
"""Of a value, and of what was printed, as it is told."""

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
        self._given = self._expected = self._got = ""
        self._mark = g2c.exercise.exercise
        g2c.exercise.exercise = self._exercise

    def _exercise(self, exercise_id: str) -> Callable[[Function], Function]:
        """The exercise switch, and a note of what a module's function is called with."""
        mark = self._mark(exercise_id)
        if "." in find_exercise(exercise_id).name:
            return mark  # of a method, the arguments say little

        def choose(student: Function) -> Function:
            function = mark(student)

            @functools.wraps(function)
            def noted(*args: Any, **options: Any) -> Any:
                values = [*map(_brief, args), *(f"{k}={_brief(v)}" for k, v in options.items())]
                self._given = f"{student.__name__}({', '.join(values)})"
                return function(*args, **options)

            return noted  # type: ignore[return-value]

        return choose

    def _tell(self, event: str, **what: Any) -> None:
        self._file.write(json.dumps({"event": event, **what}) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._tell("collected", tests=[item.nodeid for item in session.items])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell("trouble", says=report.longreprtext)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        self._given = self._expected = self._got = ""
        self._tell("started", test=item.nodeid)
        with _time_limit(TEST_LIMIT_S):
            try:
                return (yield)
            except TestTooLong as stop:
                item.session.shouldstop = "a test did not end"  # the next one would not, either
                raise pytest.fail.Exception(str(stop), pytrace=False) from None

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self._expected, self._got = sides(op, left, right)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and not report.failed:
            return
        failed = report.failed
        self._tell(
            "ended",
            outcome={
                "test": report.nodeid,
                "says": report.longreprtext if failed else "",
                "given": self._given if failed else "",
                "expected": self._expected if failed else "",
                "got": self._got if failed else "",
                "printed": report.capstdout[:MOST_CHARS] if failed else "",
            },
        )


def sides(op: str, left: object, right: object) -> tuple[str, str]:
    """What a comparison that failed expected, and what it got, as a person reads them.

    >>> sides("==", 3, 4)
    ('4', '3')
    >>> sides("in", "a", "bcd")
    ("something with 'a' in it", "'bcd'")
    """
    match op:
        case "==" | "is":
            return _brief(right), _brief(left)
        case "in":
            return f"something with {_brief(left)} in it", _brief(right)
        case "not in":
            return f"nothing with {_brief(left)} in it", _brief(right)
        case _:
            return f"{op} {_brief(right)}", _brief(left)


def _brief(value: object) -> str:
    text = repr(value)
    if len(text) <= MOST_CHARS:
        return text
    return f"{text[: MOST_CHARS // 2]} ... {text[-MOST_CHARS // 2 :]}"


@contextlib.contextmanager
def _time_limit(seconds: int) -> Generator[None, None, None]:
    """Raise TestTooLong in the block when it has taken so long; on Windows the parent waits."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(_signal: int, frame: FrameType | None) -> None:
        place = ""
        while frame and not is_students(frame.f_code.co_filename):
            frame = frame.f_back
        if frame:
            place = f", in {relative(frame.f_code.co_filename)}, line {frame.f_lineno}"
        raise TestTooLong(
            f"still running after {seconds} seconds{place}: does something end this loop?"
        )

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
