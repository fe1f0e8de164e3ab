"""The examples in an exercise's contract, as a test of its class.

The idea to take away: an example in a docstring is a promise, too, and `doctest` keeps it. The
examples are those of the shipped stub, whatever a student's docstring says.
"""

import ast
import doctest
from importlib import import_module
from typing import Any, NoReturn

import pytest

from g2c.course.check.call_recorder import CALL_RECORDER
from g2c.course.check.results import EXAMPLES
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.stubs import stub_of

_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def examples_of(exercise: Exercise) -> doctest.DocTest:
    """The examples in the exercise's shipped docstring, often none. They see the names of the
    student's file, and those that the shipped file imports."""
    body = ast.parse(stub_of(exercise)).body
    contract = next(item for item in body if isinstance(item, ast.FunctionDef))
    text = ast.get_docstring(contract) or ""
    names: dict[str, Any] = {}
    imports = [item for item in body if isinstance(item, ast.Import | ast.ImportFrom)]
    exec(compile(ast.Module([*imports], []), exercise.file, "exec"), names)
    names |= vars(import_module(exercise.import_name))
    return doctest.DocTestParser().get_doctest(text, names, exercise.function, exercise.file, 0)


def add_examples(test_class: type) -> None:
    """Add the test of the examples to a class, if it is the first one of an exercise."""
    firsts = {exercise.tests[0]: exercise for exercise in load_exercises()}
    exercise = firsts.get(test_class.__name__)
    if exercise is None or hasattr(test_class, EXAMPLES) or not _has_examples(exercise):
        return

    def test(self: object, request: pytest.FixtureRequest) -> None:
        try:
            _First(verbose=False, optionflags=_OPTIONS).run(examples_of(exercise))
        except doctest.DocTestFailure as failure:
            recorder, example = request.config.stash[CALL_RECORDER], failure.example
            recorder.given = example.source.strip()
            recorder.expected = example.want.strip() or "nothing"
            recorder.got = failure.got.strip() or "nothing"  # as Python shows None
            pytest.fail("This example of the contract gives something else.")

    setattr(test_class, EXAMPLES, test)


def _has_examples(exercise: Exercise) -> bool:
    try:
        return ">>>" in stub_of(exercise)
    except FileNotFoundError:  # somebody is still writing this exercise
        return False


class _First(doctest.DocTestRunner):
    """Stops at the first example that fails."""

    def report_failure(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> NoReturn:
        raise doctest.DocTestFailure(test, example, got)

    def report_unexpected_exception(
        self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any
    ) -> NoReturn:
        raise exc_info[1]
