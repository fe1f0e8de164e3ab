"""Records how a test called the student's functions, and what it compared.

pytest only reports that a test failed. Once a function has returned, no traceback shows its
arguments, so the exercise switch records them.
"""

import functools
import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

import g2c.exercise
from g2c.course.check.values import describe_call, sides
from g2c.course.manifest import find_exercise

_ATTRIBUTE = re.compile(r"\n \+  where .+\)\.(\w+)$", re.MULTILINE)
"""The line in which pytest names the compared attribute."""

MAX_NOTED = 1000
"""The most calls of a test that are recorded. A test that makes more says itself which one it
means."""

Function = TypeVar("Function", bound=Callable[..., Any])


class CallRecorder:
    """A pytest plugin. For the running test, it has the test's last call of the function under test
    (`given`; not what a recursion calls), the two sides of the failed comparison (`expected`,
    `got`), and the ids of all called exercises (`used`)."""

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

    def pytest_runtest_logstart(self) -> None:
        """Forget which exercises the test before this one called. Fixtures call some, too."""
        self.used.clear()

    def name_attribute(self, error: AssertionError) -> None:
        """If the test compared an attribute of the result, add its name."""
        if self.expected and (found := _ATTRIBUTE.search(str(error))):
            sign = "" if self.expected.startswith(("<", ">", "!=")) else "= "
            self.expected = f".{found[1]} {sign}{self.expected}"
            self.got = f".{found[1]} = {self.got}"

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.expected, self.got = sides(op, left, right)

    def _exercise(self, exercise_id: str) -> Callable[[Function], Function]:
        """The exercise switch for recorded functions."""
        mark = self._mark(exercise_id)
        found = find_exercise(exercise_id)

        def choose(student: Function) -> Function:
            function = mark(student)
            running = threading.local()

            @functools.wraps(function)
            def noted(*args: Any, **options: Any) -> Any:
                self.used.add(exercise_id)
                if self._test_class not in found.tests or getattr(running, "is_called", False):
                    return function(*args, **options)
                self._calls += 1
                is_noted = self._calls <= MAX_NOTED
                self.given = describe_call(found.function, args, options) if is_noted else ""
                running.is_called = True
                try:
                    return function(*args, **options)
                finally:
                    running.is_called = False

            return noted  # type: ignore[return-value]

        return choose


CALL_RECORDER = pytest.StashKey[CallRecorder]()
