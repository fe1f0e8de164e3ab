"""The record of a student's folder: the course's version, and a digest of each original file. So an
update can distinguish a person's changes from the course's.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from g2c.course.folder.course_files import Course
from g2c.course.folder.merge import heads_of, without_function
from g2c.course.manifest import Exercise, exercises_in
from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.json_files import replace_json
from g2c.version import RECORD

FILE = RECORD


@dataclass(frozen=True)
class Record:
    """`files` has the digest of each file. For each exercise's file, `around` has the digest of the
    text around the function, and `heads` those of its head, with and without a docstring."""

    version: str
    files: Mapping[str, str]
    around: Mapping[str, str]
    heads: Mapping[str, list[str]] = field(default_factory=dict)


def exercises_of(course: Course) -> Mapping[str, Exercise]:
    """The exercises of a course, by their files."""
    return {exercise.file: exercise for exercise in exercises_in(course.files)}


def record_of(course: Course) -> Record:
    """The record of a folder with exactly this course."""
    texts = {
        path: (course.files[path].decode(), exercise)
        for path, exercise in exercises_of(course).items()
    }
    return Record(
        course.version,
        {path: digest(data) for path, data in course.files.items()},
        {path: digest_of(without_function(*parts)) for path, parts in texts.items()},
        {path: [digest_of(head) for head in heads_of(*parts)] for path, parts in texts.items()},
    )


def read_record(folder: Path) -> Record:
    """The record of a student's folder.

    Raises:
        ValueError: the folder has no record, or an unreadable one.
    """
    file = folder / FILE
    try:
        record = Record(**load_json(read_text(file)))
        if not all(
            isinstance(table, dict) for table in (record.files, record.around, record.heads)
        ):
            raise ValueError("it is not a record")
        return record
    except FileNotFoundError:
        raise ValueError(
            f"{folder} was not laid out by g2c init: {FILE} is not there. In a git checkout, "
            "git pull brings a newer course."
        ) from None
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file} cannot be read, so nothing was changed: {error}") from None


def write_record(folder: Path, record: Record) -> None:
    """Write the record; the file is replaced as a whole."""
    replace_json(folder / FILE, asdict(record), indent=1)


def digest(data: bytes) -> str:
    """The SHA-256 of a file's content."""
    return hashlib.sha256(data).hexdigest()


def digest_of(text: str) -> str:
    """The digest of a text in UTF-8."""
    return digest(text.encode("utf-8", "surrogatepass"))
