"""The files for Canvas and Moodle, by the rules of their own imports, and grading again."""

import csv
import io
import json
import os
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from grade_results import M19, MAX_SCORE, class_of, result
from typer.testing import CliRunner

from g2c.classroom import batch, regrade
from g2c.classroom.course_file import Course, read_course
from g2c.classroom.exports import canvas_csv, moodle_csv, students_csv
from g2c.classroom.grader import Task
from g2c.classroom.roster import Student, read_roster
from g2c.classroom.sandbox import Conditions
from g2c.cli.app import app
from g2c.course.check.results import TestRun
from g2c.course.manifest import load_exercises

ROSTER = (
    Student("u1", "Lovelace, Ada", "ada@x.edu", "al", 'A "1"', "901"),
    Student("u2", "=Grace;Hopper", "grace@x.edu", "gh"),
    Student("u3", "Jörg Meier", "jm@x.edu", "jm"),
)
COURSE = read_course('[titles]\n"19" = "Agents, first"\n[canvas]\n"19" = 4711')


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_the_file_for_canvas_has_its_columns_in_its_order() -> None:
    """`GradebookImporter` finds Student and ID by their places, the two of the SIS behind them, and
    Section last; then the assignments, each `Title (ID)`; and the line of the points by its first
    cell."""
    results = [result("al"), {"name": "gh", "not_graded": "no zip"}]
    export = canvas_csv(class_of(results, ROSTER), COURSE)
    header, possible, *students = rows_of(export.text)
    assert header == [
        *("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
        "Agents, first (4711)",
    ]
    title_and_id = re.fullmatch(r"(.*)\s\((\d+)\)", header[5])
    assert title_and_id and title_and_id.groups() == ("Agents, first", "4711")
    assert possible == ["    Points Possible", "", "", "", "", str(MAX_SCORE)]
    assert students == [
        ["Lovelace, Ada", "901", "u1", "al", 'A "1"', str(MAX_SCORE)],
        ["'=Grace;Hopper", "", "u2", "gh", "", ""],
        ["Jörg Meier", "", "u3", "jm", "", "0.0"],
    ], "what was not graded stays blank, and what is missing is 0"
    assert not export.notes
    assert read_roster(export.text.encode())[0].canvas_id == "901", "as it came from there"
    assert rows_of(canvas_csv(class_of(results, ROSTER), Course()).text)[0][5] == "Module 19"


def test_canvas_reads_commas_and_not_semicolons() -> None:
    """It takes semicolons if the first three lines have more cells by them."""
    text = canvas_csv(class_of([result("al")], ROSTER), COURSE).text
    counts = {
        delimiter: [
            len(next(csv.reader([line], delimiter=delimiter))) for line in text.split("\n")[:3]
        ]
        for delimiter in ",;"
    }
    assert counts == {",": [6, 6, 6], ";": [1, 1, 1]}


def test_an_ambiguous_student_is_left_out_of_canvas_and_reported() -> None:
    roster = (
        Student("", "No Key", "n@x.edu"),
        Student("u1", "My Points Possible"),
        Student("=u2", "Formula", login="fo"),
        Student("-u3", "Only"),
    )
    export = canvas_csv(class_of([result(student.called) for student in roster], roster), Course())
    _, _, *students = rows_of(export.text)
    assert [row[:4] for row in students] == [["Formula", "", "", "fo"]]
    assert [words.split(" is ")[0] for words in export.notes] == [
        *("No Key", "My Points Possible", "Only")
    ]


def test_the_file_for_moodle_finds_students_by_one_column() -> None:
    """`gradeimport_csv_load_data` is told which column is the e-mail or the ID number; it compares
    it as it is written, and stops at the first that it does not find."""
    results = [result("al"), {"name": "gh", "not_graded": "no zip"}]
    export = moodle_csv(class_of([*results, result("stranger")], ROSTER), COURSE)
    assert rows_of(export.text) == [
        ["Email address", "Agents, first"],
        ["ada@x.edu", str(MAX_SCORE)],
        ["grace@x.edu", "-"],
        ["jm@x.edu", "0.0"],
    ]
    assert not export.notes
    by_id = tuple(replace(student, email="") for student in ROSTER[:2])
    export = moodle_csv(class_of(results, (*by_id, Student(email="x@x.edu"))), COURSE)
    assert rows_of(export.text)[0][0] == "ID number"
    assert export.notes == ("x@x.edu is not in the file for Moodle: no ID number.",)


def test_a_grade_that_moodle_refuses_is_told() -> None:
    course = read_course('[weights]\n"19" = 2')
    export = moodle_csv(class_of([result("u1")], ROSTER, course), course)
    assert export.notes[-1].startswith(f"A grade is {2 * MAX_SCORE:g}. Moodle takes none above 100")


def test_the_plain_file_has_everybody_and_no_formula() -> None:
    found = class_of([result("al", 0.5), result("=cmd()")], ROSTER)
    header, *rows = rows_of(students_csv(found))
    assert header == [
        *("id", "name", "e-mail", "login", "section", "19", "points", "of", "per cent", "status")
    ]
    assert rows[0] == [
        *("u1", "Lovelace, Ada", "ada@x.edu", "al", 'A "1"'),
        *(str(MAX_SCORE / 2), str(MAX_SCORE / 2), str(MAX_SCORE), "50.0", "graded"),
    ]
    assert [row[1] for row in rows] == ["Lovelace, Ada", "'=Grace;Hopper", "Jörg Meier", "'=cmd()"]
    assert [row[-1] for row in rows[2:]] == ["missing", "not in the roster; graded"]
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]


SETTINGS: dict[str, Any] = {
    "conditions": {"seconds": 60, "memory_mb": 1024, "seed": 5, "sandbox": "none"},
    "model": True,
}


def made(name: str, **changed: Any) -> dict[str, Any]:
    tests = {exercise.id: regrade.state_of_tests(exercise) for exercise in M19}
    conditions = SETTINGS["conditions"] | changed.pop("conditions", {})
    way = {"conditions": conditions, "model": True, "tests": tests | changed.pop("tests", {})}
    return result(name, made_with=way, seed=conditions["seed"], **changed)


def test_results_of_other_settings_are_found() -> None:
    def differs(one: dict[str, Any]) -> tuple[str, ...]:
        return regrade.setting_differences(one, SETTINGS, load_exercises())

    assert differs(made("ada")) == ()
    assert differs(made("ada", conditions={"seed": 6})) == ("seed",)
    assert differs(made("ada", conditions={"seconds": 5})) == ("time limit",)
    assert differs(made("ada", course="0.0.1")) == ("g2c 0.0.1",)
    assert differs(made("ada", tests={"19.2": "another"})) == ("tests of 19.2",)
    other = made("ada")
    other["exercises"][0]["max_score"] = 99
    assert differs(other) == ("points of 19.1",)
    assert differs({"name": "ada", "not_graded": "no zip"}) == ()
    assert differs(result("of an older g2c")) == ()


def test_changes_are_shown_for_each_exercise() -> None:
    old, new = result("ada", 0.0), result("ada", 0.0)
    new["exercises"][1]["score"] = 7.5
    assert regrade.changes(old, new) == (regrade.Change("19.2", 0, 7.5),)
    words = regrade.in_words({"score": 0} | old, {"score": 7.5} | new)
    assert words == "0 -> 7.5 points; 19.2: 0 -> 7.5"
    assert regrade.in_words(old, {"not_graded": "no zip"}).startswith("none -> none points; 19.1")
    assert "no exercise changed" in regrade.in_words(old, old)


def test_an_old_result_is_kept_and_none_is_overwritten(tmp_path: Path) -> None:
    now = datetime(2026, 10, 16, 12, 0, 5, tzinfo=UTC)
    assert regrade.archive_result(tmp_path / "ada.json", now) is None
    names = []
    for text in ("first", "second"):
        (tmp_path / "ada.json").write_text(text)
        kept = regrade.archive_result(tmp_path / "ada.json", now)
        assert kept and kept.read_text() == text
        names.append(kept.relative_to(tmp_path).as_posix())
    assert names == ["old/ada-2026-10-16T120005.json", "old/ada-2026-10-16T120005-2.json"]


def test_a_result_says_how_and_of_when_it_is(tmp_path: Path) -> None:
    folder, grades = tmp_path / "submissions", tmp_path / "grades"
    folder.mkdir()
    for name in ("ada.zip", "answers.zip"):
        (folder / name).write_bytes(b"")
    packed, unpacked = folder / "from moodle/in.zip", folder / "unpacked" / M19[0].file
    for file in (packed, unpacked):
        file.parent.mkdir(parents=True)
        file.write_bytes(b"")
    for file in (folder / "ada.zip", packed, unpacked):
        os.utime(file, (1_700_000_000.9, 1_700_000_000.9))
    task = Task(tuple(M19), TestRun(()), Conditions(seed=5), False)
    found = batch.submissions_in(folder)
    list(batch.grade_all(found, task, grades, lambda own, _: ((item, {}) for item in own)))
    data = json.loads((grades / "ada.json").read_text())
    assert data["handed_in"] == "2023-11-14T22:13:20+00:00"
    assert json.loads((grades / "from moodle.json").read_text())["handed_in"] == data["handed_in"]
    assert json.loads((grades / "unpacked.json").read_text())["handed_in"] == "", (
        "these dates stood in the archive, where a student can write any"
    )
    assert data["made_with"]["conditions"]["seed"] == 5
    assert data["made_with"]["tests"].keys() == {exercise.id for exercise in M19}
    assert not (grades / "answers.json").exists(), "the marks of written answers are there"
    assert batch.named(found, ["ada", "ada"]) == found[:1]
    with pytest.raises(ValueError, match=r"no submission adda\. Did you mean ada"):
        batch.named(found, ["adda"])
    whole = "Student 063_3063_assignsubmission_file"
    others = [batch.Submission(name, tmp_path) for name in ("student-103", whole)]
    with pytest.raises(ValueError, match=f"Did you mean {whole}"):
        batch.named(others, ["student-063"])


def test_the_command_to_grade_again_names_the_folders_options() -> None:
    assert regrade.options_of({}) == ""
    conditions = {"seconds": 60, "memory_mb": 512, "seed": 5, "sandbox": "podman"}
    settings = {"exercises": ["19.1", "20.1"], "conditions": conditions, "model": False}
    assert regrade.options_of(settings) == "--memory-mb 512 --sandbox container --no-model"


def test_the_command_writes_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("g2c.classroom.gradebook.drawn", lambda *_: b"")
    grades = tmp_path / "grades"
    (grades / "old").mkdir(parents=True)
    (grades / "settings.json").write_text(json.dumps(SETTINGS))
    (grades / "al.json").write_text(json.dumps(made("al", score=80, max_score=80)))
    other = made("jm", conditions={"seed": 6}, score=80, max_score=80)
    (grades / "jm.json").write_text(json.dumps(other))
    (grades / "answers.json").write_text('{"al": {"19": {"points": 5, "of": 10}}}')
    (tmp_path / "course.toml").write_text("written_answers = 50")
    (tmp_path / "roster.csv").write_text(
        "id,name,email,login\nu1,Ada,a@x.edu,al\nu9,Zoe,z@x.edu,zo\n"
    )
    options = ["--roster", "roster.csv", "--canvas", "canvas.csv", "--moodle", "moodle.csv"]
    done = CliRunner().invoke(
        app, ["class", "gradebook", "grades", *options], env={"COLUMNS": "300"}
    )
    assert done.exit_code == 0, done.output
    assert (
        "graded with other settings: jm (seed); "
        "g2c class grade SUBMISSIONS --sandbox none --out grades --again jm" in (done.output)
    )
    assert "jm is in no line of the roster" in done.output
    assert "1 of 2 students graded" in done.output
    assert rows_of((tmp_path / "canvas.csv").read_text())[2] == [
        *("Ada", "", "u1", "al", "", str(0.75 * MAX_SCORE))
    ]
    assert rows_of((tmp_path / "moodle.csv").read_text())[1:] == [
        ["a@x.edu", str(0.75 * MAX_SCORE)],
        ["z@x.edu", "0.0"],
    ]
    assert (grades / "students.csv").exists() and (grades / "gradebook.csv").exists()
    assert (grades / "class.html").read_text().startswith("<!doctype html>")
    (tmp_path / "course.toml").write_text('written_answers = 50\n[weights]\n"19" = 0.5')
    CliRunner().invoke(app, ["class", "gradebook", "grades", *options])
    assert rows_of((tmp_path / "canvas.csv").read_text())[2][5] == (
        str(round(0.375 * MAX_SCORE, 2))
    ), "at once"
    refused = CliRunner().invoke(app, ["class", "gradebook", "grades", "--canvas", "c.csv"])
    assert "need --roster" in str(refused.exception)
