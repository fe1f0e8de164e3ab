"""What a run of the student's tests gave: data that goes from the test process to the command."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Outcome:
    """How one test ended.

    `says` is empty where it passed, else its message. `expected` and `got` are the two sides of the
    comparison that failed, and `given` is what the exercise's function was last called with; each
    is empty where that is not known. `printed` is what the code printed meanwhile. `used` are the
    ids of the exercises whose functions it called, with spaces between them.
    """

    test: str
    says: str = ""
    given: str = ""
    expected: str = ""
    got: str = ""
    printed: str = ""
    used: str = ""

    @property
    def passed(self) -> bool:
        return not self.says

    @property
    def test_class(self) -> str:
        """The test's class.

        >>> Outcome("tests/test_agent.py::TestExtractPlan::test_a_goal_is_read[1]").test_class
        'TestExtractPlan'
        """
        return self.test.split("::")[1]

    @property
    def sentence(self) -> str:
        """The test's name as words.

        >>> Outcome("tests/test_agent.py::TestExtractPlan::test_a_goal_is_read[1]").sentence
        'a goal is read [1]'
        """
        name, bracket, case = self.test.split("::", 2)[-1].partition("[")
        words = name.removeprefix("test_").replace("_", " ")
        return f"{words} {bracket}{case}" if bracket else words


@dataclass(frozen=True)
class TestRun:
    """One run: the tests that were found, how those ended that did, and what stopped it, if
    anything did: a file that cannot be imported, or a process that had to be killed."""

    __test__ = False  # pytest takes a class of this name for tests

    collected: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    trouble: str = ""

    def of(self, test_classes: Iterable[str]) -> TestRun:
        """The part of the run that is about these test classes."""
        classes = set(test_classes)
        return TestRun(
            tuple(test for test in self.collected if Outcome(test).test_class in classes),
            tuple(outcome for outcome in self.outcomes if outcome.test_class in classes),
            self.trouble,
        )

    @property
    def n_passed(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def passed(self) -> bool:
        """Whether there were tests, and each of them ended well."""
        return 0 < len(self.collected) == self.n_passed and not self.trouble

    @property
    def failures(self) -> tuple[Outcome, ...]:
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> TestRun:
        """Raises:
        ValueError, TypeError, KeyError: the text is not what `to_json` wrote.
        """
        data = json.loads(text)
        outcomes = tuple(Outcome(**outcome) for outcome in data["outcomes"])
        return cls(tuple(data["collected"]), outcomes, data["trouble"])
