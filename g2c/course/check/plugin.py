"""The course's pytest plugin: `--reference`, failures that a student can read, and no skips.

A failed test of an exercise shows how the function was called, what was compared, and the test's
message; a function that raised shows the lines of its own file. `--tb=long` shows all that pytest
knows. `--nbval` works as usual, though plugins are not loaded automatically here.

Only a mark in `tests/` can skip a test of an exercise. A skip from anywhere else is a failure.
"""

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import asdict

import pytest

from g2c.broken import BrokenFile
from g2c.course.bounded import printable
from g2c.course.check.call_recorder import CALL_RECORDER, CallRecorder
from g2c.course.check.examples import add_examples
from g2c.course.check.results import Kind, TestResult, as_lines
from g2c.course.check.seen_failures import HOW, remember, seen_failures
from g2c.course.errors import import_trouble, in_short, no_body, notes_of
from g2c.course.manifest import all_suites, check_reference_names, load_exercises
from g2c.exercise import REFERENCE_VARIABLE, requested_references
from g2c.surroundings import libraries_first

NOT_PASSED = "A test that is skipped, or that ends pytest, has not passed."

MAX_SAID_CHARS = 4000
"""An exception's message may be of any length, and every report of a run has to be read."""
MAX_TRACED, MAX_CAUSES = 500, 10
"""The calls at each end of a traceback, and the errors behind an error, that are kept."""

_FAILED = pytest.StashKey[list[pytest.TestReport]]()
"""The reports of all failed tests, also while the terminal prints only some."""

_SEEN = pytest.StashKey[frozenset[str]]()
"""The tests whose failure was shown in an earlier run."""


class KnownFailure(pytest.fail.Exception):  # type: ignore[misc, name-defined]
    """A failure of a known kind; `about` as in `TestResult`."""

    def __init__(self, kind: Kind, says: str, about: str = "") -> None:
        super().__init__(says, pytrace=False)
        self.kind = kind
        self.about = about


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
        "--why",
        action="store_true",
        help="Explain each failure, even one that is shown for the first time.",
    )

    if said := os.environ.get("PYTEST_ADDOPTS"):
        parser.extra_info["PYTEST_ADDOPTS"] = f"{said} (of your shell, and not of the course)"


def pytest_load_initial_conftests() -> None:
    libraries_first()  # pytest has put the tests' folders in front


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
    config.stash[CALL_RECORDER] = CallRecorder()
    config.stash[_SEEN] = seen_failures()
    config.pluginmanager.register(config.stash[CALL_RECORDER])


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> None:
    if isinstance(obj, type) and collector.nodeid in all_suites():
        add_examples(obj)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    recorder = item.config.stash[CALL_RECORDER]
    recorder.begin(item.parent.name if item.parent else "")
    try:
        return (yield)
    except AssertionError as error:
        recorder.name_attribute(error)
        raise
    except (NotImplementedError, BrokenFile) as error:
        if found := no_body(error):
            about = found.exercise.id if found.exercise else ""
            raise KnownFailure(found.kind, found.says, about) from None
        raise
    except pytest.exit.Exception as error:
        raise pytest.fail.Exception(f"{NOT_PASSED}\n{in_short(error)}", pytrace=False) from None


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around hooks that make skips of exceptions
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    error = call.excinfo.value if call.excinfo else None  # pytest replaces some
    cut_traceback(error)
    is_students = _is_exercise_test(item)
    option = item.config.option
    in_words = is_students and call.when == "call" and option.tbstyle == "auto"
    # Words replace pytest's traceback. With any style but this one, pytest would parse the whole
    # test file at each failure.
    option.tbstyle = "native" if in_words else option.tbstyle
    report = yield
    option.tbstyle = "auto" if in_words else option.tbstyle
    is_skip = report.skipped or hasattr(report, "wasxfail")
    is_marked = report.when == "setup" and item.get_closest_marker("skipif")
    if is_skip and not is_marked and is_students:
        error = KnownFailure(
            "failed", "\n".join([NOT_PASSED, *([in_short(error)] if error else [])])
        )
        report.outcome = "failed"
        report.longrepr = str(error)
        vars(report).pop("wasxfail", None)
    result = _result(item, report, error if in_words else None)
    vars(report)["ended"] = asdict(result)
    if report.failed and in_words:
        report.longrepr = _shown(item.config, result)
    return report


def cut_traceback(error: BaseException | None) -> None:
    """Leave out the middle of a long traceback: pytest takes a minute for a million calls."""
    for _ in range(MAX_CAUSES):
        if error is None:
            break
        places = [error.__traceback__]
        while last := places[-1]:
            places.append(last.tb_next)
        if len(places) > 2 * MAX_TRACED and (first := places[MAX_TRACED]):
            first.tb_next = places[-MAX_TRACED]
        error = error.__cause__ or error.__context__


def _result(
    item: pytest.Item, report: pytest.TestReport, error: BaseException | None
) -> TestResult:
    """How a part of a test ended. With `error`, the message is for a student; else pytest's own."""
    seen = item.config.stash[CALL_RECORDER]
    used = " ".join(sorted(seen.used))
    if report.passed:
        return TestResult(item.nodeid, used=used)
    if isinstance(report.longrepr, tuple):  # of a skip: file, line, why
        return TestResult(item.nodeid, "skipped", report.longrepr[2], used=used)
    kind: Kind = error.kind if isinstance(error, KnownFailure) else "failed"
    about = error.about if isinstance(error, KnownFailure) else ""
    says = _failure(error) if error else report.longreprtext
    says = printable(says)[:MAX_SAID_CHARS].strip() or "It failed without a word."
    if kind == "not run":
        return TestResult(item.nodeid, kind, says)
    return TestResult(
        item.nodeid, kind, says, about, seen.given, seen.expected, seen.got, used=used
    )


def _shown(config: pytest.Config, result: TestResult) -> str:
    """The text that pytest prints for a failure."""
    if _is_of_exercise(result):
        return result.says
    why = _tells_why(config) or result.test in config.stash[_SEEN]
    return printable("\n".join(as_lines(result.rows(why=why))))


def _is_of_exercise(result: TestResult) -> bool:
    """Whether a message is about a whole exercise, and the same for all of its tests."""
    return result.kind in ("not started", "broken")


def _tells_why(config: pytest.Config) -> bool:
    """Whether each failure shows its meaning: with `--why`, and for the reference."""
    return config.getoption("--why") or bool(requested_references())


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
        report.outcome = "failed"  # also if a student's file skips all tests of the module
        error = call.excinfo.value
        report.longrepr = import_trouble(error.__cause__ or error)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around the one that prints failures
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Leave out of the list of failures those that one line summarizes for all tests of an
    exercise. Import errors are shown before the list."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    failed = terminal.stats.get("failed", []) if terminal else []
    session.config.stash[_FAILED] = failed
    if terminal:
        _show_once(terminal, "cannot be imported", failed, "broken")
        terminal.stats["failed"] = [r for r in failed if not _is_of_exercise(_result_of(r))]
    return (yield)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """After the failures, show what is not started, and the first exercise to do."""
    if terminalreporter.no_summary:  # the caller shows the failures
        return
    failed = config.stash[_FAILED]
    if failed:
        terminalreporter.stats["failed"] = failed  # so that all are counted
    _show_once(terminalreporter, "not started", failed, "not started")
    suites = tuple(all_suites())
    shown = [
        report.nodeid
        for report in failed
        if report.nodeid.startswith(suites) and not _is_of_exercise(_result_of(report))
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
            f"{following.id} {following.function} in {following.file}; read {following.lesson}\n"
            f"g2c check {following.id} shows more of each failure, g2c hint {following.id} helps"
        )


def _show_once(
    terminal: pytest.TerminalReporter, title: str, failed: Iterable[pytest.TestReport], kind: Kind
) -> None:
    """Print a section with each message of that kind, in the course's order, and the number of
    tests that fail with it."""
    results = [result for result in map(_result_of, failed) if result.kind == kind]
    if results:
        terminal.line("")
        terminal.section(title)
    order = [exercise.id for exercise in load_exercises()]
    counts = Counter(
        (order.index(result.about) if result.about else -1, result.says) for result in results
    )
    for (_, says), count in sorted(counts.items()):
        first, *rest = says.splitlines()
        terminal.line("\n".join([f"{first}  ({count} test{'s' * (count != 1)})", *rest]))


def _result_of(report: pytest.TestReport) -> TestResult:
    """The result that `pytest_runtest_makereport` put into a test's report, perhaps in another
    process. A file of tests that could not be imported has none."""
    return TestResult(**getattr(report, "ended", {"test": report.nodeid, "kind": "failed"}))


def pytest_report_header() -> str | None:
    requested = requested_references()
    return f"reference in place of: {requested}" if requested else None
