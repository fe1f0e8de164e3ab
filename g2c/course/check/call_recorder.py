"""Who sees how a test called the student's functions, and what it compared.

pytest tells only that a test failed. What the function was called with stands in no traceback once
it has returned, so the exercise switch notes it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

import g2c.exercise
from g2c.course.check.values import describe_call, sides
from g2c.course.manifest import find_exercise

_ATTRIBUTE = re.compile(r"\n \+  where .+\)\.(\w+)$", re.MULTILINE)
"""Where pytest names the attribute that was compared."""

MOST_NOTED = 1000
"""So many calls of a test are noted. A test that makes more says itself which one it means."""

Function = TypeVar("Function", bound=Callable[..., Any])


class CallRecorder:
    """A pytest plugin. Of the test that runs it knows how the function under test was called last
    (`given`), the two sides of the comparison that failed (`expected`, `got`), and the ids of all
    exercises that were called (`used`)."""

    def __init__(self) -> None:
        self.given = self.expected = self.got = ""
        self.used: set[str] = set()
        self._calls = 0
        self._test_class = ""
        self._mark = g2c.exercise.exercise
        g2c.exercise.exercise = self._exercise

    def begin(self, test_class: str) -> None:
        """Forget the test before this one."""
        self._test_class = test_class
        self.given = self.expected = self.got = ""
        self._calls = 0
        self.used.clear()

    def name_attribute(self, error: AssertionError) -> None:
        """Where the test compared an attribute of the result, say of which name."""
        if self.expected and (found := _ATTRIBUTE.search(str(error))):
            self.expected = f".{found[1]} = {self.expected}"
            self.got = f".{found[1]} = {self.got}"

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.expected, self.got = sides(op, left, right)

    def _exercise(self, exercise_id: str) -> Callable[[Function], Function]:
        """The exercise switch, for functions that are noted."""
        mark = self._mark(exercise_id)
        found = find_exercise(exercise_id)

        def choose(student: Function) -> Function:
            function = mark(student)

            @functools.wraps(function)
            def noted(*args: Any, **options: Any) -> Any:
                self.used.add(exercise_id)
                if self._test_class in found.tests:
                    self._calls += 1
                    is_noted = self._calls <= MOST_NOTED
                    self.given = describe_call(found.name, args, options) if is_noted else ""
                return function(*args, **options)

            return noted  # type: ignore[return-value]

        return choose


CALL_RECORDER = pytest.StashKey[CallRecorder]()
