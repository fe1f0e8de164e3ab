"""A new exercise is laid out whole, and what it lacks is said until nothing is lacking."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from checkout import ROOT, Checkout

from g2c.course.manifest import PACKAGES, exercises_in, find_exercise, load_exercises
from maintain.author.checks import check, draw_pictures, left_to_write, run_pytest, runs
from maintain.author.commands import page
from maintain.author.new import Plan, check_plan, lay_out

LAST = load_exercises()[-1]
MODULE, PACKAGE = LAST.module, PACKAGES[LAST.module]
NEXT = f"{MODULE}.{int(LAST.id.partition('.')[2]) + 1}"
FUNCTION, QUESTION = "rest_s", "how long until the next try?"
PLAN = Plan(NEXT, "Say when to rest", FUNCTION, QUESTION)
NO_MODULE = int(MODULE) + 1


@pytest.fixture
def course(tmp_path: Path) -> Checkout:
    checkout = Checkout(tmp_path)
    (tmp_path / "tests/course/wrong_answers").mkdir(parents=True)
    return checkout


def author(course: Checkout, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "maintain.author", *arguments]
    # g2c is the copy's, and maintain is this checkout's, whichever is installed.
    environment = course.environment(PYTHONPATH=os.pathsep.join([str(course.folder), str(ROOT)]))
    return subprocess.run(
        command, cwd=course.folder, env=environment, capture_output=True, text=True
    )


def test_a_new_exercise_stands_in_all_its_places_and_says_what_to_write(course: Checkout) -> None:
    words = ("--title", PLAN.title, "--question", QUESTION)
    made = author(course, "new", NEXT, FUNCTION, *words)
    assert made.returncode == 0, made.stderr
    entries = course.folder.glob("g2c/exercises/*/exercise.toml")
    exercises = exercises_in({file.as_posix(): file.read_bytes() for file in entries})
    (new,) = {exercise for exercise in exercises if exercise.id == NEXT}
    assert exercises[-1] == new and (new.id, new.function) == (NEXT, "rest_s")
    index = (course.folder / new.lesson).with_name("index.md").read_text("utf-8")
    page = Path(new.lesson).stem
    assert f"| [{NEXT}]({page}.md) | `rest_s`: {QUESTION} |" in index and f"\n{page}\n" in index
    left = list(left_to_write(new, course.folder))
    assert not [line for line in left if line.endswith("is missing")]
    places = {line.partition(":")[0] for line in left}
    parts = {f"{new.folder}/{part}" for part in ("exercise.toml", "solution.py", "picture.py")}
    assert {new.file, new.lesson, new.suite, *parts} < places
    assert places <= set(made.stdout.split()), "what new prints is what is to be written"

    checked = author(course, "check", NEXT)
    assert checked.returncode == 1 and all(line in checked.stdout for line in left)
    tried = course.pytest(*new.test_ids, f"--reference={NEXT}")
    assert "1 passed" in tried.stdout, tried.stdout
    drawing = course.folder / f"docs/pictures/{NEXT.replace('.', '-')}-rest-s.svg"
    assert not draw_pictures(new, course.folder) and drawing.exists(), "it can be drawn, too"


@pytest.mark.slow
def test_a_wrong_answer_is_recorded_once_and_one_that_passes_is_named(course: Checkout) -> None:
    bank = "tests/course/wrong_answers"
    shutil.copytree(ROOT / bank, course.folder / bank, dirs_exist_ok=True)
    folder = course.folder / find_exercise("19.2").folder
    right = ("import re\n", "import re  # as before\n")
    with (folder / "wrong.py").open("a") as file:
        file.write(f"wrong('Right is wrong.', {right})\n")
    before = tomllib.loads((folder / "caught.toml").read_text("utf-8"))
    gone, _ = before.popitem()
    rows = "".join(f"{json.dumps(key)} = {json.dumps(value)}\n" for key, value in before.items())
    (folder / "caught.toml").write_text(rows, "utf-8")

    first, again = author(course, "caught", "19.2"), author(course, "caught", "19.2")
    recorded = tomllib.loads((folder / "caught.toml").read_text("utf-8"))
    assert recorded.keys() == {*before, gone} and recorded.items() > before.items()
    assert gone in first.stdout and recorded[gone][0] in first.stdout, first.stderr
    assert "not caught: Right is wrong." in first.stdout and first.returncode == 1
    assert gone not in again.stdout and not [key for key in before if key in first.stdout]

    author(course, "new", NEXT, FUNCTION, "--title", PLAN.title, "--question", QUESTION)
    new = author(course, "caught", NEXT)
    assert new.returncode == 0 and "test_todo" in new.stdout, new.stderr


@pytest.mark.slow
def test_each_check_of_an_exercise_finds_tests_of_it() -> None:
    for about, arguments in runs(find_exercise("22.2")).items():
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert found.returncode == 0, f"{about}: {found.stdout}"
        if "-k" in arguments and "mutation" not in arguments[0]:
            tests = [line for line in found.stdout.splitlines() if "::" in line]
            assert all("22.2" in test for test in tests), f"{about}: {tests}"
        if about == "wrong answers are caught":
            assert "has_eight_wrong_answers_or_more" in found.stdout, "how many there are, too"


def test_existing_files_are_not_overwritten(course: Checkout) -> None:
    (course.folder / f"g2c/{PACKAGE}/rest_s.py").write_text("mine = 1\n")
    before = sorted((course.folder / "g2c/exercises").iterdir())
    with pytest.raises(ValueError, match="nothing was written"):
        lay_out(PLAN, course.folder)
    assert (course.folder / f"g2c/{PACKAGE}/rest_s.py").read_text() == "mine = 1\n"
    assert sorted((course.folder / "g2c/exercises").iterdir()) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": f"{NO_MODULE}.1"}, f"no module '{NO_MODULE}'"),
        ({"id": f"{MODULE}.99"}, f"is {NEXT}"),
        ({"id": MODULE}, f"is {NEXT}"),
        ({"function": "g2c.agent.rest:rest_s"}, "not a name of a function"),
        ({"function": "../rest"}, "not a name of a function"),
        ({"function": "class"}, "not a name of a function"),
        ({"title": " "}, "a title"),
        ({"question": ""}, "how long until"),
        ({"question": "a | b?"}, "without |"),
    ],
)
def test_an_impossible_exercise_is_refused_with_a_right_one(
    change: dict[str, str], says: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        check_plan(replace(PLAN, **change))


def test_a_picture_that_cannot_be_drawn_is_a_finding(course: Checkout) -> None:
    picture = course.folder / LAST.folder / "picture.py"
    picture.unlink()
    assert f"{LAST.folder}/picture.py is missing" in left_to_write(LAST, course.folder)
    assert "No module named" in draw_pictures(LAST, course.folder)


def test_nothing_is_left_to_write_in_the_course() -> None:
    left = {exercise.id: list(left_to_write(exercise, ROOT)) for exercise in load_exercises()}
    assert not {id_: lines for id_, lines in left.items() if lines}


def test_without_the_extra_dev_nothing_is_found_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ValueError, match=r"prodlm\.sh test"):
        list(check(find_exercise("22.2"), ROOT))


@pytest.mark.slow
def test_one_mistake_that_fails_many_tests_fills_no_screen(tmp_path: Path) -> None:
    tests = "".join(f"def test_{n}():\n    assert 0\n" for n in range(99))
    (tmp_path / "test_many.py").write_text(tests)
    (tmp_path / "conftest.py").write_text(
        "def pytest_addoption(parser): parser.addoption('--reference')\n"
    )
    assert "5 failed" in run_pytest("this", tmp_path).problem


@pytest.mark.slow
def test_a_check_that_pytest_refuses_is_not_passed(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import no_such_module\n")
    assert "no_such_module" in run_pytest("this", tmp_path).problem
    (tmp_path / "conftest.py").write_text("")
    assert run_pytest("this", tmp_path, "no_such_file.py").problem


WITHOUT_DEV = """
import sys, pytest
sys.modules["hypothesis"] = None
sys.exit(pytest.main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "arguments", "says", "passes"),
    [
        (WITHOUT_DEV, ["tests/course/test_text.py"], "./prodlm.sh test", False),
        ("", ["tests/course/test_text.py"], "", True),
        ("", ["tests/course/test_text.py::TestNothing", "tests/cases.py"], "--reference", False),
        ("", ["tests/course/test_text.py", "--reference=19.1"], "", True),
    ],
)
def test_the_courses_own_tests_say_what_they_need(
    code: str, arguments: list[str], says: str, passes: bool
) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "G2C_REFERENCE"}
    if says == "--reference":  # empty, so that what was skipped in this checkout does not matter
        environment["G2C_REFERENCE"] = ""
    command = [sys.executable, *(["-c", code] if code else ["-m", "pytest"]), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode == 0) == passes, done.stdout + done.stderr
    assert says in done.stdout + done.stderr and "Traceback" not in done.stderr


def test_the_page_of_commands_is_what_the_program_has() -> None:
    cure = "run: python -m maintain.author commands"
    assert (ROOT / "docs/commands.md").read_text("utf-8") == page(), cure
