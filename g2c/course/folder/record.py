"""What a folder was laid out from: a version, and a digest of each file as the course had it.

So an update can tell what somebody has changed from what the course has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from g2c.course.folder.course_files import Course
from g2c.course.folder.merging import without_function
from g2c.course.manifest import Exercise, exercises_in
from g2c.files import replace_text
from g2c.version import RECORD

FILE = RECORD


@dataclass(frozen=True)
class Record:
    """`files` has the digest of each file; `around`, for each exercise's file, that of what stands
    around the function."""

    version: str
    files: Mapping[str, str]
    around: Mapping[str, str]


def exercises_of(course: Course) -> Mapping[str, Exercise]:
    """The exercises of a course, by their files."""
    manifest = course.files["g2c/course/exercises.toml"].decode()
    return {exercise.file: exercise for exercise in exercises_in(manifest)}


def record_of(course: Course) -> Record:
    """The record of a folder that holds just this course."""
    around = {
        path: digest(without_function(course.files[path].decode(), exercise).encode())
        for path, exercise in exercises_of(course).items()
    }
    return Record(course.version, {path: digest(it) for path, it in course.files.items()}, around)


def read_record(folder: Path) -> Record:
    """The record of a student's folder.

    Raises:
        ValueError: it has none, or one that cannot be read.
    """
    file = folder / FILE
    try:
        return Record(**json.loads(file.read_text("utf-8")))
    except FileNotFoundError:
        raise ValueError(
            f"{folder} was not laid out by g2c init: {FILE} is not there. In a git checkout, "
            "git pull brings a newer course."
        ) from None
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file} cannot be read, so nothing was changed: {error}") from None


def write_record(folder: Path, record: Record) -> None:
    """Keep the record; it is replaced whole."""
    replace_text(folder / FILE, json.dumps(asdict(record), indent=1) + "\n")


def digest(data: bytes) -> str:
    """The SHA-256 of a file's content."""
    return hashlib.sha256(data).hexdigest()
