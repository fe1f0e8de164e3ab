"""What the course adds to pytest: `--reference`, failures that a student can read, and no skips.

A failed test of an exercise shows only the test's message; a function that raised shows the lines
of its own file. `--tb=long` shows all that pytest knows. Only a mark in `tests/` can skip a test of
an exercise. A skip that comes from anywhere else is a failure.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

from g2c.course.bounded import printable
from g2c.course.errors import import_trouble, in_short, not_started, notes_of, stub_that_raised
from g2c.course.manifest import all_suites, check_reference_names, load_exercises
from g2c.exercise import REFERENCE_VARIABLE, requested_references

NOT_PASSED = "A test that is skipped, or that ends pytest, has not passed."

_FAILED = pytest.StashKey[list[pytest.TestReport]]()
"""The reports of all failed tests, also while the terminal prints some of them."""


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
        check_reference_names(requested or requested_references())
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
        if exercise := stub_that_raised(error):
            raise pytest.fail.Exception(not_started(exercise), pytrace=False) from None
        raise
    except pytest.exit.Exception as error:
        raise pytest.fail.Exception(f"{NOT_PASSED}\n{in_short(error)}", pytrace=False) from None


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around those that turn an exception into a skip
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    error = call.excinfo.value if call.excinfo else None  # pytest puts its own in place of some
    report = yield
    is_skip = report.skipped or hasattr(report, "wasxfail")
    is_marked = report.when == "setup" and item.get_closest_marker("skipif")
    if is_skip and not is_marked and _is_exercise_test(item):
        report.outcome = "failed"
        report.longrepr = NOT_PASSED
        if error:
            report.longrepr += f"\n{in_short(error)}"
        vars(report).pop("wasxfail", None)
    return report


def pytest_itemcollected(item: pytest.Item) -> None:
    if item.config.getoption("tbstyle") == "auto" and _is_exercise_test(item):
        item.repr_failure = lambda excinfo, style=None: printable(_failure(excinfo.value))  # type: ignore[method-assign]


def _failure(error: BaseException) -> str:
    """Why a test failed: the test's own message, or the exception of the student's code."""
    # After a test's own message comes pytest's analysis of the expression.
    message = str(error).partition("\nassert ")[0]
    if isinstance(error, AssertionError | pytest.fail.Exception) and message:
        return "\n".join([message.rstrip(), *notes_of(error)])
    return in_short(error)


def _is_exercise_test(item: pytest.Item) -> bool:
    classes = {name for exercise in load_exercises() for name in exercise.tests}
    return item.parent is not None and item.parent.name in classes


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    call = getattr(report, "call", None)
    if not report.passed and call and call.excinfo and collector.nodeid in all_suites():
        report.outcome = "failed"  # also where a student's file skips all tests of the module
        error = call.excinfo.value
        report.longrepr = import_trouble(error.__cause__ or error)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around the terminal's, which prints the failures
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Leave the tests of what is not started out of the list of failures: one line for each
    exercise says it."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    failed = terminal.stats.get("failed", []) if terminal else []
    lines = {not_started(exercise) for exercise in load_exercises()}
    session.config.stash[_FAILED] = failed
    if terminal:
        terminal.stats["failed"] = [r for r in failed if r.longreprtext not in lines]
    return (yield)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """After the failures: what is not started, and the first exercise that is to be done."""
    failed = config.stash[_FAILED]
    if failed:
        terminalreporter.stats["failed"] = failed  # so that all are counted
    counts = Counter(report.longreprtext for report in failed)
    classes = {report.nodeid.split("::")[1] for report in failed if "::" in report.nodeid}
    unstarted = [e for e in load_exercises() if counts[not_started(e)]]
    if unstarted:
        terminalreporter.section("not started")
    for exercise in unstarted:
        count = counts[not_started(exercise)]
        terminalreporter.line(f"{not_started(exercise)}  ({count} tests)")
    following = next((e for e in load_exercises() if classes.intersection(e.tests)), None)
    if following:
        terminalreporter.section("next")
        terminalreporter.line(
            f"{following.id} {following.name} in {following.file}; read {following.lesson}\n"
            f"g2c check {following.id} tells more of each failure, g2c hint {following.id} helps"
        )


def pytest_report_header() -> str | None:
    requested = requested_references()
    return f"reference in place of: {requested}" if requested else None
