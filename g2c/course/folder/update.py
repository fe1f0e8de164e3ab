"""Updates a folder in which somebody works to a newer course, and loses nothing of theirs.

All changes are planned first, from three versions of each file: the older course's, the current
one, and the newer course's. A file that was saved since the plan is left alone. To carry out an
update that was killed, run it again.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Literal

from g2c.course.folder.course_files import Course
from g2c.course.folder.merge import Merged, merge
from g2c.course.folder.record import (
    FILE,
    Record,
    digest,
    digest_of,
    exercises_of,
    read_record,
    record_of,
    write_record,
)
from g2c.course.manifest import Exercise
from g2c.files import leftovers, locked, read_bytes, replace_bytes
from g2c.moved import names_before, names_of_today
from g2c.written import code_written, line_end, with_plain_ends

OWN = "docs/agent-failure-modes.md"
"""Files that a student writes besides the exercises: `g2c runs writeup`."""

Read = Callable[[str], bytes | None]
"""Returns the current content of a file in the folder, by its path; None if there is none."""

What = Literal["add", "replace", "remove", "move", "merge", "set aside", "conflict"]
"""The change that an update makes to a file. `move`: put the student's body into the newer stub, in
a file of another name. `merge`: put the student's body into the newer stub. `set aside`: replace a
changed file of the course, and keep the changed one in the archive. `conflict`: keep the student's
file, and put the newer one beside it."""


@dataclass(frozen=True)
class Change:
    """The planned change of a file. `found` is its content at the time of the plan, `data` its new
    content. `kept` goes into the archive at the unused place `kept_at`. `note` is for the
    person."""

    what: What
    path: str
    found: bytes | None
    data: bytes | None
    kept: bytes | None = None
    kept_at: str = ""
    note: str = ""


def reader(folder: Path) -> Read:
    """Make a reader of the folder's files. It raises a ValueError if something else is in the place
    of a file or of a folder in its path."""

    def read(path: str) -> bytes | None:
        file = folder / path
        if file.is_file():
            return read_bytes(file)
        for place in (file, *(folder / above for above in Path(path).parents)):
            if os.path.lexists(place) and (place == file or not place.is_dir()):
                kind = "file" if place == file else "folder"
                raise ValueError(
                    f"{place} is in the way of a {kind} of the course. Move it or rename it, and "
                    "run the update again."
                )
        return None

    return read


def plan(record: Record, course: Course, read: Read) -> list[Change]:
    """The changes that update a folder with this record to `course`, in the order of the paths, and
    what is removed last."""
    paths = sorted({*record.files, *course.files})
    exercises = exercises_of(course)
    changes = [
        change for path in paths for change in _changes(path, exercises, record, course, read)
    ]
    return sorted(changes, key=lambda change: change.what == "remove")


def apply(folder: Path, changes: list[Change], course: Course) -> None:
    """Make the changes, each file completely or not at all, and then write the new record.

    Raises:
        BlockingIOError: another update is running in this folder.
        ValueError: the folder has changed since the plan; the rest was not done.
        OSError: a file cannot be written; earlier changes stay, and a new update continues from
            there.
    """
    read = reader(folder)
    with locked(folder / ".g2c/update.lock", wait=False):
        if plan(read_record(folder), course, read) != changes:
            raise ValueError(f"{folder} has changed in the meantime. Nothing was done; {_AGAIN}")
        written = [path for change in changes for path in (change.path, change.kept_at)]
        for place in {(folder / path).parent for path in [FILE, *written]}:
            for torn in leftovers(place):  # by an update that was killed
                torn.unlink()
        for change in changes:
            target = folder / change.path
            if change.kept is not None and read(change.kept_at) != change.kept:
                replace_bytes(folder / change.kept_at, change.kept)
            if change.data == change.found:
                continue
            if read(change.path) != change.found:
                raise ValueError(f"{target} was saved in the meantime and stays as it is; {_AGAIN}")
            if change.what == "remove":
                target.unlink(missing_ok=True)
            elif change.data is not None:
                write(target, change.data)
        write_record(folder, record_of(course))


_AGAIN = "g2c update shows what would change now."


def write(target: Path, data: bytes) -> None:
    """Write a file of the course, or the target of a link in its place; scripts are made
    executable."""
    replace_bytes(target.resolve(), data)
    if data.startswith(b"#!"):
        target.chmod(0o755)


def _changes(
    path: str, exercises: Mapping[str, Exercise], record: Record, course: Course, read: Read
) -> Iterator[Change]:
    base, theirs, mine = record.files.get(path), course.files.get(path), read(path)
    old = exercises[path].old_file if path in exercises else ""
    own = read(old) if old in record.files and path not in record.files else None
    if theirs and mine is None and own is not None and digest(own) != record.files[old]:
        yield _moved(exercises[path], record, course, own, theirs, read)
        return
    is_untouched = mine is not None and digest(mine) == base
    if theirs is None:
        if is_untouched:
            yield Change("remove", path, mine, None)
        elif mine is not None and path in {exercise.old_file for exercise in exercises.values()}:
            kept_at = _free(f"before-{course.version}", path, mine, read)
            yield Change("remove", path, mine, None, mine, kept_at)
        return  # a student has changed it, or removed it already
    if mine is None:
        yield Change("add", path, mine, theirs)
    elif is_untouched and mine != theirs:
        yield Change("replace", path, mine, theirs)
    elif mine != theirs and digest(theirs) != base:
        yield from _of_both(path, exercises.get(path), record, course, mine, theirs, read)


def _moved(
    exercise: Exercise, record: Record, course: Course, own: bytes, theirs: bytes, read: Read
) -> Change:
    """The change of a file that a person has changed under the name that it had."""
    merged = _merged(exercise.old_file, record, exercise, own, theirs)
    if not merged:
        newer = _free(f"from-{course.version}", exercise.file, theirs, read)
        return Change("conflict", exercise.file, None, own, theirs, newer)
    found = code_written(own)
    data = found.encoded(merged.text.replace("\n", line_end(found.text)))
    kept_at = _free(f"before-{course.version}", exercise.old_file, own, read)
    return Change("move", exercise.file, None, data, own, kept_at, _note_of(merged))


def _note_of(merged: Merged) -> str:
    return f"It takes other arguments now: {merged.now_takes}." if merged.now_takes else ""


def _of_both(
    path: str,
    exercise: Exercise | None,
    record: Record,
    course: Course,
    mine: bytes,
    theirs: bytes,
    read: Read,
) -> Iterator[Change]:
    """The change of a file that both a person and the course have changed."""
    before, newer = (f"{word}-{course.version}" for word in ("before", "from"))
    merged = _merged(path, record, exercise, mine, theirs) if exercise else None
    if merged:
        found = code_written(mine)
        data = found.encoded(merged.text.replace("\n", line_end(found.text)))
        if data != mine:  # equal if an interrupted update has done it
            kept_at = _free(before, path, mine, read)
            yield Change("merge", path, mine, data, mine, kept_at, _note_of(merged))
    elif exercise or path == OWN:
        yield Change("conflict", path, mine, mine, theirs, _free(newer, path, theirs, read))
    else:
        yield Change("set aside", path, mine, theirs, mine, _free(before, path, mine, read))


def _merged(
    path: str, record: Record, exercise: Exercise, mine: bytes, theirs: bytes
) -> Merged | None:
    found = code_written(mine)
    if found.trouble:
        return None
    was = {record.around.get(path), *record.heads.get(path, ())}

    def is_as_before(text: str) -> bool:
        return not was.isdisjoint({digest_of(text), digest_of(names_before(text))})

    mine_of_today = names_of_today(with_plain_ends(found.text))
    return merge(mine_of_today, theirs.decode(), exercise, is_as_before)


def _free(name: str, path: str, data: bytes, read: Read) -> str:
    """The place for `data` in the archive: in the folder of that name, or in the first numbered one
    without another file there."""
    places = (f"archive/{name}{f'-{n}' if n > 1 else ''}/{path}" for n in count(1))
    return next(place for place in places if read(place) in (None, data))
