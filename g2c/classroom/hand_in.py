"""Reads a student's files for the grader: only the student's own, up to a size."""

from itertools import islice
from pathlib import Path

from g2c.classroom.confinement import COURSE
from g2c.course.bounded import printable, read_at_most
from g2c.course.manifest import load_exercises
from g2c.course.submission import MAX_SOURCE_BYTES, names_in

MAX_NAMED = 3
"""The most notebooks with other names that are named."""


def submitted(tree: Path, name: str) -> Path | None:
    """A student's file; None if it is missing, or is a link that leads elsewhere.

    Raises:
        ValueError: it may not be read.
    """
    path = tree / name
    try:
        is_own = path.is_file() and path.resolve() == tree.resolve() / name
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}.") from error
    return path if is_own else None


def other_notebooks(tree: Path) -> str:
    """A sentence with notebooks that are not read, as their names are not the course's; or ""."""
    shipped = {f"work/{file.name}" for file in (COURSE / "notebooks").glob("*.ipynb")}
    others = (name for name in names_in(tree) if name.startswith("work/") and name not in shipped)
    found = ", ".join(printable(name)[:100] for name in islice(others, MAX_NAMED))
    return f"Not read: {found}." if found else ""


def content_of(tree: Path, name: str) -> bytes | None:
    """The content of a student's file; None if `submitted` lacks it.

    Raises:
        ValueError: it is too large, or may not be read.
    """
    file = submitted(tree, name)
    try:
        return read_at_most(file, MAX_SOURCE_BYTES) if file else None
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}.") from error


def ids_skipped(tree: Path) -> list[str]:
    """The ids of the exercises that the student has skipped.

    An unreadable list counts as empty.
    """
    try:
        ids = (content_of(tree, ".g2c/handed-back") or b"").decode("utf-8", "replace").split()
    except ValueError:
        return []
    return [exercise.id for exercise in load_exercises() if exercise.id in ids]
