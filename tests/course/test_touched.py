"""The gate runs the slow tests that a change touches."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from touched import ROOT, is_drawn, is_touched, needs_of, select_touched

from g2c.cli.test import SINCE_VARIABLE


def item(file: str, parameters: str = "") -> Any:
    callspec = {"callspec": SimpleNamespace(id=parameters)} if parameters else {}
    return SimpleNamespace(path=ROOT / file, nodeid=f"{file}[{parameters}]", **callspec)


def test_a_test_depends_on_what_its_imports_import() -> None:
    needs = needs_of("tests/course/loop/test_loop_runner.py")
    assert {"g2c/loop/app/runner.py", "g2c/files.py"} <= needs
    assert not [need for need in needs if need.startswith(("g2c/classroom", "notebooks"))]


def test_a_name_from_a_package_depends_on_its_module_and_not_on_the_others() -> None:
    needs = needs_of("tests/course/loop/test_loop_runner.py")
    assert "g2c/inference/scripted.py" in needs, "from g2c.inference import ScriptedBackend"
    assert not [need for need in needs if need.startswith("g2c/inference/served")]


def test_a_test_depends_on_what_it_runs_in_another_process() -> None:
    assert "g2c/cli/main.py" in needs_of("tests/course/cli/test_break.py")
    assert "g2c/cli/trace.py" in needs_of("tests/course/cli/test_trace.py"), 'g2c("runs", "trace")'
    assert "notebooks" in needs_of("tests/course/course/test_notebook_browser.py")


def test_a_test_depends_on_the_reference_that_stands_in_for_a_students_function() -> None:
    needs = needs_of("tests/course/loop/test_loop_runner.py")
    assert "g2c/exercises/e22_2_next_status/solution.py" in needs


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("g2c/exercises/e22_2_next_status/naive.py", True),
        ("g2c/loop/next_status.py", True),
        ("g2c/loop/core/types.py", True),
        ("tests/test_loop.py", True),
        ("g2c/exercises/e22_3_run/naive.py", False),
        ("g2c/guard/core/words.py", False),
    ],
)
def test_a_test_of_one_exercise_depends_on_that_exercise(changed: str, expected: bool) -> None:
    test = item("tests/course/course/test_wrong_answers.py", "22.2-a-belief")
    assert is_touched(test, [changed]) is expected


@pytest.mark.parametrize(
    ("test", "page", "expected"),
    [
        ("docs/test_followed.py", "docs/modules/22-loops/2-decide-how-a-loop-goes-on.md", True),
        ("docs/test_site.py", "README.md", True),
        ("classroom/test_hostile_submissions.py", "docs/agent-failure-modes.md", True),
        ("classroom/test_hostile_submissions.py", "docs/instructor.md", False),
        ("home/test_story.py", "docs/instructor.md", False),
        ("cli/test_places.py", "docs/instructor.md", False),
    ],
)
def test_a_page_touches_the_tests_of_pages_and_those_that_name_it(
    test: str, page: str, expected: bool
) -> None:
    assert (ROOT / page).is_file()
    assert is_touched(item(f"tests/course/{test}"), [page]) is expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [("docs/instructor.md", True), ("g2c/cli/gradebook.py", True), ("docs/index.md", False)],
)
def test_a_test_of_one_page_depends_on_it_and_on_its_commands(changed: str, expected: bool) -> None:
    test = item("tests/course/docs/test_followed.py", "docs/instructor.md")
    assert is_touched(test, [changed]) is expected


def test_a_commit_draws_a_tenth_and_many_draw_all_tests() -> None:
    tests = [f"tests/course/test_any.py::test_{number}" for number in range(1000)]
    drawn = [{test for test in tests if is_drawn(f"commit {n}", test)} for n in range(100)]
    assert all(60 < len(some) < 140 for some in drawn)
    assert set().union(*drawn) == set(tests)


def test_all_are_touched_where_git_does_not_know_the_commit() -> None:
    assert select_touched("f" * 40)(item("tests/course/docs/test_site.py"))


def test_the_last_commit_that_passed_all_tests_is_named() -> None:
    assert (Path(ROOT) / ".ci/green").read_text("ascii").strip().isalnum()


def test_a_pytest_that_a_test_starts_leaves_out_nothing() -> None:
    assert SINCE_VARIABLE not in os.environ
