"""The gradebook: what a class stumbles on, and who wrote alike."""

import ast
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT, Checkout

from g2c.classroom.batch import ANSWERS
from g2c.classroom.gradebook import WARNING, as_csv, as_page, beliefs, drawn, read_results, stumbles
from g2c.classroom.measurement import UNMEASURED
from g2c.classroom.similar_submissions import alike_in, published
from g2c.classroom.similarity import Alike, fingerprints, lines, most_alike
from g2c.course.manifest import Exercise, find_exercise, load_exercises

TEST = "tests/test_agent.py::TestExtractPlan::test_a_goal_is_read"
OWN = """
def extract_plan(text, user_message):
    steps = []
    goal = None
    for line in text.splitlines():
        if line.startswith("Goal:"):
            goal = line.removeprefix("Goal:").strip()
        elif line[:1].isdigit():
            number, _, rest = line.partition(".")
            steps.append(rest.strip())
    if not steps:
        return None
    return Plan(goal or user_message, tuple(steps))
"""
RENAMED = OWN.replace("steps", "parts").replace("goal", "aim").replace("line", "row") + "# mine\n"
OTHER = """
def extract_plan(text, user_message):
    found = re.findall(r"^\\d+[.)] (.+)$", text, re.MULTILINE)
    wanted = re.search("Goal: (.+)", text)
    return Plan(wanted[1] if wanted else user_message, tuple(found)) if found else None
"""


def result(name: str, says: str = "", status: str = "failing") -> dict[str, Any]:
    failures = [{"test": TEST, "says": says}] if says else []
    exercise = {"id": "19.2", "status": status, "score": 5.0, "look": [], "failures": failures}
    return {"name": name, "score": 5.0, "max_score": 10, "exercises": [exercise]}


def test_messages_that_differ_in_a_value_are_one_belief() -> None:
    results = [
        result("ada", "you read 'a', not 'b'\nmore"),
        result("bob", "you read 'it', not 'c'"),
        result("cleo", "you returned None"),
        result("dan", status="passing"),
        result("eve", status="not started"),
    ]
    first, second = beliefs(results)
    assert (first.students, first.example) == (2, "you read 'a', not 'b'")
    assert (second.students, second.tests) == (1, (TEST,))
    (stumble,) = stumbles(results)
    assert (stumble.failed, stumble.of) == (3, 4), "who has not started has not stumbled"
    page = as_page(results, {"19.2": [Alike("ada", "bob", 0.9)]})
    assert "| 19.2 | a goal is read | 3 | 4 |" in page
    assert "| 19.2 | 1 | 3 | 1 | 0 |" in page
    assert WARNING in page and "| 19.2 | ada | bob | 90% |" in page
    assert WARNING not in as_page(results, None)


def test_an_unmeasured_test_is_not_a_stumble() -> None:
    """With --no-model it would be the first in each list: the whole class has it."""
    own = result("ada", f"{UNMEASURED} The grader was run with --no-model.")
    own["exercises"][0]["id"] = "19.5"
    assert not beliefs([own]) and not stumbles([own])
    own["made_with"] = {"model": False}
    assert "| 19.5 | 0 | 0 | 0 | 1 |" in as_page([own], None)


@pytest.mark.parametrize("name", ["=1+1", "\t=1+1", "\r\n@x", " +1", "\uff1d1+1", "\ufe631"])
def test_no_name_is_a_formula(name: str) -> None:
    _, row = csv.reader(io.StringIO(as_csv([result(name)]), newline=""))
    assert row[0] == f"'{name}"


def test_the_gradebook_is_a_table_that_a_spreadsheet_reads_and_does_not_run() -> None:
    rows = list(csv.reader(as_csv([result("=1+1"), result("bob, jr")]).splitlines()))
    assert rows == [
        ["name", "score", "max_score", "19.2", "needs review"],
        ["'=1+1", "5.0", "10", "5.0", ""],
        ["bob, jr", "5.0", "10", "5.0", ""],
    ]


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    (tmp_path / "ada.json").write_text(json.dumps(result("ada")))
    (tmp_path / "notes.json").write_text("[]")
    (tmp_path / ANSWERS).write_text("{}")
    with pytest.warns(UserWarning, match=r"notes\.json is not a result") as told:
        assert [found["name"] for found in read_results(tmp_path)] == ["ada"]
    assert len(told) == 1
    (tmp_path / "notes.json").unlink()
    for odd in (
        {"exercises": []},
        {**result("bob"), "exercises": [None]},
        {**result("bob"), "exercises": [{"id": "19.2"}]},
        {**result("bob"), "name": 3},
        {"name": "bob", "exercises": []},
        {"not_graded": "It is empty."},
    ):
        (tmp_path / "bob.json").write_text(json.dumps(odd))
        with pytest.raises(ValueError, match=r"bob\.json is not a result of g2c class grade --out"):
            read_results(tmp_path)


def test_a_status_of_an_older_version_is_read_as_its_name_of_today(tmp_path: Path) -> None:
    (tmp_path / "ada.json").write_text(json.dumps(result("ada", status="to be looked at")))
    assert read_results(tmp_path) == [result("ada", status="needs review")]


def test_renaming_hides_nothing_and_another_way_is_not_alike() -> None:
    assert fingerprints(RENAMED) == fingerprints(OWN)
    sources = {"ada": OWN, "bob": RENAMED, "cleo": OTHER}
    assert most_alike(sources, "") == [Alike("ada", "bob", 1.0)]
    assert not most_alike(sources, OWN), "what was shipped does not count"


def test_each_pair_of_a_class_that_copied_is_listed() -> None:
    many = {f"student {n}": OWN if n else OTHER for n in range(6)}
    assert len(most_alike(many, "")) == 10, "of the five who copied from each other"
    found = most_alike(many, "", published={"the reference": RENAMED, "another": OWN})
    assert [pair.other for pair in found[:10]] == ["another", "the reference"] * 5
    assert len(found) == 20, "what the course has is not compared with itself"
    page = as_page([result("ada")], {"19.2": [*found, *found * 20]})
    assert "| 19.2 | and 220 pairs more | | |" in page


def body_of(text: str, function: str) -> str:
    """A function's statements, and the helpers of its file below them."""
    rows, tree = text.split("\n"), ast.parse(text)
    found = next(node for node in ast.walk(tree) if getattr(node, "name", "") == function)
    assert isinstance(found, ast.FunctionDef)
    first = found.body[1 if ast.get_docstring(found) else 0]
    helpers = [
        "\n".join(rows[node.lineno - 1 : node.end_lineno])
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name not in (function, "show")
    ]
    return "\n\n\n".join(["\n".join(rows[first.lineno - 1 : found.end_lineno]), *helpers, ""])


@pytest.mark.parametrize("exercise", load_exercises(), ids=lambda exercise: exercise.id)
def test_a_body_that_was_pasted_into_the_stub_is_listed(exercise: Exercise) -> None:
    shipped = (ROOT / exercise.file).read_text("utf-8")
    for name, text in published(exercise).items():
        body = body_of(text, exercise.function)
        own = shipped.replace("    raise NotImplementedError\n", body)
        assert own != shipped
        (pair,) = most_alike({"ada": own}, shipped, published={name: text})
        assert pair.share > 0.6, name


@pytest.mark.parametrize("exercise_id", ["19.2", "20.8", "21.5", "22.2", "19.6"])
def test_a_copy_of_what_the_course_has_is_listed(exercise_id: str, tmp_path: Path) -> None:
    exercise = find_exercise(exercise_id)
    files = {}
    for number, (name, text) in enumerate(published(exercise).items()):
        copied = text.replace("text", "words").replace("result", "found") + "# my own\n"
        path = tmp_path / f"student {number}" / exercise.file
        path.parent.mkdir(parents=True)
        path.write_text(copied, "utf-8")
        files[f"student {number}"] = name
    assert len(files) >= 2
    path = tmp_path / "honest" / exercise.file
    path.parent.mkdir(parents=True)
    path.write_text((ROOT / exercise.file).read_text("utf-8"), "utf-8")
    pairs = alike_in(tmp_path, [exercise_id])[exercise_id]
    found = {(pair.one, pair.other): pair.share for pair in pairs}
    for student, name in files.items():
        assert found.get((student, name), 0) > 0.9, (student, name)
    assert not [pair for pair in pairs if "honest" in (pair.one, pair.other)], "it is the stub"


def in_another_order(body: list[ast.stmt]) -> list[ast.stmt]:
    pairs = [body[n : n + 2][::-1] for n in range(0, len(body), 2)]
    return [statement for pair in pairs for statement in pair]


def with_lines_between(body: list[ast.stmt]) -> list[ast.stmt]:
    (unused,) = ast.parse("unused = 0").body
    return [statement for own in body for statement in (unused, own)]


@pytest.mark.slow
@pytest.mark.parametrize("change", [in_another_order, with_lines_between])
def test_lines_moved_or_put_between_hide_no_copy(
    change: Callable[[list[ast.stmt]], list[ast.stmt]],
) -> None:
    hidden = 0
    for exercise in load_exercises():
        shipped = (ROOT / exercise.file).read_text("utf-8")
        for text in published(exercise).values():
            tree = ast.parse(text)
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.For | ast.If | ast.While | ast.With):
                    node.body = change(node.body)
            hidden += not most_alike({"ada": ast.unparse(tree)}, shipped, published={"": text})
    assert hidden <= 5, "of 87; they have too few lines"


@pytest.mark.slow
def test_files_in_other_languages_are_read_as_well() -> None:
    for text in ("", "'" * 100_000, '"""' * 50_000, "(" * 100_000, "\x00é" * 1000):
        fingerprints(text)
        lines(text)


@pytest.mark.slow
def test_the_command_writes_table_page_and_picture(tmp_path: Path) -> None:
    student = Checkout(tmp_path / "course")
    folder = tmp_path / "submissions"
    for name, code in (("ada", OWN), ("bob", RENAMED)):
        file = folder / name / "g2c/agent/extract_plan.py"
        file.parent.mkdir(parents=True)
        file.write_text(code, "utf-8")
    grades = tmp_path / "grades"
    grades.mkdir()
    (grades / "settings.json").write_text("{}")
    (grades / "cleo.json").write_text('{"name": "cleo", "not_graded": "no zip"}')
    for name in ("ada", "bob"):
        (grades / f"{name}.json").write_text(json.dumps(result(name, "you returned None")))
    done = student.g2c("class", "gradebook", "../grades", "--submissions", "../submissions")
    assert done.returncode == 0, done.stderr
    assert "2 saw in 19.2: you returned None" in done.stdout
    assert (grades / "gradebook.csv").read_text().count("\n") == 4
    assert "cleo,,,,not graded: no zip" in (grades / "gradebook.csv").read_text()
    assert "| cleo | no zip |" in (grades / "stumbles.md").read_text()
    assert "| 19.2 | ada | bob | 100% |" in (grades / "stumbles.md").read_text()
    assert (grades / "stumbles.png").read_bytes().startswith(b"\x89PNG")
    nothing = student.g2c("class", "gradebook", str(ROOT / "docs"))
    assert nothing.returncode == 1 and "no result" in nothing.stderr


def test_a_picture_is_drawn_where_nobody_fails() -> None:
    assert len(drawn([result("ada", status="passing")])) > 1000
