"""Handing exercises back: the reference replaces them until the student takes them up again.

A file lists the ids of the handed-back exercises, and the exercise switch reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from g2c.course.manifest import Exercise, load_exercises
from g2c.exercise import handed_back_file
from g2c.files import replace_text
from g2c.written import read_text


def handed_back() -> list[Exercise]:
    """The handed-back exercises, in the course's order."""
    try:
        ids = read_text(handed_back_file()).split()
    except FileNotFoundError:
        return []
    return [exercise for exercise in load_exercises() if exercise.id in ids]


def hand_back(exercises: Iterable[Exercise]) -> None:
    """Let the reference replace these exercises."""
    _write([*handed_back(), *exercises])


def take_up(exercises: Collection[Exercise]) -> None:
    """Let the student's functions run again."""
    _write([other for other in handed_back() if other not in exercises])


def _write(exercises: Iterable[Exercise]) -> None:
    ids = sorted({exercise.id for exercise in exercises})
    replace_text(handed_back_file(), "".join(f"{exercise_id}\n" for exercise_id in ids))
