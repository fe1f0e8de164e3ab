"""No honest function passes a canary, be it right or wrong, and what does not forge is not told."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from checkout import ROOT
from shipped import stub

from g2c.course.check.results import TestResult, TestRun
from g2c.course.grade.canaries import _comparisons, _is_whole, _may_stop, seal
from g2c.course.grade.sandbox import unsealed
from g2c.course.grade.uses import uses_of
from g2c.course.manifest import all_suites, load_exercises

CLASSES = {name for exercise in load_exercises() for name in exercise.tests}
SUITE = "tests/test_agent.py"


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("which", [[], ["--naive"]], ids=["bank", "naive"])
def test_no_reference_and_no_wrong_answer_passes_a_canary(which: list[str], tmp_path: Path) -> None:
    canaries: set[str] = set()
    (tmp_path / "tests").mkdir()
    for suite in all_suites():
        sealed = seal((ROOT / suite).read_text("utf-8"), CLASSES)
        canaries |= {name.partition("::")[2] for name in sealed.canaries}
        (tmp_path / suite).write_text(sealed.source, "utf-8")
    said = tmp_path / "said"
    said.mkdir()
    command = [sys.executable, "-m", "wrong_answers", said, *which]
    command += ["--tests", tmp_path / "tests"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    tried = {file.stem: json.loads(file.read_text("utf-8")) for file in said.iterdir()}
    assert len(tried) > 50
    for name, results in tried.items():
        passed = [test for test in canaries & results.keys() if not results[test]]
        assert canaries & results.keys(), f"there is no canary for {name}"
        assert not passed, f"{name} passes {passed}"


def test_where_no_canary_finds_what_equals_everything_it_gains_nothing() -> None:
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


def test_names_and_form_do_not_tell_a_canary() -> None:
    source = (ROOT / SUITE).read_text("utf-8")
    sealed = seal(source, ["TestExtractPlan"])
    (node,) = [
        one
        for one in ast.parse(sealed.source).body
        if isinstance(one, ast.ClassDef) and one.name == "TestExtractPlan"
    ]
    tests = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    assert {len(one.name) for one in tests} == {len("test_") + 12}
    assert all("blake2b" in ast.unparse(one.body[-1]) for one in tests)
    assert len(tests) == len(sealed.real) + len(sealed.canaries)
    assert "def test_a_step" in sealed.source, "the other classes are as they were"
    again = seal(source, ["TestExtractPlan"])
    assert again.real.keys().isdisjoint(sealed.real), "the next run has other names"


def test_what_a_run_told_is_read_under_the_true_names() -> None:
    sealed = seal((ROOT / SUITE).read_text("utf-8"), ["TestExtractPlan"])
    named = [f"{SUITE}::{name}" for name in [*sealed.real, *sealed.canaries]]

    def told(*results: TestResult) -> TestRun:
        return TestRun(tuple(named), results)

    honest = unsealed(told(TestResult(named[0]), TestResult(named[-1], says="no")), {SUITE: sealed})
    assert not honest.forged
    assert honest.results == (TestResult(f"{SUITE}::{sealed.real[named[0].partition('::')[2]]}"),)
    assert len(honest.collected) == len(sealed.real)
    forged = unsealed(told(*map(TestResult, named)), {SUITE: sealed})
    n = len(sealed.canaries)
    assert forged.forged == (f"{n} of {n} tests that no function can pass have passed.",)
    invented = unsealed(told(TestResult(f"{SUITE}::TestExtractPlan::test_it")), {SUITE: sealed})
    assert invented.forged == ("The report has tests that there are not.",)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("from g2c.solutions.agent import planner", "import g2c.solutions.agent"),
        ("import importlib.util as u", "import importlib.util"),
        ("exec('x')", "exec()"),
        ("x = f.f_back.f_locals", ".f_locals"),
        ("x = __import__('sys')", "__import__()"),
        (
            "x = import_module('g2c.solutions.agent')",
            "the name of a package of the course in a text",
        ),
        ("class A:\n    def __eq__(self, other): return True", "def __eq__"),
    ],
)
def test_what_no_exercise_needs_is_listed(line: str, what: str) -> None:
    assert what in {found for _, found in uses_of(line)}


def test_an_exercise_as_shipped_uses_nothing_that_is_listed() -> None:
    for exercise in load_exercises():
        assert not uses_of((ROOT / exercise.file).read_text("utf-8")), exercise.file
