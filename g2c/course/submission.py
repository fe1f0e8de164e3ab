"""A submission: the files of a student's course that the grader reads, or a zip of them with
hashes.

The grader reads strangers' archives and folders. So it takes only regular files with known names,
up to a number and a size that it counts itself, and writes only into the given folder. A process
with limits reads an archive: `python -m g2c.course.submission ARCHIVE FOLDER`.
"""

import contextlib
import hashlib
import io
import os
import re
import stat
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from g2c.course.answers import answers_of, has_answers
from g2c.course.bounded import printable, read_at_most
from g2c.course.manifest import find_exercise, load_exercises
from g2c.course.stubs import is_unwritten
from g2c.course.submission_names import MANIFEST, has_exercise, is_read, own_names, renamed_from
from g2c.files import open_file
from g2c.foreign_json import load_json
from g2c.paths import project_root
from g2c.text import reason_of, short_reason
from g2c.tools.limits import (
    describe_exit,
    private_environment,
    read_ends,
    run_limited,
    scratch_folder,
)

MAX_FILES = 2000
"""The most files; only recorded runs can be many."""

MAX_BYTES = 64 * 2**20
"""The most bytes of all files together, unpacked."""

MAX_SOURCE_BYTES = 2**20
"""The most bytes of an exercise's file; that of the course is a hundredth of this."""

MAX_NAMES = 100_000
"""The most names in an archive or a folder. A course with its environment has a third of that."""

MAX_LIST_BYTES = 2**20
"""The most bytes of the list of hashes; that of 2,000 files is a third of this."""

MAX_NESTED = 2
"""How deep nested archives are opened, the outermost included."""

_DEEPEST = 12
"""How many levels down in a folder a course is looked for."""

_PICTURE = re.compile(r'"image/[\w.+-]+":\s*(?:"[^"]*"|\[[^\]]*\])')
"""A picture in a notebook. Its letters are as random as a key's."""

_TAKEN = {zipfile.ZIP_STORED: "stored", zipfile.ZIP_DEFLATED: "deflated"}
"""The accepted compression methods. Others unpack a file completely before it can be cut off."""

_READ_S, _READ_MEMORY = 60.0, 512 * 2**20
"""The limits of the process that reads an archive: seconds, and bytes of memory."""

_REFUSED = 3
"""Its exit code if it prints why an archive is refused."""


@dataclass(frozen=True)
class ArchiveContents:
    """A submission's contents: its files, the missing files of exercises, and files that differ
    from its manifest. `course` is the version that made it, "" without a manifest. `untouched` are
    the ids of the exercises that are as shipped. `packed` is the time that it claims for its
    packing; it can be forged.
    """

    files: tuple[str, ...]
    lacks: tuple[str, ...]
    changed: tuple[str, ...]
    course: str
    untouched: tuple[str, ...] = ()
    packed: str = ""


def names_in(tree: Path, *, follow_links: bool = False) -> list[str]:
    """The files of a student's course that the grader reads, and renamed ones of exercises that
    have no file."""
    names = [exercise.file for exercise in load_exercises()]
    rooms = dict.fromkeys(name.rpartition("/")[0] for name in names)
    names += ["docs/agent-failure-modes.md", ".g2c/handed-back"]
    for folder in ("work", "runs", *rooms):
        names += sorted(f"{folder}/{file.name}" for file in (tree / folder).glob("*"))
    is_there = (lambda name: (tree / name).is_file()) if follow_links else _is_own(tree)
    found = dict.fromkeys(name for name in names if is_read(name) and is_there(name))
    return [name for name in found if renamed_from(name) not in found]


def _is_own(tree: Path) -> Callable[[str], bool]:
    # Path.resolve raises a RuntimeError at a link that leads to itself.
    whole = Path(os.path.realpath(tree))
    return lambda name: (
        (tree / name).is_file() and os.path.realpath(tree / name) == str(whole / name)
    )


@contextlib.contextmanager
def as_tree(submission: Path) -> Iterator[Path]:
    """Yield the folder of a submission. If the submission is an archive, or a folder with the
    course somewhere inside, in an archive or under changed names, a temporary folder is laid out.

    Raises:
        ValueError: there is no course in it, or it is refused; the message says why.
        OSError: it cannot be read.
    """
    is_folder = submission.is_dir()
    if is_folder and has_exercise(names_in(submission)):
        yield submission
        return
    with scratch_folder() as folder:
        if is_folder:
            _gather(submission, folder)
        elif submission.is_file():
            _unpack_with_limits(submission, folder)
        elif submission.exists():
            raise ValueError(f"{_shown(submission)} is not a file on a disk, and not a folder.")
        else:
            raise ValueError(_no_course(submission))
        yield folder


def _no_course(where: object, names: Iterable[str] = ()) -> str:
    first = load_exercises()[0].file
    listed = printable(", ".join(sorted(islice(names, 5))))[:200]
    has = f" It has {listed}." if listed else ""
    return (
        f"{_shown(where)} is not a student's course: it has no file of an exercise, such as "
        f"{first}.{has}"
    )


def _shown(where: object) -> str:
    """A hand-in in a sentence that a student reads, too: without the folder of the grader."""
    return where.absolute().name if isinstance(where, Path) else str(where)


def _gather(submission: Path, to: Path) -> None:
    """Copy the files that the grader reads from wherever they are in a folder."""
    files = {file.relative_to(submission).as_posix(): file for file in files_below(submission)}
    names = own_names(files)
    if has_exercise(names.values()):
        contents: dict[str, bytes] = {}
        for name, own in names.items():
            if own in contents:
                raise ValueError(f"{printable(own)} is there twice.")
            contents[own] = read_at_most(files[name], MAX_BYTES)
            _refuse_too_much(len(contents), sum(map(len, contents.values())))
        _write(contents, to)
        return
    rooms = {exercise.file.rpartition("/")[0] for exercise in load_exercises()}
    for room in sorted({"g2c", *rooms}):
        if (submission / room).is_symlink():
            raise ValueError(
                f"{room} is a link, and is not followed. Hand in the files themselves."
            )
    _unpack_with_limits(files[only_archive(files, submission)], to)


def only_archive(names: Iterable[str], where: object) -> str:
    """The one archive among these names.

    Raises:
        ValueError: there is none, or there are several.
    """
    own = [name for name in names if not _is_system_name(name)]
    archives = [name for name in own if name.lower().endswith(".zip")]
    if len(archives) > 1:
        listed = printable(", ".join(sorted(archives)))[:500]
        raise ValueError(
            f"{_shown(where)} has {len(archives)} archives; leave the right one: {listed}"
        )
    if not archives:
        raise ValueError(_no_course(where, own))
    return archives[0]


def _is_system_name(name: str) -> bool:
    """Whether a name is hidden, or in a folder that an operating system adds when it packs."""
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


def files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder, without links, down to a depth.

    Raises:
        ValueError: there are too many.
    """
    waiting, seen = [(folder, 1)], 0
    while waiting:
        place, depth = waiting.pop()
        for path in place.iterdir():
            seen += 1
            _refuse_too_many_names(seen)
            if path.is_symlink():
                continue
            if path.is_file():
                yield path
            elif path.is_dir() and depth < _DEEPEST:
                waiting.append((path, depth + 1))


def _refuse_too_many_names(number: int) -> None:
    if number > MAX_NAMES:
        raise ValueError(f"The submission has more than {MAX_NAMES:,} names.")


def _unpack_with_limits(archive: Path, to: Path) -> None:
    """`unpack`, in a process with limits of time and memory, whatever the archive."""
    if not zipfile.is_zipfile(archive):
        with open_file(archive, "rb") as file:
            begins = file.read(4)
        what = "is empty" if not begins else "is not a zip. The grader takes a zip or a folder"
        if begins == b"PK\3\4":
            what = "has no end, as after a broken upload or download"
        raise ValueError(f"The archive cannot be read: it {what}.")
    with scratch_folder() as home, tempfile.TemporaryFile() as output:
        status = run_limited(
            ["-B", "-X", "utf8", "-m", __name__, str(archive.resolve()), str(to)],
            timeout=_READ_S,
            limits={"RLIMIT_AS": _READ_MEMORY, "RLIMIT_CPU": int(_READ_S), "RLIMIT_CORE": 0},
            folder=Path(__file__).parents[2],
            environment=private_environment(home),
            output=output,
        )
        if status:
            said = printable(read_ends(output, 2000)).strip()
            ended = f"The archive cannot be read: the process {describe_exit(status, _READ_S)}."
            raise ValueError(said if status == _REFUSED and said else ended)
        if status is None:
            raise ValueError(f"The archive cannot be read in {_READ_S:g} seconds.")


def main() -> None:
    archive, to = map(Path, sys.argv[1:])
    try:
        with open_file(archive, "rb") as file:
            unpack(file, to)
    except (ValueError, OSError, MemoryError) as error:
        print(reason_of(error) or "The archive cannot be read: it needs too much memory.")
        sys.exit(_REFUSED)


def unpack(file: IO[bytes], to: Path) -> None:
    """Unpack the files that the grader reads into the folder `to`. The course may be the archive
    itself, or a folder or an archive in it.

    Raises:
        ValueError: as for `as_tree`.
    """
    _write(read_archive(file), to)


def _write(contents: Mapping[str, bytes], to: Path) -> None:
    for name, content in contents.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def inspect_archive(file: IO[bytes]) -> ArchiveContents:
    """An archive's contents, compared with its manifest.

    Raises:
        ValueError: as for `as_tree`.
    """
    contents = read_archive(file)
    course, hashes, packed = "", {}, ""
    with contextlib.suppress(KeyError, ValueError, TypeError, AttributeError):
        manifest = load_json(contents[MANIFEST][: MAX_LIST_BYTES + 1])
        course, hashes = printable(str(manifest["course"])), dict(manifest["files"])
        packed = printable(str(manifest.get("packed", "")))[:40]
    contents.pop(MANIFEST, None)
    lacks = [exercise.file for exercise in load_exercises() if exercise.file not in contents]
    changed = [
        printable(name)
        for name in sorted({*hashes, *contents} if hashes else ())
        if name not in contents or hashes.get(name) != hash_of(contents[name])
    ]
    untouched = [
        exercise.id
        for exercise in load_exercises()
        if exercise.file in contents and is_unwritten(exercise, contents[exercise.file])
    ]
    return ArchiveContents(
        tuple(sorted(contents)), tuple(lacks), tuple(changed), course, tuple(untouched), packed
    )


def secrets_in(file: IO[bytes]) -> list[str]:
    """The places in an archive that look like a secret, such as `runs/3.json, line 7`, by 25.6. Its
    own file is left out, since it has examples.

    Raises:
        ValueError: as for `as_tree`.
    """
    from g2c.guard.app.masking import secret_lines

    return [
        f"{printable(name)}, line {number}"
        for name, content in sorted(read_archive(file).items())
        if name not in (MANIFEST, find_exercise("25.6").file)
        for number in secret_lines(_PICTURE.sub(_same_lines, content.decode("utf-8", "replace")))
    ]


def _same_lines(part: re.Match[str]) -> str:
    return "\n" * part[0].count("\n")


def doubts_about_answers(file: IO[bytes]) -> list[str]:
    """Warnings about the written answers in an archive: a sentence for each notebook of the course
    whose answers are not all found.

    Raises:
        ValueError: as for `as_tree`.
    """
    contents, sentences = read_archive(file), []
    for shipped in sorted((project_root() / "notebooks").glob("*-*.ipynb")):
        if (name := f"work/{shipped.name}") not in contents:
            continue
        try:
            found = answers_of(contents[name], name, shipped)
        except ValueError as error:
            sentences.append(str(error))
            continue
        empty = [
            str(number) for number, answer in found.items() if not answer.text and not answer.unsure
        ]
        unsure = [str(number) for number, answer in found.items() if answer.unsure]
        if empty:
            aside = " Text in a comment, <!-- like this -->, does not count."
            sentences.append(
                f"{name}: no text is written below answer {', '.join(empty)}."
                f"{aside if b'<!--' in contents[name] else ''}"
            )
        if unsure:
            sentences.append(
                f"{name}: what belongs to answer {', '.join(unsure)} is not clear: it is code, or "
                "stands elsewhere. Write it into the text cell below its question."
            )
    own = {f"work/{path.name}" for path in (project_root() / "notebooks").glob("*-*.ipynb")}
    for name, data in sorted(contents.items()):
        if name.endswith(".ipynb") and name not in own and has_answers(data, name):
            sentences.append(
                f"{name} has answers that the grader does not read: its name is not that of a "
                "notebook of the course, such as work/19-agent.ipynb."
            )
    return sentences


def is_submission(file: Path) -> bool:
    """Whether `pack` made the file; a document of an office is a zip, too."""
    try:
        with zipfile.ZipFile(file) as zipped:
            return MANIFEST in zipped.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        return False


def read_archive(file: IO[bytes], nested: int = 1) -> dict[str, bytes]:
    """The files of an archive that the grader reads, by their names in a course, and the manifest.

    Raises:
        ValueError: as for `as_tree`.
    """
    try:
        with zipfile.ZipFile(file) as zipped:
            members = zipped.infolist()
            _refuse_too_many_names(len(members))
            names = own_names(member.filename for member in members)
            found: dict[str, bytes] = {}
            size = 0
            for member in members:
                if not (own := names.get(member.filename)):
                    continue
                if own in found:
                    raise ValueError(f"{printable(own)} is in the archive twice.")
                found[own] = read_member(zipped, member, MAX_BYTES - size)
                size += len(found[own])
                _refuse_too_much(len(found), size)
            if has_exercise(found):
                return found
            if nested == MAX_NESTED:
                raise ValueError(_no_course("The archive in the archive"))
            inner = only_archive((member.filename for member in members), "The archive")
            data = read_member(zipped, zipped.getinfo(inner), MAX_BYTES)
            _refuse_too_much(1, len(data))
        return read_archive(io.BytesIO(data), nested + 1)
    except ValueError:
        raise
    except Exception as error:  # zipfile raises many kinds of errors on bad archives
        why = printable(short_reason(error))[:200] or type(error).__name__
        raise ValueError(f"The archive cannot be read: {why}") from error


def read_member(zipped: zipfile.ZipFile, one: zipfile.ZipInfo, most: int) -> bytes:
    """The content of a member; if it is longer than `most`, its first `most` + 1 bytes.

    Raises:
        ValueError: it is not a file, or compressed with a method that is not accepted.
    """
    name = printable(one.filename)
    if not _is_ordinary(one):
        raise ValueError(f"{name} in the archive is a link or no file.")
    if one.flag_bits & 1:
        raise ValueError(f"{name} in the archive is encrypted: hand it in without a password.")
    if one.compress_type not in _TAKEN:
        known = " or ".join(_TAKEN.values())
        raise ValueError(
            f"{name} in the archive is compressed in a way that is not accepted; use {known}. "
            "g2c submit makes such an archive, and so do the systems' own commands."
        )
    with zipped.open(one) as stream:  # its declared size may be wrong
        return stream.read(most + 1)


def _is_ordinary(one: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(one.external_attr >> 16)
    return not one.is_dir() and kind in (0, stat.S_IFREG)


def _refuse_too_much(files: int, size: int) -> None:
    if files > MAX_FILES:
        raise ValueError(
            f"The submission has more than {MAX_FILES:,} files. g2c submit makes a zip of the "
            "newest runs."
        )
    if size > MAX_BYTES:
        raise ValueError(f"The submission has more than {MAX_BYTES // 2**20} MiB.")


def hash_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main()
