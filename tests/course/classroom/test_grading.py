"""Grading, with real processes: what a student's file may do to them, and what it costs."""

import json
import re
import shutil
import signal
from pathlib import Path

import pytest
from checkout import COMMAND, ROOT, Checkout
from command import g2c
from ended import code_when_all_ended

from g2c.agent import AgentRunResult, AgentStep
from g2c.classroom.course_copy import copy_course, pristine_course
from g2c.classroom.exercise_runs import restrict_to_expected
from g2c.classroom.grader import ExerciseGrade, Task, grade_exercises, grade_tree, run_reference
from g2c.classroom.hand_in import content_of, other_notebooks
from g2c.classroom.reader import read_uses
from g2c.classroom.sandbox import Conditions, run_in_sandbox
from g2c.course.check.results import Kind, TestResult, TestRun
from g2c.course.manifest import find_exercise, find_exercises, load_exercises
from g2c.course.submission import MAX_SOURCE_BYTES
from g2c.course.writeup import PLACEHOLDER, render_entry
from g2c.files import replace_text
from g2c.tools.limits import remove_tree

GRADE = ("class", "grade", "--module", "19", "--json", "out/grade.json")
MODULE = find_exercises("19")
IDS = [exercise.id for exercise in MODULE]


@pytest.fixture
def student(tmp_path: Path) -> Checkout:
    """A student's course, as shipped, for a test to change."""
    return Checkout(tmp_path / "student")


@pytest.fixture(scope="module")
def reference() -> TestRun:
    return run_reference(Conditions(), ["tests/test_agent.py"])


def graded(
    student: Checkout, exercise_id: str, reference: TestRun, conditions: Conditions | None = None
) -> ExerciseGrade:
    exercise = find_exercise(exercise_id)
    expected, way = reference.of_classes(exercise.tests), conditions or Conditions()
    return grade_exercises(student.folder, [exercise], expected, way, {}).exercises[0]


def test_notebooks_that_are_not_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    assert other_notebooks(tmp_path) == ""
    for name in ("19-agent.ipynb", "20-memory.ipynb", "19-agent-Copy1.ipynb", "notes.txt"):
        (tmp_path / "work" / name).touch()
    assert other_notebooks(tmp_path) == "Not read: work/19-agent-Copy1.ipynb."


@pytest.mark.slow
def test_one_wrong_function_costs_its_own_points_and_no_more(student: Checkout) -> None:
    for exercise_id in ("19.1", "19.3", "19.4"):
        student.write_own(exercise_id)
    student.write_body("19.2", "    return None\n")
    write_up(student)
    answer_questions(student, 1, 7)
    done = g2c(*GRADE, "--gradescope", "out/results.json", root=student.folder)
    assert done.returncode == 0, done.stderr
    result = json.loads((student.folder / "out/grade.json").read_text())
    by_id = {exercise["id"]: exercise for exercise in result["exercises"]}
    statuses = [by_id[i]["status"] for i in IDS]
    assert statuses == ["passing", "failing", "passing", "passing", "not started", "not started"]
    assert [by_id[i]["score"] for i in ("19.1", "19.3", "19.4")] == [15, 10, 15]
    assert 0 < by_id["19.2"]["score"] < 10, "the tests for which None is right do pass"
    assert result["score"] == pytest.approx(40 + by_id["19.2"]["score"])
    assert result["together"]["passed"] < result["together"]["tests"]
    assert result["writeup"]["is_complete"], result["writeup"]
    assert result["answers"][0]["written"] == [1, 7]
    assert 12 in result["answers"][0]["expected"]

    scope = json.loads((student.folder / "out/results.json").read_text())
    assert scope["score"] == result["score"]
    points = {test["number"]: test["score"] for test in scope["tests"] if "number" in test}
    assert points == {i: by_id[i]["score"] for i in IDS}
    second = scope["tests"][1]
    assert second["status"] == "failed" and second["max_score"] == 10
    assert by_id["19.2"]["failures"][0]["says"] in second["output"]
    for test in scope["tests"][len(IDS) :]:
        assert "score" not in test, "what a person grades has no points here"
    for line in ("19.1 Read one step", "15  passing", f"{result['score']:g} of 75 points"):
        assert line in done.stdout, done.stdout


def write_up(student: Checkout) -> None:
    """Three complete failures of three recorded runs."""
    folder = student.folder / "runs"
    folder.mkdir()
    entries = []
    for name in ("1", "2", "3", "tried"):
        run = AgentRunResult(name, None, None, (AgentStep("?", parse_error="No."),), "max_steps")
        run.save(folder / f"{name}.json")
        entry = render_entry(name, name, run.to_markdown()).replace("Tried: ``", "Tried: `tried`")
        entries.append(entry.replace(PLACEHOLDER, "So it goes, and goes on."))
    replace_text(student.folder / "docs/agent-failure-modes.md", "\n".join(entries[:3]))


def answer_questions(student: Checkout, *numbers: int) -> None:
    text = (ROOT / "notebooks/19-agent.ipynb").read_text("utf-8")
    cells = json.loads(text)["cells"]
    for number in numbers:
        cells.append({"cell_type": "markdown", "source": f"### Answer {number}\n\nI saw it."})
    replace_text(student.folder / "work/19-agent.ipynb", json.dumps({"cells": cells}))


@pytest.mark.slow
def test_broken_missing_and_skipped_files_are_told_apart(
    student: Checkout, reference: TestRun
) -> None:
    student.write_body("19.1", "    return (\n")
    student.write_own("19.2")
    replace_text(student.folder / ".g2c/handed-back", "19.3\n")
    student.file_of("19.4").rename(student.file_of("19.4").with_name("run (1).py"))
    (student.folder / "docs/agent-failure-modes.md").unlink()
    result = grade_tree(student.folder, Task(MODULE, reference, Conditions(), model=True))
    statuses = {exercise.id: exercise.status for exercise in result.exercises}
    assert statuses == {
        "19.1": "failing",
        "19.2": "passing",
        "19.3": "skipped",
        "19.4": "missing",
        "19.5": "not started",
        "19.6": "not started",
    }
    assert "parse_react_step.py, line" in result.exercises[0].says, result.exercises[0].says
    assert "SyntaxError" in result.exercises[0].says
    assert "run.py. Was it renamed to g2c/agent/run (1).py?" in result.exercises[3].says
    assert result.score == 10
    assert [exercise.tests for exercise in result.exercises] == [
        len(reference.of_classes(exercise.tests).collected) for exercise in MODULE
    ]
    works = [exercise.tests for exercise in result.exercises[1:3]]
    assert result.together.n_passed == sum(works), "a broken file costs its own exercise"


@pytest.mark.slow
def test_a_stub_gets_nothing(student: Checkout, reference: TestRun) -> None:
    result = graded(student, "19.4", reference)
    assert result.tests > 10
    assert (result.status, result.score, result.failures) == ("not started", 0, ()), (
        "one of its tests needs no Agent.run, and is not a merit of a stub"
    )


@pytest.mark.slow
def test_editing_the_tests_changes_nothing(student: Checkout, reference: TestRun) -> None:
    tests = student.folder / "tests"
    (tests / "test_agent.py").write_text(
        "class TestExtractPlan:\n    def test_it(self):\n        pass\n"
    )
    passing = "import pytest\n\n\n@pytest.hookimpl\ndef pytest_runtest_call(item):\n    pass\n"
    for folder in (student.folder, tests, student.folder / "g2c/agent"):
        (folder / "conftest.py").write_text(passing)
    machinery = ("g2c/exercise.py", "g2c/course/check/reporter.py", "pyproject.toml")
    for name in (*machinery, "tests/cases.py"):
        (student.folder / name).write_text("nonsense")
    assert graded(student, "19.2", reference).status == "not started"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("raise SystemExit(0)", "SystemExit"),
        ("import os; os._exit(0)", "No test was run: the process ended well"),
        (
            "import pytest; pytest.skip(allow_module_level=True)",
            "extract_plan.py, line 69: Skipped",
        ),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed by signal 9"),
    ],
)
def test_a_file_that_ends_the_process_when_it_is_imported_gets_nothing(
    student: Checkout, reference: TestRun, line: str, says: str
) -> None:
    file = student.file_of("19.2")
    student.write_own("19.2")
    file.write_text(f"{file.read_text('utf-8')}\n{line}\n", "utf-8")
    result = graded(student, "19.2", reference)
    assert (result.status, result.passed) == ("failing", 0)
    assert says in result.says, result.says


def test_a_skip_counts_where_the_reference_is_skipped_too() -> None:
    def run(kind: Kind) -> TestRun:
        return TestRun(("t.py::T::x",), (TestResult("t.py::T::x", kind, "Skipped: Windows"),))

    assert restrict_to_expected(run("skipped"), run("skipped")).passed
    assert not restrict_to_expected(run("skipped"), run("passed")).passed


def test_a_process_that_dies_keeps_what_it_had(student: Checkout, reference: TestRun) -> None:
    student.write_own("19.2")
    file = student.file_of("19.2")
    text = file.read_text("utf-8")
    dies = "    import os\n    os._exit(0) if '1.5 litres' in text else None\n    return _own"
    file.write_text(text.replace("    return _own", dies, 1), "utf-8")
    result = graded(student, "19.2", reference)
    assert 0 < result.passed < result.tests - 1, result
    assert "tests were run" in result.says and len(result.failures) == 1


def test_a_students_code_sees_nothing_of_the_graders_environment(
    student: Checkout, reference: TestRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_TOKEN", "secret")
    monkeypatch.setenv("G2C_ROOT", str(student.folder))
    monkeypatch.setenv("PYTHONPATH", str(student.folder))
    shown = "os.environ, g2c.__file__, os.path.expanduser('~')"
    student.write_body("19.2", f"    import os, g2c\n    raise KeyError({shown})\n")
    said = graded(student, "19.2", reference).failures[0].says
    assert "G2C_REFERENCE" in said
    for hidden in ("secret", "G2C_ROOT", str(student.folder), f"{Path.home()}/"):
        assert hidden not in said, said


def test_a_report_that_the_students_code_wrote_into_is_not_an_accident_for_the_grader(
    student: Checkout, reference: TestRun
) -> None:
    file = student.file_of("19.2")
    forge = "import sys; open(sys.argv[sys.argv.index('--report-to') + 1], 'a').write('[5]\\n')"
    file.write_text(f"{file.read_text('utf-8')}\n{forge}\n", "utf-8")
    result = graded(student, "19.2", reference)
    assert (result.score, result.says) == (0, "The process left a report that cannot be read.")


def test_a_link_out_of_the_tree_is_not_followed(
    student: Checkout, reference: TestRun, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "planner.py"
    student.file_of("19.2").rename(elsewhere)
    student.file_of("19.2").symlink_to(elsewhere)
    assert graded(student, "19.2", reference).status == "missing"
    (student.folder / "g2c/agent").rename(tmp_path / "agent")
    (student.folder / "g2c/agent").symlink_to(tmp_path / "agent")
    assert graded(student, "19.1", reference).status == "missing"


def test_the_graders_folder_is_not_in_what_a_student_reads(tmp_path: Path) -> None:
    file = find_exercise("19.1").file
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_bytes(b"#" * (MAX_SOURCE_BYTES + 1))
    with pytest.raises(ValueError, match=r"^parse_react_step\.py is larger than 1,048,576 bytes"):
        content_of(tmp_path, file)


def test_another_modules_hand_in_has_no_points_but_a_reason(tmp_path: Path) -> None:
    task = Task(tuple(find_exercises("20")), TestRun(()), Conditions(), False)
    own = tmp_path / "own" / find_exercise("19.2").file
    own.parent.mkdir(parents=True)
    own.write_text("x = 1\n")
    with pytest.raises(ValueError, match=r"^It has exercises of module 19, and none of 20\.$"):
        grade_tree(tmp_path / "own", task)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "lacks"),
    [
        ("from g2c.agent.own import x", "No module named 'g2c.agent.own'"),
        ("from own import x", "No module named 'own'"),
        ("from g2c.agent.render import x", "cannot import name 'x' from 'g2c.agent.render'"),
    ],
)
def test_ones_own_files_and_helpers_elsewhere_are_not_taken_and_the_grade_says_so(
    student: Checkout, reference: TestRun, line: str, lacks: str
) -> None:
    file = student.file_of("19.2")
    file.write_text(f"{file.read_text()}\n{line}\n")
    says = graded(student, "19.2", reference).says
    assert lacks in says
    assert says.endswith("takes no files but those of the exercises.")


@pytest.mark.slow
def test_another_exercises_mark_is_named(student: Checkout, reference: TestRun) -> None:
    file = student.file_of("19.2")
    file.write_text(file.read_text().replace('@exercise("19.2")', '@exercise("19.1")'))
    says = graded(student, "19.2", reference).says
    assert says.endswith('has @exercise("19.1") for its function; its own is "19.2".')


@pytest.mark.slow
def test_a_grader_that_cannot_grade_says_so_and_ends_with_code_1(
    student: Checkout, tmp_path: Path
) -> None:
    nothing = student.g2c("class", "grade", str(tmp_path / "no"), "--json", "x.json")
    assert nothing.returncode == 1 and "is not a student's course" in nothing.stderr
    assert not (student.folder / "x.json").exists()
    with pytest.raises(ValueError, match="Nothing was graded"):
        run_reference(Conditions(memory_mb=8), ["tests/test_agent.py"])


@pytest.mark.parametrize("whole", [True, False])
def test_a_copy_that_differs_leaves_the_pristine_course_alone(tmp_path: Path, whole: bool) -> None:
    def contents() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in pristine.rglob("*") if file.is_file()}

    pristine, exercise = pristine_course(), find_exercise("19.2")
    before = contents()
    assert pristine / exercise.file in before and pristine / exercise.solution_file in before
    hidden = {"alternatives", "wrong.py", "picture.py"}
    assert not [file for file in before if hidden & {*file.parts}]
    assert pristine / exercise.first_version_file not in before
    copy, changed = tmp_path / "copy", {exercise.file: b"x = 1\n"}
    shown = copy_course(copy, changed, [exercise.solution_file], whole=whole)
    assert (copy / exercise.file).read_bytes() == b"x = 1\n"
    assert not [path for path in copy.rglob("*") if path.match(f"{exercise.slug}/**/solution.*")]
    others = copy if whole else dict((place, read) for read, place in shown)[copy / "g2c"].parent
    assert (others / find_exercise("19.1").solution_file).is_file(), "the others stay"
    compiled = copy.glob("g2c/agent/__pycache__/*")
    assert not [file for file in compiled if file.name.startswith(Path(exercise.file).stem)]
    remove_tree(copy)
    assert contents() == before


def test_a_tree_is_deleted_however_deep_it_is_and_no_link_is_followed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (kept / "folder").mkdir(parents=True)
    (kept / "file").write_text("kept")
    tree = tmp_path / "tree"
    tree.mkdir()
    for _ in range(3000):  # no path can be as long as this becomes
        (tmp_path / "outer").mkdir()
        tree.rename(tmp_path / "outer" / ("d" * 200))
        (tmp_path / "outer").rename(tree)
    (tree / "link").symlink_to(kept)
    (tree / "locked").mkdir()
    (tree / "locked/link").symlink_to(kept / "file")
    (tree / "locked").chmod(0)
    remove_tree(tree)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    (tmp_path / "link").symlink_to(kept)
    remove_tree(tmp_path / "link")
    assert sorted(path.name for path in kept.iterdir()) == ["file", "folder"]


TELLS_AND_STAYS = """
    import os, time
    pipe = os.open({pipe!r}, os.O_WRONLY)
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
    os.write(pipe, b"x")
    time.sleep(600)
"""
"""The function and a daemon of it each tell a pipe that they run, and hold it open as they live."""


@pytest.mark.skipif("sys.platform != 'linux'", reason="a daemon is found on Linux")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
@pytest.mark.slow
def test_a_students_processes_end_with_the_grader(
    student: Checkout, tmp_path: Path, number: signal.Signals
) -> None:
    pipe, temporary = tmp_path / "pipe", tmp_path / "temporary"
    temporary.mkdir()
    student.write_body("19.2", TELLS_AND_STAYS.format(pipe=str(pipe)))
    environment = student.environment(TMPDIR=str(temporary))
    # In a sandbox the pipe could not be seen.
    command = [*COMMAND, *GRADE, "--sandbox", "none"]
    assert code_when_all_ended(command, number, pipe, 2, cwd=student.folder, env=environment)
    if number != signal.SIGKILL:
        assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.slow
def test_running_graders_of_a_class_end_at_once_and_results_stay(
    student: Checkout, tmp_path: Path, number: signal.Signals
) -> None:
    class_, pipe = tmp_path / "class", tmp_path / "pipe"
    student.write_body("19.2", TELLS_AND_STAYS.format(pipe=str(pipe)))
    for name in ("bob", "eve"):
        (class_ / name / "g2c/agent").mkdir(parents=True)
        shutil.copy(student.file_of("19.2"), class_ / name / "g2c/agent")
    (class_ / "ada").write_text("no submission")
    command = [*COMMAND, "class", "grade", str(class_), "--out", str(tmp_path / "grades")]
    command += ["--module", "19", "--workers", "2", "--sandbox", "none"]
    environment = student.environment()
    code = code_when_all_ended(command, number, pipe, 4, cwd=student.folder, env=environment)
    assert code == 128 + number
    assert {file.name for file in (tmp_path / "grades").iterdir()} == {"ada.json", "settings.json"}


EQUAL_IN_A_PART = """

class Equal(float):
    def __eq__(self, other):
        return True

    def __round__(self, digits=0):
        return self
"""


@pytest.mark.slow
def test_a_part_that_equals_everything_is_a_forgery(student: Checkout) -> None:
    exercise = find_exercise("21.6")
    student.write_body("21.6", "    return Interval(Equal(1), Equal(1), Equal(1))\n")
    content = (student.file_of("21.6").read_text("utf-8") + EQUAL_IN_A_PART).encode()
    others = ",".join(other.id for other in load_exercises() if other.file != exercise.file)
    runs = (  # which part differs in a canary is drawn
        run_in_sandbox(
            ["tests/test_critic.py::TestCompareBootstrap"],
            {exercise.file: content},
            [exercise.solution_file],
            reference=others,
            conditions=Conditions(),
        )
        for _ in range(8)
    )
    assert any(run.forged for run in runs)


@pytest.mark.slow
def test_tests_that_do_not_call_the_function_earn_nothing(student: Checkout) -> None:
    exercise = find_exercise("22.7")
    expected = run_in_sandbox(exercise.test_ids, {}, (), reference="all", conditions=Conditions())
    student.write_body("22.7", "    return None\n")
    found = graded(student, exercise.id, expected)
    assert (found.status, found.passed, found.score) == ("failing", 5, 0)


def test_a_file_beside_the_course_stands_in_for_no_module_of_pythons(
    student: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person may grade the course that the grader runs from."""
    for name in ("types", "json", "yaml"):
        (student.folder / f"{name}.py").write_text("raise SystemExit('this is not for the grader')")
    for module in ("confinement", "course_copy", "reader"):
        monkeypatch.setattr(f"g2c.classroom.{module}.COURSE", student.folder)
    monkeypatch.setattr("g2c.classroom.course_copy._made", [])
    file = find_exercise("19.1").file
    (student.folder / file).write_text("import ctypes\n")
    assert read_uses({file: student.folder / file}, Conditions()) == {
        file: ("line 1: import ctypes",)
    }


@pytest.mark.slow
def test_nothing_that_a_student_wrote_steers_the_terminal(student: Checkout) -> None:
    steer = "\x1b[2J\x1b]0;owned\x07\x9b31m\ud83d"
    student.write_body("19.2", f"    raise LookupError({steer!a})\n")
    file = student.file_of("19.1")
    file.write_text(f"{file.read_text('utf-8')}\nraise LookupError({steer!a})\n", "utf-8")
    entry = f"### {steer[:-1]}\n\nRun: `{steer[:-1]}`\n"
    replace_text(student.folder / "docs/agent-failure-modes.md", entry)
    graded = g2c(*GRADE, "--gradescope", "out/scope.json", root=student.folder)
    assert graded.returncode == 0, graded.stderr
    for done in (graded, student.g2c("check", "19.1"), student.g2c("check", "19.2")):
        shown = done.stdout + done.stderr
        assert "owned" in shown and not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown), shown
    for name in ("out/grade.json", "out/scope.json"):
        written = (student.folder / name).read_text("utf-8")  # in ASCII: a control is \\u001b
        assert "owned" in written and not re.search(r"(?<!\\)\\u(00[0189]|d8)", written), written
