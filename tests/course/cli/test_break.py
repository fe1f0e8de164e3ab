"""`g2c break`: each first version is wrong by the student's tests, and fails where it is shown."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import pytest
from checkout import COMMAND, Checkout
from lessons import code_in
from shipped import ROOT, as_shipped

from g2c.cli import break_
from g2c.course import break_rows as seen
from g2c.course.breaks import RESULT, WANTED
from g2c.course.manifest import Exercise, find_exercises, load_exercises
from g2c.course.stubs import stub_of
from g2c.exercises.e19_1_parse_react_step import naive as parser
from g2c.inference import BackendError
from g2c.surroundings import own_environment

pytestmark = pytest.mark.slow

EXERCISES = load_exercises()

each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=attrgetter("id"))


def g2c(*arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("G2C_", "OLLAMA_"))}
    return subprocess.run(
        [*COMMAND, *arguments],
        env=kept | {"NO_COLOR": "1", "COLUMNS": "200"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,  # a busy machine is not a failure
    )


@pytest.fixture(scope="module")
def trials(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, str]]:
    """For each exercise that `-k` has left, what its tests said of the first version: nothing
    where one passed."""
    folder = tmp_path_factory.mktemp("trials")
    # The examples in docstrings are items, too, and of no module.
    items = [
        entry for entry in request.session.items if getattr(entry, "module", 0) is request.module
    ]
    only = [item.callspec.params["exercise"].id for item in items if "trials" in item.fixturenames]
    command = [sys.executable, "-m", "wrong_answers", str(folder), "--first", "--only", *only]
    done = subprocess.run(
        command,
        cwd=ROOT / "tests/course",
        env=own_environment(PYTHONPATH=str(ROOT / "tests/course")),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        exercise.id: json.loads((folder / f"{exercise.id}-first.json").read_text("utf-8"))
        for exercise in EXERCISES
        if exercise.id in only
    }


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@each_exercise
def test_a_first_version_is_wrong_by_the_students_tests(
    exercise: Exercise, trials: dict[str, dict[str, str]]
) -> None:
    assert any(trials[exercise.id].values()), "it passes, so there is nothing to learn from it"
    assert not all(trials[exercise.id].values()), "nobody would write what does nothing right"


@each_exercise
def test_it_fails_where_it_is_shown(exercise: Exercise) -> None:
    done = g2c("break", exercise.id)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert f"def {exercise.function}(" in done.stdout, "the first version should be shown"
    rows = dict(line.split("  ", 1) for line in done.stdout.splitlines() if "  " in line)
    came, wished = rows[RESULT].strip(), rows[WANTED].strip()
    assert came and wished and came != wished
    *_, question, end = filter(None, done.stdout.splitlines())
    assert question.endswith("?"), f"a reader is left with {question!r}"
    assert end == "g2c next shows the exercise."
    known = stub_of(exercise)
    # An opened bracket says no more than that a class is called, which the signature names.
    lines = [line for line in code_in(done.stdout, exercise) if not line.endswith("(")]
    own = [line for line in lines if line not in known]
    assert not own, f"lines of the reference are shown: {own}"


class Elsewhere(ModuleType):
    """A first version on a machine where the model does as `rows` says, or cannot be asked."""

    def __init__(self, *rows: tuple[str, str]) -> None:
        super().__init__(parser.__name__)
        self.__file__, self.rows = parser.__file__, rows

    def show(self, folder: Path) -> Iterator[tuple[str, str]]:
        yield from self.rows
        if not self.rows:
            raise BackendError("There is no model.")


@pytest.mark.parametrize(
    ("rows", "why"),
    [((), "There is no model."), (((RESULT, "17"), (WANTED, "17")), "wrote something else here")],
)
def test_a_recording_is_shown_if_the_model_behaves_differently_here(
    rows: tuple[tuple[str, str], ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "kept_file", lambda: tmp_path / ".g2c/breaks.json")
    (label, note), *shown = break_._seen(Elsewhere(*rows))
    assert label == "recorded" and why in note
    assert tuple(shown) == seen.read_rows(seen.RECORDED, parser) and dict(shown)[RESULT] != "17"


def test_the_model_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "kept_file", lambda: tmp_path / ".g2c/breaks.json")
    rows = seen.read_rows(seen.RECORDED, parser)
    assert tuple(break_._seen(Elsewhere(*rows))) == rows
    assert tuple(break_._seen(Elsewhere())) == rows, "the rows of this machine were not stored"
    seen.kept_file().write_text("[", "utf-8")
    assert tuple(break_._seen(Elsewhere(*rows))) == rows, "a damaged file is written anew"


def test_records_are_of_the_present_first_versions() -> None:
    for name in json.loads(seen.RECORDED.read_text("utf-8")):
        rows = dict(seen.read_rows(seen.RECORDED, import_module(name)))
        assert rows, f"{name} has changed: python -m maintain.author.breaks"
        assert rows[RESULT] != rows[WANTED]


def test_a_module_is_listed() -> None:
    listed = g2c("break", "19").stdout
    for exercise in find_exercises("19"):
        assert f"g2c break {exercise.id}  {exercise.title}" in listed
    assert "g2c break 20" not in listed


@as_shipped
def test_without_an_id_it_shows_the_next_exercise_whatever_a_student_has_written(
    tmp_path: Path,
) -> None:
    student = Checkout(tmp_path / "student")
    for module in ("19", "20", "21"):
        student.g2c("skip", module)
    student.write_body("22.1", "    return 'mine'\n")
    done = student.g2c("break")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("22.1 ") and RESULT in done.stdout
    student.write_body("22.2", "    return (\n")
    done = student.g2c("break", "22.3")
    assert done.returncode == 0, f"a broken file costs its own exercise alone: {done.stderr}"
