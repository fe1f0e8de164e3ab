"""Computes, in the sandbox, the data that a student's function gives a model.

`python -m g2c.classroom.description REPORT ID SEED` calls the student's function of an exercise
whose score follows from data, and writes that data to the file REPORT, as JSON.
"""

import json
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from g2c.course.manifest import find_exercise
from g2c.exercises.e19_5_teach.goal import taught
from g2c.text import named_reason


def main() -> None:
    report, exercise_id, seed = sys.argv[1:]
    exercise = find_exercise(exercise_id)
    function = getattr(import_module(exercise.import_name), exercise.function)
    found: dict[str, Any]
    try:
        found = {"text": asdict(taught(function, int(seed)))}
    except Exception as error:
        found = {"trouble": named_reason(error)[:500]}
    Path(report).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
