"""Mutating a reference: the mutants, the warm process that tries them, and what is equivalent."""

import ast
import os
import re
from functools import cache
from pathlib import Path

import pytest

from g2c.course.manifest import Exercise, find_exercise, load_exercises
from maintain.author.mutation import scores, table
from maintain.author.mutation.mutants import Mutant, mutants_of
from maintain.author.mutation.operators import OPERATORS

ROOT = Path(__file__).resolve().parents[3]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@cache
def names_of(exercise: Exercise) -> list[str]:
    return [mutant.name for mutant in mutants_of(exercise, ROOT)]


def changed(source: str) -> set[str]:
    """All texts that an operator makes of the program's nodes."""
    return {
        ast.unparse(ast.fix_missing_locations(new))
        for node in ast.walk(ast.parse(source))
        for operator in OPERATORS
        for new in operator(node, {"LIMIT": 3})
        if not isinstance(new, ast.comprehension)
    }


@pytest.mark.parametrize(
    ("source", "mistake"),
    [
        ("a < b", "a <= b"),
        ("a + b", "a - b"),
        ("a and b", "a or b"),
        ("not a", "a"),
        ("x = 1", "pass"),
        ("f(1)", "2"),
        ("f(a, b)", "f(b, a)"),
        ("text.strip()", "text.lstrip()"),
        ("if a:\n    b()", "if not a:\n    b()"),
        ("for a in b:\n    c()", "for a in b:\n    c()\n    break"),
        ("a[1:n]", "n - 1"),
        ("try:\n    a()\nexcept (B, C):\n    d()", "except (B,):\n    d()"),
        ("re.compile('^a+')", "re.compile('a+')"),
        ("a > LIMIT", "LIMIT + 1"),
    ],
)
def test_an_operator_makes_the_mistake(source: str, mistake: str) -> None:
    made = {" ".join(text.split()) for text in changed(source)}
    wanted = " ".join(mistake.split())
    assert any(wanted == text or wanted in text for text in made), made


def test_error_messages_and_types_are_left_alone() -> None:
    mutants = mutants_of(find_exercise("19.2"), ROOT)
    lines = {line for mutant in mutants for line in mutant.source.splitlines()}
    plain = ast.unparse(ast.parse((ROOT / find_exercise("19.2").solution_file).read_text("utf-8")))
    message = next(line for line in plain.splitlines() if "raise TypeError" in line)
    assert not [line for line in lines if "raise TypeError" in line and line != message]


@pytest.mark.slow
def test_each_mutant_has_an_id_of_its_own() -> None:
    for exercise in load_exercises():
        ids = [mutant.id for mutant in mutants_of(exercise, ROOT)]
        assert len(ids) == len(set(ids)) > (0 if exercise.has_goal else 10), exercise.id


@pytest.mark.slow
def test_the_equivalents_are_mutants_and_have_reasons() -> None:
    known = scores.read_equivalents(ROOT)
    by_id = {exercise.id: exercise for exercise in load_exercises()}
    for exercise_id, reasons in known.items():
        ids = {mutant.id for mutant in mutants_of(by_id[exercise_id], ROOT)}
        assert set(reasons) <= ids, f"{exercise_id}: {set(reasons) - ids}"
        assert all(reason.endswith(".") for reason in reasons.values()), exercise_id


@pytest.mark.slow
@needs_fork
def test_mutants_are_tried_once_and_one_that_does_not_end_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exercise = find_exercise("19.3")
    source = (ROOT / exercise.solution_file).read_text("utf-8")
    endless = re.sub(r"(def render\(.*\n)", r"\1    while True:\n        pass\n", source)
    wrong = source.replace('"\\n\\n"', '"\\n"')
    given = [Mutant(exercise.id, name, name, text, 1) for name, text in
             (("endless", endless), ("wrong", wrong), ("same", source + "\n"))]  # fmt: skip
    monkeypatch.setattr(scores, "mutants_of", lambda exercise, root: given)
    monkeypatch.setattr(scores, "state_dir", lambda: tmp_path)
    monkeypatch.setattr(scores, "read_equivalents", lambda root: {})
    tried: list[int] = []
    (score,) = scores.mutate([exercise], lambda number, total: tried.append(number))
    assert [mutant.name for mutant in score.outlived] == ["same"] and score.killed == 2
    assert tried == [1, 2, 3, 4], "the reference itself is tried, too"
    kept = (tmp_path / "mutants.jsonl").read_text("utf-8")
    assert '"id": "endless", "killed_by": "time"' in kept, kept
    with (tmp_path / "mutants.jsonl").open("a") as file:
        file.write('{"key": "torn')
    (again,) = scores.mutate([exercise], lambda number, total: tried.append(number))
    assert again == score and len(tried) == 4, "what is kept is not tried again"


def test_the_scores_in_the_docs_are_of_all_exercises() -> None:
    text = (ROOT / table.DOCS).read_text("utf-8")
    found = {id_: float(share) for id_, share in table.ROW.findall(text)}
    known = [exercise.id for exercise in load_exercises() if not exercise.has_goal]
    for exercise_id in known:
        cure = f"python -m maintain.author mutate {exercise_id}"
        assert exercise_id in found, f"{cure} writes the row of {exercise_id}"
    assert list(found) == known, "these rows are of no exercise, or in another order"
    assert all(share >= 100 * scores.GOAL for share in found.values())


def test_a_row_takes_its_place_in_the_table() -> None:
    exercise = find_exercise("22.2")
    row = table.row_of(scores.Score(exercise, 70, 2, ()))
    assert table.ROW.match(row) and "68" in row and "100.0%" in row
    assert [len(row)] * 2 == list(map(len, table.HEAD)), "the columns are below each other"
    text = (ROOT / table.DOCS).read_text("utf-8")
    older = next(line for line in text.splitlines() if line.startswith("| 22.2 "))
    renewed = table.with_rows(text, [row])
    assert renewed == text.replace(older, row), "the newer row replaces the older one"
    assert table.with_rows(text.replace(f"{older}\n", ""), [older]) == text, "or is put in order"
    assert table.with_rows(text, []) == text
    with pytest.raises(ValueError, match="no table"):
        table.with_rows("Nothing.", [row])


def test_only_a_score_that_reaches_the_goal_is_written(tmp_path: Path) -> None:
    file = tmp_path / table.DOCS
    mutant = Mutant("22.2", "a", "a", "", 1)
    bad = scores.Score(find_exercise("22.2"), 10, 0, (mutant,))
    good = scores.Score(find_exercise("22.3"), 10, 0, ())
    old = table.row_of(scores.Score(find_exercise("22.1"), 10, 0, ()))
    file.write_text("\n".join([*table.HEAD, old, "", "The end.\n"]))
    table.write_rows([bad, good], tmp_path)
    assert table.ROW.findall(file.read_text()) == [("22.1", "100.0"), ("22.3", "100.0")]
    assert file.read_text().endswith("|\n\nThe end.\n"), "what follows the table stays"
