"""Lays out a student's folder."""

import shutil
from pathlib import Path, PurePath
from tempfile import mkdtemp

from g2c.course.folder.course_files import Course
from g2c.course.folder.record import FILE, record_of, write_record
from g2c.course.folder.update import write
from g2c.paths import in_shell


def lay_out(course: Course, folder: Path) -> None:
    """Make `folder` with all files of the course, completely or not at all. Hidden files of others
    may be there, such as `.git`.

    Raises:
        ValueError: `folder` exists and has other files, or is a link that leads nowhere.
        OSError: the folder cannot be written.
    """
    if folder.is_symlink():
        if not folder.exists():
            raise ValueError(f"{folder} is a link that leads nowhere. Name another folder.")
        folder = folder.resolve()
    if folder.exists() and not _is_free(folder, course):
        raise ValueError(
            f"{folder} is there and is not empty. Name a new folder; for a newer course in one "
            f"that g2c init made: g2c update {in_shell(folder)}"
        )
    begun, moved = None, list[Path]()
    try:
        # A folder that is there may be a disk of its own, or the one that a shell is in: it stays.
        beside = folder if folder.exists() else folder.parent
        beside.mkdir(parents=True, exist_ok=True)
        begun = Path(mkdtemp(dir=beside, prefix=f".{folder.name}-"))
        for path, data in course.files.items():
            write(begun / path, data)
        write_record(begun, record_of(course))
        begun.chmod(0o755)
        if beside != folder:
            begun.replace(folder)
            return
        last = PurePath(FILE).parts[0]  # so that a folder with a record is whole
        for entry in sorted(begun.iterdir(), key=lambda entry: entry.name == last):
            moved.append(entry.rename(folder / entry.name))
        begun.rmdir()
    except BaseException as error:
        for place in (begun, *moved):
            if place and place.is_dir():
                shutil.rmtree(place, ignore_errors=True)
            elif place:
                place.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(folder)  # and not the one beside
        raise


def _is_free(folder: Path, course: Course) -> bool:
    """Whether a place is a folder that the course can be laid out in, beside what is there."""
    own = {PurePath(path).parts[0] for path in (*course.files, FILE)}
    return folder.is_dir() and all(
        entry.name.startswith(".") and entry.name not in own for entry in folder.iterdir()
    )
