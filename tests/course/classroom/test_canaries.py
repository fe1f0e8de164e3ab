"""No honest function passes a canary, be it right or wrong, and what does not forge is not told."""

import ast
import json
import os
import random
import subprocess
import sys
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import pytest
from checkout import ROOT
from shipped import stub

from g2c.agent import ParsedStep, Plan
from g2c.classroom.sandbox import unsealed
from g2c.classroom.tampering.canaries import Sealed, _comparisons, _is_whole, _may_stop, seal
from g2c.classroom.tampering.shapes import Kind, as_wanted, near, seal_of, unlike
from g2c.classroom.uses import uses_of
from g2c.course.check.results import TestResult, TestRun
from g2c.course.manifest import all_suites, load_exercises
from g2c.surroundings import own_environment

CLASSES = {name for exercise in load_exercises() for name in exercise.tests}
SUITE = "tests/test_agent.py"


def canaries_alone(sealed: Sealed) -> str:
    """The file without the real tests, but those with which a canary is compared."""
    compared = set(sealed.twins.values())
    kept = sealed.canaries | {new for new, old in sealed.real.items() if old in compared}
    tree = ast.parse(sealed.source)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name in CLASSES:
            node.body = [
                statement
                for statement in node.body
                if not getattr(statement, "name", "").startswith("test")
                or f"{node.name}::{statement.name}" in kept
            ] or [ast.Pass()]
    return ast.unparse(tree)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("which", [[], ["--first"]], ids=["bank", "first"])
def test_no_reference_and_no_wrong_answer_passes_a_canary(which: list[str], tmp_path: Path) -> None:
    all_sealed = []
    (tmp_path / "tests").mkdir()
    for suite in all_suites():
        sealed = seal((ROOT / suite).read_text("utf-8"), CLASSES)
        all_sealed.append(sealed)
        (tmp_path / suite).write_text(canaries_alone(sealed), "utf-8")
    said = tmp_path / "said"
    said.mkdir()
    command = [sys.executable, "-m", "wrong_answers", said, *which]
    command += ["--tests", tmp_path / "tests"]
    done = subprocess.run(
        command,
        cwd=Path(__file__).parents[1],
        env=own_environment(PYTHONPATH=str(ROOT / "tests/course")),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tried = {file.stem: json.loads(file.read_text("utf-8")) for file in said.iterdir()}
    assert len(tried) > 50
    whole = {
        canary.partition("::")[2]: canary
        for it in all_sealed
        for canary in {*it.canaries, *it.real}
    }
    canaries = set[str]().union(*(sealed.canaries for sealed in all_sealed))
    for name, results in tried.items():
        ran = {whole[test]: says for test, says in results.items() if test in whole}
        assert canaries & ran.keys(), f"there is no canary for {name}"
        passed = [test for test, says in ran.items() if not says]
        found = set[str]().union(*(sealed.passed(passed) for sealed in all_sealed))
        assert not found, f"{name} passes {found}"


@pytest.mark.slow
def test_an_object_that_equals_everything_gains_nothing() -> None:
    """It passes a canary where a test compares a whole result with `==`, and a test too. Where a
    result is True or False, the tests ask with `is`."""
    unwatched = {}
    for exercise in load_exercises():
        tree = ast.parse((ROOT / exercise.suite).read_text("utf-8"))
        tests = [
            test
            for node in tree.body
            if isinstance(node, ast.ClassDef) and node.name in exercise.tests
            for test in ast.walk(node)
            if isinstance(test, ast.FunctionDef) and not _may_stop(test)
        ]
        if not any(map(_is_whole, chain.from_iterable(map(_comparisons, tests)))):
            unwatched[exercise.id] = ast.unparse(stub(exercise).returns or ast.Constant(None))
    assert unwatched == {"20.6": "bool", "21.7": "bool", "22.4": "bool"}, (
        "docs/instructor.md names them"
    )


class TestShapes:
    """The values that canaries want: of a test's shape, and never its own."""

    TEXTS = ("", "a", "Book a table", "15", "2026-11-25", "Größe 日本", "done", b"", b"one\n")
    NUMBERS = (None, True, 0, 7, -3, 60, 2026, 0.5, 70.0, datetime(2026, 4, 21, 9, tzinfo=UTC))
    GROUPS = (
        *([], (), {}, set(), [0], [2, 1, 0], ["b", "c", "a"], ("x", None), {"tea"}),
        *({"goal": "Make tea."}, {1: [("a", 2)]}, Plan("g", ("look",)), Path("a/b.md")),
        *(ParsedStep("I know it.", final_answer="42"), Plan("know the day", ("Look", "Say it"))),
    )
    VALUES = (*TEXTS, *NUMBERS, *GROUPS)

    @pytest.mark.parametrize("value", VALUES, ids=repr)
    def test_another_value_is_wanted_of_the_kind_and_the_length(self, value: object) -> None:
        for number in range(200):
            other = unlike(value, random.Random(number))
            assert other != value
            if len(repr(value)) > 14:
                assert type(other) is type(value)
            if isinstance(value, str) and len(value) > 8:
                assert len(other) == len(value)
                for kind in (str.isalpha, str.isupper):
                    assert [*map(kind, other)] == [*map(kind, value)]

    @pytest.mark.parametrize("value", VALUES, ids=repr)
    def test_each_kind_gives_another_value_but_itself(self, value: object) -> None:
        kinds: tuple[Kind, ...] = ("near", "others", "unlike")
        for word in (b"one", b"two", b"three"):
            assert as_wanted(value, word, seal_of(word, "itself"), value) is value
            for kind in kinds:
                assert as_wanted(value, word, seal_of(word, kind), value) != value, kind

    def test_a_value_is_left_as_it_was(self) -> None:
        value = {"a": [Plan("g", ("look",))]}
        unlike(value, random.Random(0))
        near(value, random.Random(0))
        assert value == {"a": [Plan("g", ("look",))]}

    def test_any_part_may_be_the_one_that_differs(self) -> None:
        value = [(0, 1.5), (1, 0.5)]
        seen = {repr(near(value, random.Random(number))) for number in range(50)}
        assert seen == {
            *("[(1, 1.5), (1, 0.5)]", "[(0, 2.5), (1, 0.5)]"),
            *("[(0, 1.5), (2, 0.5)]", "[(0, 1.5), (1, 1.5)]"),
        }

    def test_lengths_and_letters_do_not_tell(self) -> None:
        lengths = {len(unlike("x" * n, random.Random(n))) for n in range(3, 30)}
        assert lengths == set(range(3, 30))
        assert near("Book a table", random.Random(0)) == "Book a tabl", (
            "it is in the prompt, as the right one is"
        )


def test_a_twin_counts_only_where_its_test_passes_too() -> None:
    sealed = seal((ROOT / SUITE).read_text("utf-8"), ["TestExtractPlan"])
    twin, original = next(iter(sealed.twins.items()))
    assert sealed.passed([twin]) == sealed.passed([original]) == set()
    assert sealed.passed([twin, original]) == {twin}
    strong = next(iter(sealed.canaries - sealed.twins.keys()))
    assert sealed.passed([strong]) == {strong}


def test_names_and_form_do_not_tell_a_canary() -> None:
    source = (ROOT / SUITE).read_text("utf-8")
    sealed = seal(source, ["TestExtractPlan"])
    (node,) = [
        statement
        for statement in ast.parse(sealed.source).body
        if isinstance(statement, ast.ClassDef) and statement.name == "TestExtractPlan"
    ]
    tests = [statement for statement in node.body if isinstance(statement, ast.FunctionDef)]
    assert {len(test.name) for test in tests} == {len("test_") + 12}
    assert all("blake2b" in ast.unparse(test.body[-1]) for test in tests)
    arguments = [
        [len(argument.value) for argument in node.args[1:3] if isinstance(argument, ast.Constant)]
        for test in tests
        for node in ast.walk(test)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "_as_wanted"
    ]
    assert len(arguments) > len(sealed.canaries) and {*map(tuple, arguments)} == {(12, 12)}
    assert len(tests) == len(sealed.real) + len(sealed.canaries)
    assert "def test_a_step" in sealed.source, "the other classes are as they were"
    again = seal(source, ["TestExtractPlan"])
    assert again.real.keys().isdisjoint(sealed.real), "the next run has other names"


def test_events_of_a_run_are_read_under_the_true_names() -> None:
    sealed = seal((ROOT / SUITE).read_text("utf-8"), ["TestExtractPlan"])
    named = [f"{SUITE}::{name}" for name in [*sealed.real, *sealed.canaries]]

    def run_of(*results: TestResult) -> TestRun:
        return TestRun(tuple(named), results)

    honest = unsealed(
        run_of(TestResult(named[0]), TestResult(named[-1], "failed", "no")), {SUITE: sealed}
    )
    assert not honest.forged
    assert honest.results == (TestResult(f"{SUITE}::{sealed.real[named[0].partition('::')[2]]}"),)
    assert len(honest.collected) == len(sealed.real)
    forged = unsealed(run_of(*map(TestResult, named)), {SUITE: sealed})
    n = len(sealed.canaries)
    assert forged.forged == (f"{n} of {n} tests that no function can pass have passed.",)
    invented = unsealed(run_of(TestResult(f"{SUITE}::TestExtractPlan::test_it")), {SUITE: sealed})
    assert invented.forged == ("The report names tests that do not exist.",)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("from g2c.exercises import e19_1_x", "import g2c.exercises"),
        ("import importlib.util as u", "import importlib.util"),
        ("exec('x')", "exec()"),
        ("x = f.f_back.f_locals", ".f_locals"),
        ("x = __import__('sys')", "__import__()"),
        ("x = import_module('g2c.exercises.x')", "the name of a package of the course in a text"),
        ("class A:\n    def __eq__(self, other): return True", "def __eq__"),
        ("class A:\n    __eq__ = lambda self, other: True", "__eq__ ="),
        ("Plan.__eq__ = lambda self, other: True", ".__eq__ ="),
        ("A = type('A', (), {'__eq__': lambda self, other: True})", "a class made by type()"),
        ("A = type('A', (), {'__eq__': f})", "the name of __eq__ in a text"),
        ("A = type('A', (), dict(__eq__=f))", "__eq__ ="),
        ("from g2c.course import manifest", "import g2c.course"),
        ("from g2c import course", "import g2c.course"),
        ("from g2c.agent.settle import helper", "import g2c.agent.settle"),
        ("from .parser import helper", "import .parser"),
    ],
)
def test_files_that_no_exercise_needs_are_listed(line: str, what: str) -> None:
    assert what in {found for _, found in uses_of(line)}


def test_a_function_that_a_package_gives_is_not_another_exercises_file() -> None:
    assert not uses_of("from g2c.agent import settle")


def test_an_exercise_as_shipped_uses_nothing_that_is_listed() -> None:
    for exercise in load_exercises():
        assert not uses_of((ROOT / exercise.file).read_text("utf-8")), exercise.file
