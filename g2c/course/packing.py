"""Packs a submission: what is graded in a student's course, within the limits of the grader."""

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from g2c import __version__
from g2c.course.answers import MAX_NOTEBOOK_BYTES, has_answers
from g2c.course.bounded import printable, read_at_most
from g2c.course.manifest import load_exercises
from g2c.course.runs import MAX_RUN_BYTES, list_runs
from g2c.course.submission import (
    MAX_BYTES,
    MAX_FILES,
    MAX_LIST_BYTES,
    MAX_SOURCE_BYTES,
    hash_of,
    names_in,
)
from g2c.course.submission_names import MANIFEST
from g2c.course.writeup import MAX_BYTES as MAX_CATALOGUE_BYTES
from g2c.course.writeup import read_entries
from g2c.foreign_json import load_json
from g2c.written import read_text

FORMAT = 1

_MIB = 2**20

CATALOGUE = "docs/agent-failure-modes.md"

_FIXED_TIME = datetime(1980, 1, 1, tzinfo=UTC)
"""The time in an archive for which none was given, so that equal folders make equal archives."""

_ZIP_YEARS = range(1980, 2108)
"""The years that a zip can store."""


Tell = Callable[[str], None]
"""Called with a sentence about each thing that stays out."""


def pack(
    tree: Path,
    *,
    follow_links: bool = False,
    now: datetime | None = None,
    tell: Tell = lambda sentence: None,
) -> bytes:
    """The archive of a student's course. Links are left out; with `follow_links`, only those that
    lead out of it. If there is more than the grader reads, files are left out, old runs first.

    The list of hashes and each file of the archive have the time `now`, in UTC. Without it, equal
    folders make equal archives.

    Raises:
        ValueError: `tree` is not a course.
        OSError: a file cannot be read.
    """
    if not (tree / "g2c").is_dir():
        raise ValueError(f"{tree} is not a student's course: it has no folder g2c.")
    _tell_of_notebooks(tree, tell)
    names = names_in(tree, follow_links=follow_links)
    _tell_of_helpers(tree, names, tell)
    contents = _within_limits(tree, _without_strange_links(tree, names, tell), tell)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "course": __version__,
        "files": {name: hash_of(content) for name, content in contents.items()},
    }
    if now:
        manifest["packed"] = now.astimezone(UTC).isoformat(timespec="seconds")
    time = (now or _FIXED_TIME).astimezone(UTC)
    if time.year not in _ZIP_YEARS:  # a clock that is far off must not prevent handing in
        time = _FIXED_TIME
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        contents[MANIFEST] = (json.dumps(manifest, indent=1) + "\n").encode()
        for name, content in sorted(contents.items()):
            archive.writestr(
                zipfile.ZipInfo(name, time.timetuple()[:6]),
                content,
                compress_type=zipfile.ZIP_DEFLATED,
            )
    return packed.getvalue()


def _tell_of_helpers(tree: Path, names: Sequence[str], tell: Tell) -> None:
    """Tell of files beside the exercises' own, such as a student's helper module: a grader does not
    have them."""
    own = {exercise.file for exercise in load_exercises()}
    for room in sorted({file.rpartition("/")[0] for file in own}):
        for file in sorted((tree / room).glob("*.py")):
            if (name := f"{room}/{file.name}") not in {*own, *names, f"{room}/__init__.py"}:
                tell(
                    f"{printable(name)} stays out: an exercise is graded with its own file alone, "
                    "so move what it needs there."
                )


def _tell_of_notebooks(tree: Path, tell: Tell) -> None:
    """Tell of answers in a notebook that was opened where it was shipped, and of notebooks, or the
    catalogue, that are not a file."""
    for file in (tree / CATALOGUE, *sorted((tree / "work").glob("*.ipynb"))):
        if os.path.lexists(file) and not file.is_file():
            name = printable(file.relative_to(tree).as_posix())
            tell(f"{name} stays out: it is not a file, or a link that leads nowhere.")
    for file in sorted((tree / "notebooks").glob("*-*.ipynb")):
        with suppress(ValueError, OSError):
            if has_answers(read_at_most(file, MAX_NOTEBOOK_BYTES), file.name):
                tell(
                    f"notebooks/{file.name} has answers, and the grader does not read them there: "
                    f"move them to work/{file.name}."
                )


def _within_limits(tree: Path, names: Sequence[str], tell: Tell) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    size, without = 0, 0
    for name in _most_needed_first(tree, names):
        try:
            content = _as_read(tree / name, _most_bytes(name), tell)
        except ValueError as error:
            tell(f"{printable(name)} stays out: {error}")
            continue
        if len(contents) + 1 < MAX_FILES and size + len(content) <= MAX_BYTES - MAX_LIST_BYTES:
            contents[_in_utf8(name)] = content
            size += len(content)
        else:
            without += 1
    if without:
        tell(
            f"{without:,} files stay out, the oldest runs: the grader takes {MAX_FILES:,} files "
            f"and {MAX_BYTES // _MIB} MiB. The runs that your catalogue of failures names are in "
            "the zip."
        )
    return contents


def _without_strange_links(tree: Path, names: Iterable[str], tell: Tell) -> list[str]:
    """The names that do not lead out of the course. Tell of each link that does: who hands in
    does not expect that a file from elsewhere is read."""
    whole = Path(os.path.realpath(tree))
    own: list[str] = []
    links: dict[Path, Path] = {}
    for name in names:
        parts = [*reversed(Path(name).parents), Path(name)]
        targets = {part: Path(os.path.realpath(tree / part)) for part in parts}
        strange = [part for part in parts if not targets[part].is_relative_to(whole)]
        own += [] if strange else [name]
        links |= {part: targets[part] for part in strange[:1]}
    for link, target in links.items():
        tell(
            f"{printable(str(link))} stays out: it is a link out of the course, to "
            f"{printable(str(target))}. To hand it in, copy what is there in its place."
        )
    return own


def _most_needed_first(tree: Path, names: Sequence[str]) -> list[str]:
    """Exercises, the notebooks of the course, the runs that the catalogue names, others, and the
    newest runs."""
    cited: set[str] = set()
    with suppress(ValueError, OSError):
        entries = read_entries(read_text(tree / CATALOGUE))
        cited = {f"runs/{run}.json" for entry in entries for run in (entry.run, entry.tried)}
    shipped = {f"work/{file.name}" for file in (tree / "notebooks").glob("*.ipynb")}
    runs = {f"runs/{file.name}": place for place, file in enumerate(list_runs(tree / "runs"))}

    def rank(name: str) -> tuple[int, int]:
        if not name.startswith(("work/", "runs/")) or name in shipped:
            return 0, 0
        return (1, 0) if name in cited else (2, runs.get(name, -1))

    return sorted(names, key=rank)


def _most_bytes(name: str) -> int:
    if name == CATALOGUE:
        return MAX_CATALOGUE_BYTES
    folders = {"work": MAX_NOTEBOOK_BYTES, "runs": MAX_RUN_BYTES}
    return folders.get(name.partition("/")[0], MAX_SOURCE_BYTES)


def _as_read(file: Path, most: int, tell: Tell) -> bytes:
    """The content of a file. That of a notebook that is too long is without pictures and outputs.

    Raises:
        ValueError: the grader would not read it.
    """
    size = file.stat().st_size
    content = read_at_most(file, MAX_BYTES) if size <= MAX_BYTES else b""
    if size > most and file.suffix == ".ipynb":
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            content = _without_outputs(content)
            if len(content) <= most:
                tell(
                    f"{file.name} is in the zip without outputs and pictures: it has "
                    f"{size / _MIB:.1f} MiB, and the grader reads {most // _MIB}."
                )
                return content
    if size > most:
        raise ValueError(f"it has {size / _MIB:.1f} MiB, and the grader reads {most // _MIB}.")
    return content


def _without_outputs(content: bytes) -> bytes:
    notebook = load_json(content.decode("utf-8-sig"))
    for cell in notebook["cells"]:
        cell.pop("attachments", None)
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _in_utf8(name: str) -> str:
    """A file's name that an archive can store; one that is not UTF-8 comes from an older zip."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("latin-1")
    return name
