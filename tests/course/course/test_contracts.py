"""How the stubs are written: a contract is short, and stands on public names alone."""

import ast
import re
from doctest import DocTestParser
from pathlib import Path

from shipped import stub

from g2c.course.manifest import Exercise, load_exercises

ROOT = Path(__file__).parents[3]
EXERCISES = load_exercises()
WORDS = 120
MORE_WORDS = {"22.3": 200}
"""A loop has more edges than a function."""

PACKAGES = ["agent", "memory", "critic", "loop", "evaluation", "swarm", "guard"]
"""The packages in which only the student's files state the idea of a lesson. "inference", "tools",
"course" and "widgets" are to follow."""


def contract(exercise: Exercise) -> str:
    """The docstring of the stub, without its examples."""
    parts = DocTestParser().parse(ast.get_docstring(stub(exercise)) or "")
    return "".join(part for part in parts if isinstance(part, str))


def test_a_contract_is_short() -> None:
    counts = {exercise.id: len(contract(exercise).split()) for exercise in EXERCISES}
    long = [id for id, count in counts.items() if count > MORE_WORDS.get(id, WORDS)]
    assert not long, (
        f"the contracts of {long} have more than {WORDS} words (examples aside): {counts}"
    )


def test_a_contract_names_no_private_helper() -> None:
    private = {exercise.id: re.findall(r"\._\w+", contract(exercise)) for exercise in EXERCISES}
    assert not any(private.values()), private


def test_the_idea_of_a_lesson_stands_in_the_students_files_only() -> None:
    allowed = {ROOT / exercise.file for exercise in EXERCISES}
    files = {file for package in PACKAGES for file in (ROOT / "g2c" / package).rglob("*.py")}
    strays = [
        str(file.relative_to(ROOT))
        for file in sorted(files - allowed)
        if "idea to take away" in " ".join(file.read_text(encoding="utf-8").lower().split())
    ]
    assert strays == []
