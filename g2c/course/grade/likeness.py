"""Which submissions of a class are alike, by exercise."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from g2c.course.bounded import at_most
from g2c.course.grade.batch import submissions_in
from g2c.course.grade.confinement import COURSE
from g2c.course.grade.grading import MOST_SOURCE_BYTES, submitted
from g2c.course.grade.winnowing import Alike, most_alike
from g2c.course.manifest import load_exercises
from g2c.course.submission import as_tree
from g2c.written import code_written


def alike_in(folder: Path, ids: Collection[str]) -> dict[str, list[Alike]]:
    """The pairs that are alike, by the exercise's id. What cannot be read is left out.

    Raises:
        ValueError, OSError: as for `submissions_in`.
    """
    exercises = [one for one in load_exercises() if one.id in ids]
    sources: dict[str, dict[str, str]] = defaultdict(dict)
    for one in submissions_in(folder):
        with contextlib.suppress(ValueError, OSError), as_tree(one.path) as tree:
            for exercise in exercises:
                with contextlib.suppress(ValueError, OSError):
                    if file := submitted(tree, exercise.file):
                        code = code_written(at_most(file, MOST_SOURCE_BYTES).read_bytes())
                        sources[exercise.id][one.name] = code.text
    return {
        one.id: most_alike(sources[one.id], (COURSE / one.file).read_text("utf-8"))
        for one in exercises
    }
