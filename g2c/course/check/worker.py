"""A process that runs the student's tests, once.

The process is started early: it loads pytest and the libraries, which is most of a run's time, then
waits for the names of the tests. It imports the student's files only then, so it sees the last
save. `python -m g2c.course.check.worker` is that process.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from g2c.course.bounded import printable
from g2c.course.check.results import TestRun, read_events
from g2c.ending import EndingPool, ended_with_its_pool
from g2c.extras import require
from g2c.files import open_file, read_text
from g2c.paths import project_root
from g2c.surroundings import own_environment

OPTIONS = (
    *("-q", "-p", "no:cacheprovider", "--no-summary"),
    *("-c", "pyproject.toml", "--rootdir", ".", "--noconftest"),  # and no student's settings
)
"""pytest's arguments besides the tests."""

LOOK_S = 1.0
"""Seconds between two looks at whether a run is silent."""

SILENCE_LIMIT_S = 120
"""Seconds without a word after which a run is killed. The reporter stops a test before that."""

_MISSING = re.compile(
    r"^ERROR: (?:file or directory )?not found: \S*?(tests/[^\s:]+)(\S*)$", re.MULTILINE
)
"""How pytest names a file, or a class in one, which is not there."""


class TestWorker:
    """A process that is ready to run tests, once; `close` it after that."""

    __test__ = False

    def __init__(self) -> None:
        require("course", "pytest")
        self._folder = tempfile.TemporaryDirectory(prefix="g2c-tests-", ignore_cleanup_errors=True)
        self._events = Path(self._folder.name, "events.jsonl")
        self._output = Path(self._folder.name, "output.txt")
        self._said, self._looked, self._silent_s = -1, 0.0, 0.0
        with open_file(self._output, "wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "g2c.course.check.worker"],
                cwd=project_root(),
                env=own_environment(),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def start(self, tests: Iterable[str]) -> None:
        """Run `tests`: files, or classes as `tests/test_agent.py::TestExtractPlan`."""
        assert self._process.stdin
        plugin = ["-p", "g2c.course.check.reporter", "--report-to", str(self._events)]
        arguments = [*OPTIONS, *plugin, *tests]
        with contextlib.suppress(BrokenPipeError):  # it has died; `result` says why
            self._process.stdin.write(json.dumps(arguments).encode() + b"\n")
            self._process.stdin.close()

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def is_silent(self, limit_s: float = SILENCE_LIMIT_S) -> bool:
        """Whether the run has written nothing for `limit_s` seconds, as far as somebody asked. A
        longer time between two questions, as after Ctrl-Z, is one look."""
        before, now = self._said, time.monotonic()
        self._said = self._events.stat().st_size if self._events.exists() else 0
        self._silent_s += min(now - self._looked, LOOK_S)
        if self._said != before:
            self._silent_s = 0.0
        self._looked = now
        return self._silent_s >= limit_s

    def result(self, limit_s: float = SILENCE_LIMIT_S) -> TestRun:
        """Wait for the run's result. It is killed when it has written nothing for `limit_s`
        seconds; then, or if it ended early, tests may be missing."""
        with ended_with_its_pool(self._process):
            while self._process.poll() is None:
                if self.is_silent(limit_s):
                    self._process.kill()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(LOOK_S)
        text = read_text(self._events) if self._events.exists() else ""
        run = read_events(text)
        if run.trouble or run.results:
            return run
        output = printable(read_text(self._output, "utf-8", "replace")).strip()
        if missing := _MISSING.search(output):
            why = (
                f"{missing[1]}{missing[2]} is missing. git checkout {missing[1]} brings it back, "
                "or g2c update in a folder that g2c init made."
            )
        else:
            why = f"The tests did not run to their end.\n{output}"
        return replace(run, trouble=why)

    def close(self) -> None:
        """End the process, whatever it is doing, and delete its files."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def run_tests(tests: Iterable[str]) -> TestRun:
    """Run tests in a new process and wait for it. If a test ends the process, another one runs the
    classes that are left."""
    run, left = None, tuple(tests)
    while left:
        with contextlib.closing(TestWorker()) as worker:
            worker.start(left)
            part = worker.result()
        run = run.followed_by(part) if run else part
        left = part.classes_left()
    return run.completed() if run else TestRun()


def run_each(groups: Iterable[Sequence[str]]) -> list[TestRun]:
    """Run these groups of tests, each in its own process, as many at a time as there are cores."""
    with EndingPool() as pool:
        return list(pool.map(run_tests, groups))


def main() -> None:
    """Load what is slow to load, read pytest's arguments as a line of JSON, and run pytest."""
    import _pytest.config
    import pytest

    for plugin in _pytest.config.default_plugins:  # pytest would import them one by one, later
        import_module(f"_pytest.{plugin}")
    import_module("g2c.inference")
    import_module("g2c.tools")

    with contextlib.suppress(ImportError, ValueError):  # Windows has none, or it is lower already
        import resource

        from g2c.tools.limits import MAX_FILE_BYTES

        most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, most))
    line = sys.stdin.readline()
    status = pytest.main(json.loads(line)) if line.strip() else 0
    sys.stdout.flush()
    os._exit(status)  # Python's orderly exit takes longer than many test runs


if __name__ == "__main__":
    main()
