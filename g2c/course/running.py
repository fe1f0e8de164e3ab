"""Running the student's tests in a process of their own.

The process is started before it is needed: it loads pytest and the libraries, which is most of
what a run takes, and waits to be told which tests to run. It imports the student's files only
then, so it always sees what was saved last.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from g2c.course.manifest import Exercise, load_exercises
from g2c.course.outcomes import Outcome, TestRun
from g2c.paths import project_root

RUN_LIMIT_S = 120
"""A run that takes longer is killed; a test that does not end is stopped by itself before."""


class TestProcess:
    """A process that is ready to run tests, once; `close` it after that."""

    __test__ = False

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="g2c-tests-", ignore_cleanup_errors=True)
        self._events = Path(self._folder.name, "events.jsonl")
        self._output = Path(self._folder.name, "output.txt")
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "g2c.course.warm"],
                cwd=project_root(),
                env={**os.environ, **(environment or {})},
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def start(self, tests: Iterable[str]) -> None:
        """Run `tests`: files, or classes as `tests/test_agent.py::TestExtractPlan`."""
        assert self._process.stdin
        plugin = ["-p", "g2c.course.reporting", "--report-to", str(self._events)]
        arguments = ["-q", "-p", "no:cacheprovider", "--no-summary", *plugin, *tests]
        with contextlib.suppress(BrokenPipeError):  # it is dead; `result` says of what
            self._process.stdin.write(json.dumps(arguments).encode() + b"\n")
            self._process.stdin.close()

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def result(self, limit_s: float = RUN_LIMIT_S) -> TestRun:
        """What the run gave, when it has ended; after `limit_s` seconds it is killed."""
        try:
            self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        text = self._events.read_text("utf-8") if self._events.exists() else ""
        run = read_events(text)
        if run.trouble or len(run.outcomes) == len(run.collected) > 0:
            return run
        if run.failures:
            return replace(run, trouble="The tests after this one were not run.")
        said = self._output.read_text("utf-8", "replace").strip()
        return replace(run, trouble=f"The tests did not run to their end.\n{said}")

    def close(self) -> None:
        """End it, whatever it does, and forget its files."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def read_events(text: str) -> TestRun:
    """The run that the lines of `g2c.course.reporting` tell of, the last of which may be torn."""
    collected: tuple[str, ...] = ()
    outcomes: list[Outcome] = []
    trouble: list[str] = []
    running = ""
    for line in text.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            break
        match event["event"]:
            case "collected":
                collected = tuple(event["tests"])
            case "started":
                running = event["test"]
            case "ended":
                outcomes.append(Outcome(**event["outcome"]))
                running = ""
            case "trouble":
                trouble.append(event["says"])
    if running:
        outcomes.append(Outcome(running, "did not end, or ended the whole process"))
    return TestRun(collected, tuple(outcomes), "\n".join(dict.fromkeys(trouble)))


def run_tests(tests: Iterable[str]) -> TestRun:
    """Run tests in a new process and wait for it."""
    with contextlib.closing(TestProcess()) as process:
        process.start(tests)
        return process.result()


def tests_of(exercise: Exercise) -> list[str]:
    """The classes that an exercise turns green, as pytest names them."""
    return [f"{exercise.suite}::{name}" for name in exercise.tests]


def tests_upto(exercise: Exercise) -> list[str]:
    """The tests of an exercise and of those before it in its module, on which it may depend."""
    exercises = load_exercises()[: load_exercises().index(exercise) + 1]
    return [test for one in exercises if one.module == exercise.module for test in tests_of(one)]


def all_tests() -> list[str]:
    """The files that hold the student's tests."""
    return sorted({exercise.suite for exercise in load_exercises()})
