"""All files of a course in a wheel: the package, and the files around it."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version as version_of
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from g2c.course.folder.pages import for_student

AROUND = "course/folder/around"
"""The folder in a wheel's package with the files around it; hatch_build.py puts them there."""

_LEFT_OUT = {"__pycache__", AROUND.rpartition("/")[2]}


@dataclass(frozen=True)
class Course:
    """A version of the course: its files by their paths in a student's folder."""

    version: str
    files: Mapping[str, bytes]


def course_in(wheel: Path | None = None) -> Course:
    """The course in a wheel; by default the one from which this package was installed.

    Raises:
        ValueError: the file is not a wheel of the course, or this package runs from a course's
            folder.
    """
    from packaging.version import InvalidVersion, Version

    if wheel is None:
        if not files("g2c").joinpath(AROUND).is_dir():
            raise ValueError(
                "This g2c runs from a course's folder and cannot lay out another. A wheel can: uvx "
                "g2c init course, uvx g2c update course, or here: g2c update --from WHEEL"
            )
        return Course(version_of("g2c"), _files_of(files("g2c")))
    try:
        version = wheel.name.split("-")[1]
        Version(version)
        with zipfile.ZipFile(wheel) as archive:
            package = zipfile.Path(archive, "g2c/")
            if not package.joinpath(AROUND).is_dir():
                raise ValueError(f"{wheel} is not a wheel of this course.")
            return Course(version, _files_of(package))
    except (IndexError, InvalidVersion):
        raise ValueError(
            f"{wheel} is not a wheel; its name is like g2c-1.0-py3-none-any.whl."
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise ValueError(f"{wheel} is not a whole wheel. Get it again.") from None


def _files_of(package: Traversable) -> Mapping[str, bytes]:
    around = package.joinpath(AROUND)
    own = {f"g2c/{path}": data for path, data in _walk(package, PurePosixPath())}
    found = own | {str(path): data for path, data in _walk(around, PurePosixPath())}
    return found | {
        name: for_student(data.decode("utf-8"), name, found).encode()
        for name, data in found.items()
        if name.endswith((".md", ".ipynb"))
    }


def _walk(folder: Traversable, at: PurePosixPath) -> Iterator[tuple[PurePosixPath, bytes]]:
    for entry in folder.iterdir():
        if entry.is_file():
            yield at / entry.name, entry.read_bytes()
        elif entry.name not in _LEFT_OUT:
            yield from _walk(entry, at / entry.name)
