"""Results of a made-up class, as `g2c class grade --out` writes them, and the class of them."""

from collections.abc import Mapping
from typing import Any

from g2c.classroom.classbook import Class, graded_in, make_class, read_answers
from g2c.classroom.course_file import Course
from g2c.classroom.roster import Student
from g2c.course.manifest import load_exercises

M19 = [exercise for exercise in load_exercises() if exercise.module == "19"]
MAX_SCORE = float(sum(exercise.points for exercise in M19))
"""The points of module 19, if nobody decides otherwise."""


def result(name: str, share: float = 1.0, look: str = "", **more: Any) -> dict[str, Any]:
    exercises = [
        {
            "id": exercise.id,
            "status": "passing" if share == 1 else "failing",
            "score": exercise.points * share,
            "max_score": exercise.points,
            "look": ["why"] if exercise.id == look else [],
            "failures": [],
        }
        for exercise in M19
    ]
    return {"name": name, "exercises": exercises, **more}


def class_of(
    results: list[dict[str, Any]],
    roster: tuple[Student, ...] | None = None,
    course: Course | None = None,
    answers: Mapping[str, Any] | None = None,
    other_settings: tuple[str, ...] = (),
) -> Class:
    folder = graded_in(results, read_answers(dict(answers or {})))
    return make_class([folder], course or Course(), roster, other_settings)
