"""What of a student's folder the grader reads: files that are the student's own, up to a size."""

from __future__ import annotations

from pathlib import Path

from g2c.course.bounded import read_at_most
from g2c.course.manifest import load_exercises

MOST_SOURCE_BYTES = 2**20
"""A file with an exercise has a hundredth of this."""


def submitted(tree: Path, name: str) -> Path | None:
    """A file of the student's; None if it is not there, or is a link that leads elsewhere.

    Raises:
        ValueError: nobody may look at it.
    """
    path = tree / name
    try:
        is_own = path.is_file() and path.resolve() == tree.resolve() / name
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}.") from error
    return path if is_own else None


def content_of(tree: Path, name: str) -> bytes | None:
    """What is in a file of the student's; None if `submitted` has none.

    Raises:
        ValueError: it is too large, or nobody may read it.
    """
    file = submitted(tree, name)
    try:
        return read_at_most(file, MOST_SOURCE_BYTES) if file else None
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}.") from error


def ids_handed_back(tree: Path) -> list[str]:
    """The ids of the exercises for which the student lets the reference stand in.

    A list that cannot be read names none.
    """
    try:
        ids = (content_of(tree, ".g2c/handed-back") or b"").decode("utf-8", "replace").split()
    except ValueError:
        return []
    return [exercise.id for exercise in load_exercises() if exercise.id in ids]
