"""The results of a run of the student's tests, passed from the test process to the command.

The test process writes each event as it happens, a JSON object a line; `read_events` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

from g2c.course.bounded import printable
from g2c.foreign_json import load_json

Kind = Literal["passed", "skipped", "failed", "not started", "broken", "too long", "not run"]
"""How a test ended: `not started` and `broken` if the function could not run, `too long` if the
test was stopped, `not run` if one of its class was stopped before it, and `failed` for all other
failures. `skipped`: by a mark in the test's file."""

EXAMPLES = "test_its_examples_hold"
"""The test of the examples in an exercise's contract; it stands in no file of tests."""

_BARE = re.compile(r"-?[\d.]+|True|False|None")


@dataclass(frozen=True)
class TestResult:
    """How one test ended.

    `says` is the failure's message, or why the test was skipped; empty if it passed. `about` is the
    id of the exercise that is `not started` or `broken`, which may be an earlier one. `expected`
    and `got` are the two sides of the comparison that failed, and `given` is what the exercise's
    function was last called with; each is empty if it is not known. `printed` is the code's output.
    `used` has the ids of the exercises whose functions the test called, separated by spaces.
    """

    __test__ = False  # or pytest would collect a class of this name

    test: str
    kind: Kind = "passed"
    says: str = ""
    about: str = ""
    given: str = ""
    expected: str = ""
    got: str = ""
    printed: str = ""
    used: str = ""

    @property
    def passed(self) -> bool:
        """Whether it passed or was skipped."""
        return self.kind in ("passed", "skipped")

    def is_unwritten(self, exercise_id: str) -> bool:
        """Whether it failed because that exercise is not started."""
        return self.kind == "not started" and self.about == exercise_id

    @property
    def explains_itself(self) -> bool:
        """Whether `expected` and `got` explain the failure without its message. A number or a bare
        True does not: it may be a count of anything."""
        return bool(self.expected and self.got) and not _BARE.fullmatch(self.got)

    def rows(self, *, why: bool = True) -> dict[str, str]:
        """The rows to show for a failure: the known parts by name. Without `why`, the meaning is
        left out if the failure explains itself."""
        # Without a message, a test has only its expression, which `expected` and `got` show.
        is_bare = self.says.startswith("assert ") and self.got
        parts = {
            "called": self.given,
            "expected": self.expected,
            "got": self.got,
            "meaning": "" if is_bare or (self.explains_itself and not why) else self.says,
            "printed": self.printed.rstrip(),
        }
        return {name: text for name, text in parts.items() if text}

    @property
    def test_class(self) -> str:
        """The test's class.

        >>> TestResult("tests/test_agent.py::TestExtractPlan::test_a_goal_is_read").test_class
        'TestExtractPlan'
        """
        return self.test.split("::")[1]

    @property
    def name(self) -> str:
        """The name of the test's function, with its case in brackets."""
        return self.test.rpartition("::")[2]

    @property
    def sentence(self) -> str:
        """The test's name as words.

        >>> TestResult("tests/test_agent.py::TestExtractPlan::test_a_goal_is_read[1]").sentence
        'a goal is read [1]'
        """
        name, bracket, case = self.name.partition("[")
        words = name.removeprefix("test_").replace("_", " ")
        return f"{words} {bracket}{case}" if bracket else words


def as_lines(rows: dict[str, str]) -> list[str]:
    """Named texts, line by line, each beside its name.

    >>> as_lines({"called": "f(1)", "meaning": "No.\\nNever."})
    ['called    f(1)', 'meaning   No.', '          Never.']
    """
    return [
        f"{'' if number else name:8}  {line}"
        for name, text in rows.items()
        for number, line in enumerate(text.splitlines())
    ]


def not_run(test: str, before: str) -> TestResult:
    """The result of a test that was left out, because the one before it ended the run."""
    return TestResult(test, "not run", f"not run, because this one was stopped: {before}")


def _class_of(test: str) -> str:
    return test.rpartition("::")[0]


@dataclass(frozen=True)
class TestRun:
    """One run: the tests that were found, the results of those that ended, and `trouble`, the cause
    if the run was stopped: a file that cannot be imported, or a process that had to be killed."""

    __test__ = False

    collected: tuple[str, ...] = ()
    results: tuple[TestResult, ...] = ()
    trouble: str = ""

    def of_classes(self, test_classes: Iterable[str]) -> TestRun:
        """The part of the run that is about these test classes."""
        classes = set(test_classes)
        return TestRun(
            tuple(test for test in self.collected if TestResult(test).test_class in classes),
            tuple(result for result in self.results if result.test_class in classes),
            self.trouble,
        )

    @property
    def n_passed(self) -> int:
        return sum(result.passed for result in self.results)

    @property
    def passed(self) -> bool:
        """Whether there were tests, and each of them passed."""
        return 0 < len(self.collected) == self.n_passed and not self.trouble

    @property
    def failures(self) -> tuple[TestResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    @property
    def was_stopped(self) -> bool:
        """Whether a test was stopped, or left out for another. It may be the machine's fault."""
        return any(result.kind in ("too long", "not run") for result in self.results)

    def classes_left(self) -> tuple[str, ...]:
        """The classes of which no test has ended, as pytest names them; none if no test at all has.

        >>> run = TestRun(("a.py::A::x", "a.py::B::y"), (TestResult("a.py::A::x"),))
        >>> run.classes_left()
        ('a.py::B',)
        """
        begun = {_class_of(result.test) for result in self.results}
        left = dict.fromkeys(map(_class_of, self.collected))
        return tuple(name for name in left if name not in begun) if begun else ()

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes of its tests."""
        return tuple(dict.fromkeys(TestResult(test).test_class for test in self.collected))

    def updated(self, run: TestRun, classes: Iterable[str]) -> TestRun:
        """This run, with the results of `run` for these classes, as pytest names them."""
        names = {name.rpartition("::")[2] for name in classes}
        kept = self.of_classes({*self.classes} - names)
        return TestRun.together([kept, run])

    def followed_by(self, rest: TestRun) -> TestRun:
        """This run, which ended early, and a later one of the classes that were left."""
        return TestRun(self.collected, (*self.results, *rest.results), rest.trouble)

    def completed(self) -> TestRun:
        """The run, in which each test of a class that was begun has a result."""
        ended = {result.test for result in self.results}
        last = {_class_of(result.test): result for result in self.results}
        rest = tuple(
            not_run(test, last[_class_of(test)].test)
            for test in self.collected
            if test not in ended and _class_of(test) in last
        )
        return TestRun(self.collected, (*self.results, *rest), self.trouble)

    @classmethod
    def together(cls, runs: Iterable[TestRun]) -> TestRun:
        """Several runs as one."""
        parts = list(runs)
        return cls(
            tuple(test for run in parts for test in run.collected),
            tuple(result for run in parts for result in run.results),
            "\n".join(dict.fromkeys(run.trouble for run in parts if run.trouble)),
        )

    def to_data(self) -> dict[str, Any]:
        """JSON data for `from_data`."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TestRun:
        """Raises:
        TypeError, KeyError: the data is not what `to_data` gave.
        """
        results = tuple(TestResult(**result) for result in data["results"])
        return cls(tuple(data["collected"]), results, data["trouble"])


Run = TypeVar("Run", bound=TestRun)
"""`TestRun`, or a subclass of it."""


def read_events(text: str) -> TestRun:
    """The run in these lines. The last line may be torn. A student's code ran in the process that
    wrote them, so control characters are escaped.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: the reporter did not write
            these lines.
    """
    collected: tuple[str, ...] = ()
    results: list[TestResult] = []
    trouble: list[str] = []
    running = ""
    for line in text.splitlines():
        try:
            event = load_json(line)
        except ValueError:
            break
        match event["event"]:
            case "collected":
                collected = tuple(map(printable, event["tests"]))
            case "started":
                running = printable(event["test"])
            case "ended":
                fields = event["result"].items()
                results.append(TestResult(**{name: printable(text) for name, text in fields}))  # type: ignore[arg-type]
                running = ""
            case "trouble":
                trouble.append(printable(event["says"]))
    if running:
        says = "did not end, or ended the whole process"
        results.append(TestResult(running, "failed", says))
    return TestRun(collected, tuple(results), "\n".join(dict.fromkeys(trouble)))
