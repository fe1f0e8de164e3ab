"""Skipped exercises: the reference replaces them until the student takes them up again.

A file lists the ids of the skipped exercises, and the exercise switch reads it.
"""

from collections.abc import Collection, Iterable

from g2c.course.manifest import Exercise, load_exercises
from g2c.exercise import skipped_file
from g2c.files import replace_text
from g2c.written import read_text


def skipped_exercises() -> list[Exercise]:
    """The skipped exercises, in the course's order."""
    try:
        ids = read_text(skipped_file()).split()
    except FileNotFoundError:
        return []
    return [exercise for exercise in load_exercises() if exercise.id in ids]


def skip_these(exercises: Iterable[Exercise]) -> None:
    """Let the reference replace these exercises."""
    _write([*skipped_exercises(), *exercises])


def unskip(exercises: Collection[Exercise]) -> None:
    """Let the student's functions run again."""
    _write([other for other in skipped_exercises() if other not in exercises])


def _write(exercises: Iterable[Exercise]) -> None:
    ids = sorted({exercise.id for exercise in exercises})
    replace_text(skipped_file(), "".join(f"{exercise_id}\n" for exercise_id in ids))
