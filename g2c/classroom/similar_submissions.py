"""Which submissions of a class are alike, by exercise."""

import contextlib
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from g2c.classroom.batch import submissions_in
from g2c.classroom.confinement import COURSE
from g2c.classroom.hand_in import submitted
from g2c.classroom.similarity import MAX_CHARS, Alike, most_alike
from g2c.course.bounded import printable, read_at_most
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.stubs import stub_of
from g2c.course.submission import MAX_SOURCE_BYTES, as_tree
from g2c.files import read_text
from g2c.written import code_written


def alike_in(folder: Path, ids: Collection[str]) -> dict[str, list[Alike]]:
    """The similar pairs, by the exercise's id, of submissions with each other and with the course's
    own versions: the reference, other good solutions and the first version. Unreadable files are
    left out.

    Raises:
        ValueError, OSError: as for `submissions_in`.
    """
    exercises = [exercise for exercise in load_exercises() if exercise.id in ids]
    sources: dict[str, dict[str, str]] = defaultdict(dict)
    for submission in submissions_in(folder):
        with contextlib.suppress(Exception), as_tree(submission.path) as tree:
            for exercise in exercises:
                with contextlib.suppress(ValueError, OSError):
                    if file := submitted(tree, exercise.file):
                        code = code_written(read_at_most(file, MAX_SOURCE_BYTES))
                        sources[exercise.id][printable(submission.name)] = code.text[:MAX_CHARS]
    return {
        exercise.id: most_alike(
            sources[exercise.id], stub_of(exercise), published=published(exercise)
        )
        for exercise in exercises
    }


def published(exercise: Exercise) -> dict[str, str]:
    """The course's own functions for an exercise, by their files."""
    own = [COURSE / exercise.solution_file, *exercise.other_solutions(COURSE)]
    own += [COURSE / exercise.first_version_file]
    return {file.relative_to(COURSE).as_posix(): read_text(file) for file in own}
