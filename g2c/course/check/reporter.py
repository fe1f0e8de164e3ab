"""The pytest plugin that reports each test to the `g2c` command.

Each event is written to a file at once, a JSON object a line, so the file of a killed run shows how
far it got. A test that does not end is stopped, and its current line is reported.
"""

import contextlib
import errno
import json
import os
import signal
import sys
from collections.abc import Callable, Generator
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from g2c.broken import RETRY_S
from g2c.course.check.call_recorder import CALL_RECORDER, CallRecorder
from g2c.course.check.plugin import MAX_SAID_CHARS, KnownFailure
from g2c.course.check.results import TestResult, not_run
from g2c.course.errors import is_students, relative
from g2c.files import open_file

TEST_LIMIT_S = 5
"""Seconds of the processor's time. A student's test takes milliseconds; one that computes for this
long will not end. A limit by the clock would blame a test that only waited on a busy machine."""

WAIT_LIMIT_S = 30
"""Seconds by the clock, for a test that computes nothing and waits for something that never
comes."""

LOOK_S = 1
"""Seconds between two looks at the clock. A pause of the process, as after Ctrl-Z, is one look."""

MIN_COMPUTED_S = 0.1
"""Seconds of the processor's time within `WAIT_LIMIT_S`, below which a test is waiting."""

HANDLER_DEPTH = 100
"""Frames that the handler may need beyond the recursion limit."""

MAX_PRINTED_CHARS = 1000


class TestTooLong(BaseException):
    """A test was stopped. No `except Exception` of the student's may catch it."""

    __test__ = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--report-to", type=Path, metavar="FILE", help="Write what happens to FILE.")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--report-to"):
        config.pluginmanager.register(Reporter(file, config.stash[CALL_RECORDER]))


class Reporter:
    """Writes what happens to `file`."""

    def __init__(self, file: Path, recorder: CallRecorder) -> None:
        self._file = open_file(file, "a", encoding="utf-8", errors="backslashreplace", buffering=1)
        self._seen = recorder
        self._stopped: dict[str, str] = {}
        """The test that was stopped, by its class. The others of the class would not end either."""

    def _tell(self, event: str, **what: Any) -> None:
        self._file.write(json.dumps({"event": event, **what}) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._tell("collected", tests=[item.nodeid for item in session.items])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._tell("trouble", says=report.longreprtext[:MAX_SAID_CHARS])

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        # A student's file whose import does not end has its own limit; see g2c/broken.py.
        with self._time_limit(lambda says: self._tell("trouble", says=says), WAIT_LIMIT_S):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        if before := self._stopped.get(item.nodeid.rpartition("::")[0]):
            raise KnownFailure("not run", not_run(item.nodeid, before).says)
        self._tell("started", test=item.nodeid)

        def tell(says: str) -> None:
            result = TestResult(item.nodeid, "too long", says, given=self._seen.given)
            self._tell("ended", result=asdict(result))

        with self._time_limit(tell):
            try:
                return (yield)
            except TestTooLong as stop:
                self._stopped[item.nodeid.rpartition("::")[0]] = item.nodeid
                raise KnownFailure("too long", str(stop)) from None
            except OSError as error:
                if error.errno == errno.EFBIG:  # the others would print as much
                    self._stopped[item.nodeid.rpartition("::")[0]] = item.nodeid
                raise

    @contextlib.contextmanager
    def _time_limit(
        self, tell: Callable[[str], None], computing_s: float = TEST_LIMIT_S
    ) -> Generator[None, None, None]:
        """Raise TestTooLong in the block when it has taken too long. On Windows and in a browser
        there are no such timers; there the parent process ends the run.

        If the code catches even that, the process reports it and ends.
        """
        if not hasattr(signal, "setitimer"):
            yield
            return
        limits = {
            signal.SIGPROF: (signal.ITIMER_PROF, computing_s),
            signal.SIGALRM: (signal.ITIMER_REAL, WAIT_LIMIT_S),
        }
        stops = looks = 0
        depth = sys.getrecursionlimit()
        computed_s = sum(os.times()[:4])  # with that of the processes that it started

        def stop(number: int, frame: FrameType | None) -> None:
            nonlocal stops, looks, computed_s
            if number == signal.SIGALRM:
                looks += 1
                if looks % (WAIT_LIMIT_S // LOOK_S):
                    return
            sys.setrecursionlimit(depth + HANDLER_DEPTH)
            before, computed_s = computed_s, sum(os.times()[:4])
            if number == signal.SIGALRM and computed_s - before > MIN_COMPUTED_S:
                return  # it does not wait; the machine is busy
            stops += 1
            signal.setitimer(signal.ITIMER_PROF, 1, RETRY_S)
            _, limit = limits[signal.Signals(number)]
            says = f"still running after {limit} seconds{_place(frame)}: is there a loop "
            says += "that nothing ends, or what takes so long?"
            if stops > 1:
                tell(says)
                os._exit(1)
            raise TestTooLong(says)

        before = {number: signal.signal(number, stop) for number in limits}
        signal.setitimer(signal.ITIMER_PROF, computing_s, RETRY_S)
        signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
        try:
            yield
        finally:
            for timer, _ in limits.values():
                signal.setitimer(timer, 0)
            for number, handler in before.items():
                signal.signal(number, handler)
            sys.setrecursionlimit(depth)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.passed:
            return
        printed = report.capstdout[:MAX_PRINTED_CHARS] if report.failed else ""
        self._tell("ended", result=vars(report)["ended"] | {"printed": printed})


def _place(frame: FrameType | None) -> str:
    """The innermost of the student's lines that is running."""
    while frame and not is_students(frame.f_code.co_filename):
        frame = frame.f_back
    return f", in {relative(frame.f_code.co_filename)}, line {frame.f_lineno}" if frame else ""
