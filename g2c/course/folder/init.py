"""Lays out a student's folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from g2c.course.folder.course_files import Course
from g2c.course.folder.record import record_of, write_record
from g2c.course.folder.update import write
from g2c.paths import in_shell


def lay_out(course: Course, folder: Path) -> None:
    """Make `folder` with all files of the course, completely or not at all.

    Raises:
        ValueError: `folder` exists and is not empty, or is a link that leads nowhere.
        OSError: the folder cannot be written.
    """
    if folder.is_symlink():
        if not folder.exists():
            raise ValueError(f"{folder} is a link that leads nowhere. Name another folder.")
        folder = folder.resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(
            f"{folder} is there and is not empty. Name a new folder; for a newer course in one "
            f"that g2c init made: g2c update {in_shell(folder)}"
        )
    begun = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        begun = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        for path, data in course.files.items():
            write(begun / path, data)
        write_record(begun, record_of(course))
        begun.chmod(0o755)
        begun.replace(folder)
    except BaseException as error:
        if begun:
            shutil.rmtree(begun, ignore_errors=True)
        if isinstance(error, OSError):
            error.filename = str(folder)  # and not the one beside
        raise
