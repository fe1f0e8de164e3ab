"""A grade as data for other programs: this course's own JSON, and Gradescope's `results.json`.

`docs/instructor.md` describes the first; the second is described in Gradescope's documentation of
autograders, under "Output Format".
"""

from dataclasses import asdict
from typing import Any

from g2c import __version__
from g2c.classroom.grader import ExerciseGrade, Grade, WrittenAnswers

FORMAT = 1
"""Increased when a field changes its meaning or is removed."""


def to_json(grade: Grade) -> dict[str, Any]:
    """The whole grade."""
    return {
        "format": FORMAT,
        "course": __version__,
        "tree": str(grade.tree),
        "seed": grade.seed,
        "sandbox": grade.sandbox,
        "score": grade.score,
        "max_score": grade.max_score,
        "exercises": [
            {**asdict(exercise), "score": exercise.score, "max_score": exercise.points}
            for exercise in grade.exercises
        ],
        "together": {
            "passed": grade.together.n_passed,
            "tests": len(grade.together.collected),
            "says": grade.together.trouble,
        },
        "writeup": {
            "is_complete": grade.writeup.is_complete,
            "lacks": grade.writeup.lacks,
            "entries": [
                {"title": entry.entry.title, "run": entry.entry.run, "lacks": entry.lacks}
                for entry in grade.writeup.entries
            ],
        },
        "answers": [asdict(answers) for answers in grade.answers],
    }


def to_gradescope(grade: Grade) -> dict[str, Any]:
    """The grade in Gradescope's form. Parts that a person has to grade, or that were not measured,
    are listed without points."""
    together = f"{grade.together.n_passed} of {len(grade.together.collected)} tests pass together."
    return {
        "score": grade.score,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "output": f"{together}\n{grade.together.trouble}".strip(),
        "output_format": "text",
        "tests": [
            *(_exercise(exercise) for exercise in grade.exercises),
            {
                "name": "Write-up: the catalogue of failures",
                "status": "passed" if grade.writeup.is_complete else "failed",
                "output": writeup_in_words(grade),
                "output_format": "text",
                "visibility": "visible",
            },
            *(
                {
                    "name": f"Written answers of module {answers.module}",
                    "status": "passed" if answers.written == answers.expected else "failed",
                    "output": f"{answers_in_words(answers)} Graded by a person: {answers.rubric}",
                    "output_format": "text",
                    "visibility": "visible",
                }
                for answers in grade.answers
            ),
        ],
    }


def _exercise(exercise: ExerciseGrade) -> dict[str, Any]:
    counted = f"{exercise.status}: {exercise.passed} of {exercise.tests} tests pass."
    look = [f"Needs review: {reason}" for reason in exercise.look]
    failures = [f"- {failed.sentence}\n{failed.says}" for failed in exercise.failures]
    return {
        "number": exercise.id,
        "name": exercise.title,
        **({"score": exercise.score, "max_score": exercise.points} if exercise.is_measured else {}),
        "status": "passed" if exercise.status == "passing" else "failed",
        "output": "\n\n".join(filter(None, [counted, *look, exercise.says, *failures])),
        "output_format": "text",
        "visibility": "visible",
    }


def writeup_in_words(grade: Grade) -> str:
    """The gaps of the write-up, one a line; `complete` if there are none."""
    lines = [
        f"{entry.entry.title or '(no title)'}: {sentence}"
        for entry in grade.writeup.entries
        for sentence in entry.lacks
    ]
    return "\n".join([*lines, *grade.writeup.lacks]) or "complete"


def answers_in_words(answers: WrittenAnswers) -> str:
    """How many answers are written, and which are not."""
    if answers.says:
        return answers.says
    there = {*answers.written, *answers.unsure}
    missing = ", ".join(str(number) for number in answers.expected if number not in there)
    unsure = ", ".join(map(str, answers.unsure))
    counted = f"{len(answers.written)} of {len(answers.expected)} are written."
    counted += f" Needs review, as code or text elsewhere may be it: {unsure}." if unsure else ""
    return f"{counted} Not: {missing}." if missing else counted
