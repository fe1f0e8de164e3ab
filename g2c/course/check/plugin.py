"""What the course adds to pytest: `--reference`, failures that a student can read, and no skips.

A failed test of an exercise shows how the function was called, what was compared, and the test's
message; a function that raised shows the lines of its own file. `--tb=long` shows all that pytest
knows. `--nbval` works as it is typed, though plugins are not loaded by themselves here.

Only a mark in `tests/` can skip a test of an exercise. A skip that comes from anywhere else is a
failure.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable

import pytest

from g2c.broken import BrokenFile
from g2c.course.bounded import printable
from g2c.course.check.results import TestResult, as_lines
from g2c.course.check.told import HOW, remember, told
from g2c.course.check.witness import WITNESS, Witness
from g2c.course.errors import (
    broken_exercise,
    import_trouble,
    in_short,
    not_started,
    notes_of,
    without_body,
)
from g2c.course.manifest import Exercise, all_suites, check_reference_names, load_exercises
from g2c.exercise import REFERENCE_VARIABLE, requested_references
from g2c.surroundings import libraries_first

NOT_PASSED = "A test that is skipped, or that ends pytest, has not passed."

_FAILED = pytest.StashKey[list[pytest.TestReport]]()
"""The reports of all failed tests, also while the terminal prints some of them."""

_TOLD = pytest.StashKey[frozenset[str]]()
"""The tests whose failure was shown in a run before this one."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    wanted = any(argument.startswith("--nbval") for argument in sys.argv)
    if wanted and "nbval" not in sys.argv:  # as in `-p nbval`, which loads it, too
        with contextlib.suppress(ImportError):  # then pytest says that it does not know the option
            pluginmanager.import_plugin("nbval.plugin")
    parser.addoption(
        "--reference",
        nargs="?",
        const="all",
        metavar="IDS",
        help="Run the reference instead of your function: for all exercises, or for those named, "
        "as in --reference=19.1 or --reference=19,20.2.",
    )
    parser.addoption(
        "--why", action="store_true", help="Say what each failure means, also the first time."
    )

    if said := os.environ.get("PYTEST_ADDOPTS"):
        parser.extra_info["PYTEST_ADDOPTS"] = f"{said} (of your shell, and not of the course)"


def pytest_load_initial_conftests() -> None:
    libraries_first()  # pytest has put the folders of the tests before them


@pytest.hookimpl(tryfirst=True)  # before anything imports a student's file
def pytest_configure(config: pytest.Config) -> None:
    if not __debug__:
        raise pytest.UsageError(
            "Python was told to leave out assert, with which the tests check: unset "
            "PYTHONOPTIMIZE, and start Python without -O."
        )
    requested = config.getoption("--reference")
    try:
        check_reference_names(requested or requested_references())
    except ValueError as error:
        hint = "Write --reference=all, or put --reference last." if requested else ""
        raise pytest.UsageError(f"{error} {hint}".rstrip()) from None
    if requested:
        os.environ[REFERENCE_VARIABLE] = requested
    config.stash[WITNESS] = Witness()
    config.stash[_TOLD] = told()
    config.pluginmanager.register(config.stash[WITNESS])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    witness = item.config.stash[WITNESS]
    witness.begin(item.parent.name if item.parent else "")
    try:
        return (yield)
    except AssertionError as error:
        witness.name_attribute(error)
        raise
    except (NotImplementedError, BrokenFile) as error:
        if says := without_body(error):
            raise pytest.fail.Exception(says, pytrace=False) from None
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
        item.repr_failure = lambda excinfo, style=None: _told(item, excinfo.value)  # type: ignore[method-assign]


def _told(item: pytest.Item, error: BaseException) -> str:
    """What is shown of a failure. The `g2c` command gets the message alone; it has the rest."""
    says = printable(_failure(error))
    if item.config.pluginmanager.has_plugin("g2c.course.check.reporter") or _is_told_once(says):
        return says
    seen = item.config.stash[WITNESS]
    result = TestResult(item.nodeid, says, seen.given, seen.expected, seen.got)
    why = _tells_why(item.config) or item.nodeid in item.config.stash[_TOLD]
    return printable("\n".join(as_lines(result.rows(why=why))))


def _tells_why(config: pytest.Config) -> bool:
    """Whether each failure says what it means: where that was asked for, and of a reference."""
    return config.getoption("--why") or bool(requested_references())


def _is_told_once(says: str) -> bool:
    """Whether a message is about a whole exercise, and the same for all of its tests."""
    return says in map(not_started, load_exercises()) or broken_exercise(says) is not None


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
    """Leave out of the list of failures what one line says for all tests of an exercise. What
    cannot be imported is told before the list."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    failed = terminal.stats.get("failed", []) if terminal else []
    session.config.stash[_FAILED] = failed
    if terminal:
        _show_once(terminal, "cannot be imported", failed, broken_exercise)
        terminal.stats["failed"] = [r for r in failed if not _is_told_once(r.longreprtext)]
    return (yield)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """After the failures: what is not started, and the first exercise that is to be done."""
    if terminalreporter.no_summary:  # whoever runs it shows the failures
        return
    failed = config.stash[_FAILED]
    if failed:
        terminalreporter.stats["failed"] = failed  # so that all are counted
    unstarted = {not_started(exercise): exercise for exercise in load_exercises()}
    _show_once(terminalreporter, "not started", failed, unstarted.get)
    suites = tuple(all_suites())
    shown = [
        report.nodeid
        for report in failed
        if report.nodeid.startswith(suites) and not _is_told_once(report.longreprtext)
    ]
    if shown and not _tells_why(config):
        terminalreporter.line("")
        terminalreporter.line(HOW)
    remember(shown, [report.nodeid for report in terminalreporter.stats.get("passed", [])])
    classes = {report.nodeid.split("::")[1] for report in failed if "::" in report.nodeid}
    following = next((e for e in load_exercises() if classes.intersection(e.tests)), None)
    if following:
        terminalreporter.section("next")
        terminalreporter.line(
            f"{following.id} {following.name} in {following.file}; read {following.lesson}\n"
            f"g2c check {following.id} tells more of each failure, g2c hint {following.id} helps"
        )


def _show_once(
    terminal: pytest.TerminalReporter,
    title: str,
    failed: Iterable[pytest.TestReport],
    exercise_of: Callable[[str], Exercise | None],
) -> None:
    """A section with each message that is an exercise's, in the course's order, and the number of
    tests that fail with it."""
    counts = Counter(r.longreprtext for r in failed if exercise_of(r.longreprtext))
    if counts:
        terminal.line("")
        terminal.section(title)
    order = load_exercises()
    for says, count in sorted(counts.items(), key=lambda one: order.index(exercise_of(one[0]))):
        first, *rest = says.splitlines()
        terminal.line("\n".join([f"{first}  ({count} test{'s' * (count != 1)})", *rest]))


def pytest_report_header() -> str | None:
    requested = requested_references()
    return f"reference in place of: {requested}" if requested else None
