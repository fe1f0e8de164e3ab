"""A grade in the form of GitHub Classroom's reporter: `python -m g2c.classroom.classroom GRADE`.

The reporter (classroom-resources/autograding-grading-reporter) reads a step's output `result`, JSON
in base64, and reports the sum of its tests' scores. The form is taken from its source; it is not
documented elsewhere.
"""

import base64
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from g2c.files import open_file, read_text

Data = Mapping[str, Any]


def to_classroom(grade: Data) -> dict[str, Any]:
    """The reporter's result for a grade that `g2c class grade --json` wrote."""
    tests = [
        {
            "name": f"{exercise['id']} {exercise['title']}",
            "status": "pass" if exercise["status"] == "passing" else "fail",
            "score": exercise["score"],
            "message": _in_words(exercise),
        }
        for exercise in grade["exercises"]
    ]
    return {
        "version": 1,
        "status": "pass" if all(test["status"] == "pass" for test in tests) else "fail",
        "max_score": grade["max_score"],
        "tests": tests,
    }


def to_summary(grade: Data) -> str:
    """The points as a table in Markdown, for the page of the run."""
    rows = [
        f"| {exercise['id']} {exercise['title']} "
        f"| {exercise['score']:g} of {exercise['max_score']} "
        f"| {exercise['status']}: {exercise['passed']} of {exercise['tests']} tests |"
        for exercise in grade["exercises"]
    ]
    total = f"**{grade['score']:g} of {grade['max_score']} points**"
    return "\n".join([total, "", "| exercise | points | |", "|---|---|---|", *rows, ""])


def _in_words(exercise: Data) -> str:
    counted = f"{exercise['status']}: {exercise['passed']} of {exercise['tests']} tests pass."
    failures = [failed["says"] for failed in exercise["failures"]]
    lines = "\n".join(filter(None, [counted, exercise["says"], *failures])).splitlines()
    # The reporter prints it, and a log line that begins with :: is a command to the runner.
    return "\n".join(f"| {line}" for line in lines)


def main() -> None:
    (file,) = sys.argv[1:]
    grade = json.loads(read_text(file))
    result = base64.b64encode(json.dumps(to_classroom(grade)).encode()).decode()
    for variable, text in (
        ("GITHUB_OUTPUT", f"result={result}\n"),
        ("GITHUB_STEP_SUMMARY", to_summary(grade)),
    ):
        with open_file(os.environ[variable], "a", encoding="utf-8") as output:
            output.write(text)


if __name__ == "__main__":
    main()
