"""Brings a newer course to a folder in which somebody works, and loses nothing of theirs.

What changes is planned first, from three versions of each file: as the course had it, as it is, and
as the newer course has it. An update that was killed is carried out by running it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from g2c.course.folder.course_files import Course
from g2c.course.folder.merging import merge
from g2c.course.folder.record import FILE, Record, digest, exercises_of, record_of, write_record
from g2c.files import leftovers, locked, replace_bytes

OWN = "docs/agent-failure-modes.md"
"""Where a student writes, besides the exercises: `g2c writeup`."""

What = Literal["add", "replace", "remove", "merge", "set aside", "conflict"]
"""What becomes of a file. `merge`: a student's body in a newer stub. `set aside`: a changed file of
the course is replaced, and the changed one kept. `conflict`: the student's stays, and the newer one
is put beside it."""


@dataclass(frozen=True)
class Change:
    """What an update does to a file. `data` is its new content; `kept` is what is put into the
    archive at `kept_at`; `note` is for the person."""

    what: What
    path: str
    data: bytes | None
    kept: bytes | None = None
    kept_at: str = ""
    note: str = ""


def plan(record: Record, course: Course, read: Callable[[str], bytes | None]) -> list[Change]:
    """What brings a folder with this record to `course`, in the order of the paths.

    `read` gives a file of the folder as it is, and None if there is none.
    """
    paths = sorted({*record.files, *course.files})
    return [change for path in paths for change in _changes(path, record, course, read(path))]


def apply(folder: Path, changes: list[Change], course: Course) -> None:
    """Carry the changes out, each file whole or not at all, and then keep the new record.

    Raises:
        BlockingIOError: another update is at work in this folder.
        OSError: a file cannot be written; what was done stays, and a new update goes on from there.
    """
    with locked(folder / ".g2c/update.lock", wait=False):
        written = [path for change in changes for path in (change.path, change.kept_at)]
        for place in {(folder / path).parent for path in [FILE, *written]}:
            for torn in leftovers(place):  # by an update that was killed
                torn.unlink()
        for change in changes:
            target = folder / change.path
            if change.kept is not None:
                replace_bytes(folder / change.kept_at, change.kept)
            if change.what == "remove":
                target.unlink(missing_ok=True)
            elif change.data is not None:
                write(target, change.data)
        write_record(folder, record_of(course))


def write(target: Path, data: bytes) -> None:
    """Write a file of the course; a script may be run."""
    replace_bytes(target, data)
    if data.startswith(b"#!"):
        target.chmod(0o755)


def _changes(path: str, record: Record, course: Course, mine: bytes | None) -> Iterator[Change]:
    base, theirs = record.files.get(path), course.files.get(path)
    is_untouched = mine is not None and digest(mine) == base
    if theirs is None:
        if is_untouched:
            yield Change("remove", path, None)
        return  # what a student changed, or has removed already
    if mine is None:
        yield Change("add", path, theirs)
    elif is_untouched and mine != theirs:
        yield Change("replace", path, theirs)
    elif mine != theirs and digest(theirs) != base:
        yield _of_both(path, record, course, mine, theirs)


def _of_both(path: str, record: Record, course: Course, mine: bytes, theirs: bytes) -> Change:
    """What becomes of a file that somebody has changed, and the course, too."""
    exercise = exercises_of(course).get(path)
    if exercise:
        merged = merge(
            mine.decode("utf-8", "replace"),
            theirs.decode(),
            exercise,
            lambda around: digest(around.encode()) == record.around.get(path),
        )
        if merged:
            note = f"It takes other arguments now: {merged.now_takes}." if merged.now_takes else ""
            kept_at = f"archive/before-{course.version}/{path}"
            return Change("merge", path, merged.text.encode(), mine, kept_at, note)
    if exercise or path == OWN:
        return Change("conflict", path, None, theirs, f"archive/from-{course.version}/{path}")
    return Change("set aside", path, theirs, mine, f"archive/before-{course.version}/{path}")
