"""A submission as one zip: what the grader reads of a student's course, with a manifest of hashes.

The grader reads archives of strangers. So it takes files alone, by names that it knows, up to a
number and a size that it counts itself, and writes nothing outside the folder that it was given.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from g2c import __version__
from g2c.course.bounded import at_most, printable
from g2c.course.manifest import load_exercises
from g2c.tools.limits import scratch_folder

MANIFEST = "submission.json"
FORMAT = 1

MOST_FILES = 2000
"""Runs are the only files that may be many."""

MOST_BYTES = 64 * 2**20
"""Of all files together, unpacked."""

_OTHERS = re.compile(
    r"docs/agent-failure-modes\.md|\.g2c/handed-back|(work|runs)/[^/\\:]+\.(ipynb|json)"
)
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
"""So equal folders make equal archives."""


@dataclass(frozen=True)
class Held:
    """What a submission holds: its files, the exercises' files that it lacks, and those that are
    not as its manifest says. `course` is the version that made it, "" where there is no manifest.
    """

    files: tuple[str, ...]
    lacks: tuple[str, ...]
    changed: tuple[str, ...]
    course: str


def is_read(name: str) -> bool:
    """Whether the grader reads a file of this name, relative to the course."""
    return name in _exercise_files() or bool(_OTHERS.fullmatch(name))


@cache
def _exercise_files() -> frozenset[str]:
    return frozenset(one.file for one in load_exercises())


def pack(tree: Path) -> bytes:
    """The archive of a student's course. Links are left out.

    Raises:
        ValueError: `tree` is no course, or there is too much of it.
        OSError: a file cannot be read.
    """
    if not (tree / "g2c").is_dir():
        raise ValueError(f"{tree} is not a student's course: it has no folder g2c.")
    own = names_in(tree)
    _refuse_too_much(len(own), sum((tree / name).stat().st_size for name in own))
    contents = {name: at_most(tree / name, MOST_BYTES).read_bytes() for name in own}
    manifest = {
        "format": FORMAT,
        "course": __version__,
        "files": {name: _hash(content) for name, content in contents.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        contents[MANIFEST] = (json.dumps(manifest, indent=1) + "\n").encode()
        for name, content in sorted(contents.items()):
            archive.writestr(
                zipfile.ZipInfo(name, _FIXED_TIME), content, compress_type=zipfile.ZIP_DEFLATED
            )
    return packed.getvalue()


def names_in(tree: Path) -> list[str]:
    """The files of a student's course that the grader reads. Links are left out."""
    names = [one.file for one in load_exercises()]
    names += ["docs/agent-failure-modes.md", ".g2c/handed-back"]
    for folder in ("work", "runs"):
        names += sorted(f"{folder}/{file.name}" for file in (tree / folder).glob("*"))
    return [name for name in dict.fromkeys(names) if is_read(name) and _is_own(tree, name)]


def _is_own(tree: Path, name: str) -> bool:
    path = tree / name
    return path.is_file() and path.resolve() == tree.resolve() / name


def is_archive(path: Path) -> bool:
    return path.suffix == ".zip" and path.is_file()


@contextlib.contextmanager
def as_tree(submission: Path) -> Iterator[Path]:
    """The folder of a submission, which is one, or an archive that is unpacked meanwhile.

    Raises:
        ValueError: the archive is none, or is refused; the message says why.
        OSError: it cannot be read.
    """
    if not is_archive(submission):
        yield submission
        return
    with scratch_folder() as folder, submission.open("rb") as file:
        unpack(file, folder)
        yield folder


def unpack(file: IO[bytes], to: Path) -> None:
    """Put what the grader reads of an archive into the folder `to`. The course may be the archive
    itself, or a folder in it.

    Raises:
        ValueError: as for `as_tree`.
    """
    contents = read_archive(file)
    (to / "g2c").mkdir(exist_ok=True)
    for name, content in contents.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def held(file: IO[bytes]) -> Held:
    """What an archive holds, beside what its manifest says.

    Raises:
        ValueError: as for `as_tree`.
    """
    contents = read_archive(file)
    course, hashes = "", {}
    with contextlib.suppress(KeyError, ValueError, TypeError, AttributeError, RecursionError):
        manifest = json.loads(contents[MANIFEST])
        course, hashes = printable(str(manifest["course"])), dict(manifest["files"])
    contents.pop(MANIFEST, None)
    lacks = [one.file for one in load_exercises() if one.file not in contents]
    changed = [
        printable(name)
        for name in sorted({*hashes, *contents} if hashes else ())
        if name not in contents or hashes.get(name) != _hash(contents[name])
    ]
    return Held(tuple(sorted(contents)), tuple(lacks), tuple(changed), course)


def read_archive(file: IO[bytes]) -> dict[str, bytes]:
    """By its name, each file of an archive that the grader reads, and the manifest.

    Raises:
        ValueError: as for `as_tree`.
    """
    try:
        with zipfile.ZipFile(file) as zipped:
            top = _top_of(zipped.namelist())
            found: dict[str, bytes] = {}
            size = 0
            for one in zipped.infolist():
                own = one.filename.removeprefix(top)
                if not (one.filename.startswith(top) and (is_read(own) or own == MANIFEST)):
                    continue
                if not _is_ordinary(one):
                    raise ValueError(f"{printable(own)} in the archive is a link or no file.")
                if own in found:
                    raise ValueError(f"{printable(own)} is in the archive twice.")
                with zipped.open(one) as stream:  # the size that it names may be wrong
                    found[own] = stream.read(MOST_BYTES - size + 1)
                size += len(found[own])
                _refuse_too_much(len(found), size)
            return found
    except ValueError:
        raise
    except Exception as error:  # zipfile raises many kinds on what is no archive
        raise ValueError(f"The archive cannot be read: {printable(str(error))[:200]}") from error


def _is_ordinary(one: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(one.external_attr >> 16)
    return not one.is_dir() and kind in (0, stat.S_IFREG)


def _top_of(names: Iterable[str]) -> str:
    """What stands before the course's own names in an archive: "", or folders and a slash."""
    files = _exercise_files()
    whole = re.compile(f"(.*/)?({'|'.join(map(re.escape, files))})")
    tops = {found[1] or "" for name in names if (found := whole.fullmatch(name))}
    if not tops:
        return ""
    return min(tops, key=lambda top: (len(top), top))


def _refuse_too_much(files: int, size: int) -> None:
    if files > MOST_FILES:
        raise ValueError(f"The submission has more than {MOST_FILES:,} files.")
    if size > MOST_BYTES:
        raise ValueError(f"The submission has more than {MOST_BYTES // 2**20} MiB.")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
