"""What the course adds to pytest: `--reference`, and failures that a student can read.

A failed test of an exercise shows what the test says and nothing of how it was found; a function
that raised shows the lines of its own file. `--tb=long` gives pytest's full account.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Generator
from pathlib import Path

import pytest

from g2c.course.manifest import Exercise, check_reference_names, load_exercises
from g2c.exercise import REFERENCE_VARIABLE
from g2c.paths import project_root


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--reference",
        nargs="?",
        const="all",
        metavar="IDS",
        help="Run the reference instead of your function: for all exercises, or for those named, "
        "as in --reference=19.1 or --reference=19,20.2.",
    )


@pytest.hookimpl(tryfirst=True)  # before anything imports a student's file
def pytest_configure(config: pytest.Config) -> None:
    requested = config.getoption("--reference")
    try:
        check_reference_names(requested or os.environ.get(REFERENCE_VARIABLE, ""))
    except ValueError as error:
        hint = "Write --reference=all, or put --reference last." if requested else ""
        raise pytest.UsageError(f"{error} {hint}".rstrip()) from None
    if requested:
        os.environ[REFERENCE_VARIABLE] = requested


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    try:
        return (yield)
    except NotImplementedError as error:
        if exercise := _stub_that_raised(error):
            started = f"{exercise.id} {exercise.name}: not started. {exercise.lesson}"
            raise pytest.fail.Exception(started, pytrace=False) from None
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    plain = item.config.getoption("tbstyle") == "auto" and _is_exercise_test(item)
    if call.when == "call" and call.excinfo and plain and report.failed:
        report.longrepr = _in_short(call.excinfo.value)
    return report


def _is_exercise_test(item: pytest.Item) -> bool:
    classes = {name for exercise in load_exercises() for name in exercise.tests}
    return item.parent is not None and item.parent.name in classes


def _in_short(error: BaseException) -> str:
    if isinstance(error, AssertionError | pytest.fail.Exception):
        # After the test's own message comes pytest's analysis of the expression.
        lines = [str(error).partition("\nassert ")[0]]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        package = project_root() / "g2c"
        own = [
            frame
            for frame in frames
            if Path(frame.filename).is_relative_to(package) and frame.filename != __file__
        ]
        lines = [f"{type(error).__name__}: {error}", *traceback.format_list(own)]
    return "\n".join([*(line.rstrip() for line in lines), *getattr(error, "__notes__", ())])


def _stub_that_raised(error: NotImplementedError) -> Exercise | None:
    """The exercise whose stub raised this error, if it was one."""
    *_, (frame, _line) = traceback.walk_tb(error.__traceback__)
    target = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"
    return next((e for e in load_exercises() if e.target == target), None)


def pytest_report_header(config: pytest.Config) -> str | None:
    requested = os.environ.get(REFERENCE_VARIABLE)
    return f"reference in place of: {requested}" if requested else None
