"""How an exercise's tests are run: with others in one process where that changes nothing."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from helpers.checkout import Checkout

from g2c.classroom import exercise_runs
from g2c.classroom.exercise_runs import as_together
from g2c.classroom.grader import Grade, grade_exercise, grade_exercises, run_reference
from g2c.classroom.sandbox import Conditions, SandboxRun, run_in_sandbox
from g2c.course.check.results import TestResult, TestRun
from g2c.course.manifest import find_exercise

SHARE = [find_exercise(id_) for id_ in ("19.1", "19.2", "19.3")]


@pytest.fixture(scope="module")
def expected() -> TestRun:
    return run_reference(Conditions(), [test for exercise in SHARE for test in exercise.test_ids])


@pytest.fixture
def student(tmp_path: Path) -> Checkout:
    """A student's course in which 19.1 and 19.3 are solved, and 19.2 is as shipped."""
    student = Checkout(tmp_path / "student")
    for exercise_id in ("19.1", "19.3"):
        student.write_own(exercise_id)
    return student


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The exercises of each process that runs tests, as they are started."""
    started: list[list[str]] = []

    def run(tests: Iterable[str], *args: Any, **options: Any) -> Any:
        tests = list(tests)
        started.append([exercise.id for exercise in SHARE if {*exercise.test_ids} <= {*tests}])
        return run_in_sandbox(tests, *args, **options)

    monkeypatch.setattr(exercise_runs, "run_in_sandbox", run)
    return started


def graded(student: Checkout, expected: TestRun) -> Grade:
    return grade_exercises(student.folder, SHARE, expected, Conditions(), {})


def statuses(grade: Grade) -> list[str]:
    return [exercise.status for exercise in grade.exercises]


@pytest.mark.slow
def test_exercises_that_call_no_other_share_a_process(
    student: Checkout, expected: TestRun, processes: list[list[str]]
) -> None:
    student.write_own("19.2")
    grade = graded(student, expected)
    assert processes == [["19.1", "19.2", "19.3"]] and statuses(grade) == ["passing"] * 3
    assert grade.together.passed, grade.together


@pytest.mark.slow
def test_one_that_fails_is_run_again_by_itself(
    student: Checkout, expected: TestRun, processes: list[list[str]]
) -> None:
    student.write_body("19.2", "    return None\n")
    grade = graded(student, expected)
    assert processes == [["19.1", "19.2", "19.3"], ["19.2"]]
    assert statuses(grade) == ["passing", "failing", "passing"]
    assert grade.together.n_passed == len(expected.collected) - len(grade.exercises[1].failures)


@pytest.mark.slow
def test_one_that_is_not_started_needs_no_process(
    student: Checkout, expected: TestRun, processes: list[list[str]]
) -> None:
    assert statuses(graded(student, expected)) == ["passing", "not started", "passing"]
    assert len(processes) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "harm",
    [
        "import re\nre.sub = re.split = lambda *args, **options: ''",
        "raise KeyboardInterrupt",
        "def (",
    ],
)
def test_a_file_that_harms_the_process_costs_no_other_exercise(
    student: Checkout, expected: TestRun, harm: str
) -> None:
    student.write_own("19.2")
    file = student.file_of("19.2")
    file.write_text(f"{file.read_text('utf-8')}\n\n{harm}\n", "utf-8")
    (first, second, third) = graded(student, expected).exercises
    assert (first.status, third.status) == ("passing", "passing"), (first.says, third.says)
    assert harm.startswith("import") or second.status != "passing"


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["from g2c.agent.parse_react_step import _cut", "from .parser import _cut"]
)
def test_a_helper_in_another_exercises_file_is_not_there(
    student: Checkout, expected: TestRun, line: str
) -> None:
    student.write_own("19.2")
    parser, planner = student.file_of("19.1"), student.file_of("19.2")
    parser.write_text(f"{parser.read_text('utf-8')}\n\ndef _cut(text):\n    return text\n", "utf-8")
    planner.write_text(f"{planner.read_text('utf-8')}\n\n{line}\n", "utf-8")
    second = graded(student, expected).exercises[1]
    assert second.status == "failing" and "_cut" in second.says, second
    assert f"import {line.split()[1]}" in second.uses[0]


@pytest.mark.slow
def test_one_that_calls_another_is_run_with_the_reference_of_it(
    student: Checkout, expected: TestRun, processes: list[list[str]]
) -> None:
    student.write_own("19.2")
    planner = student.file_of("19.2")
    call = "    import g2c.agent\n    g2c.agent.parse_react_step('Thought: x')\n    return _own("
    planner.write_text(planner.read_text("utf-8").replace("    return _own(", call, 1), "utf-8")
    assert statuses(graded(student, expected)) == ["passing"] * 3
    assert processes == [["19.1", "19.2", "19.3"], ["19.2"]]


@pytest.mark.slow
def test_sharing_a_process_changes_no_grade(
    student: Checkout, expected: TestRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    student.write_body("19.2", "    return []\n")
    shared = graded(student, expected)
    monkeypatch.setattr(exercise_runs, "_may_share", lambda *_: False)
    assert graded(student, expected) == shared


def test_together_a_test_of_several_functions_is_the_students_and_any_other_its_own_runs() -> None:
    own, both = "t.py::TestA::test_own", "t.py::TestA::test_both"
    expected = TestRun((own, both), (TestResult(own, used="1"), TestResult(both, used="1 2")))
    alone = TestRun((own, both), (TestResult(own, "failed"), TestResult(both)))
    between = TestRun((both,), (TestResult(both, "too long"),))
    found = as_together([alone], between, expected)
    assert [(result.test, result.kind) for result in found] == [(own, "failed"), (both, "too long")]
    assert [result.test for result in as_together([alone], TestRun(), expected)] == [own]


def test_points_are_shared_by_the_tests_that_were_expected() -> None:
    """Nothing was collected, and nothing passed: that is not all."""
    exercise = SHARE[0]
    tests = tuple(f"{exercise.test_ids[0]}::test_{number}" for number in range(4))
    expected = TestRun(tests, tuple(TestResult(test, used=exercise.id) for test in tests))
    for n_passed in range(5):
        ran = SandboxRun(tests[:n_passed], expected.results[:n_passed])
        assert grade_exercise(exercise, ran, expected).share == n_passed / 4
