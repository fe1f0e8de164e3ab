"""Reads a student's files: the catalogue of failures, the notebooks, and the code.

The files may contain anything, so a process with the limits of a student's code reads them:
`python -m g2c.classroom.reader REPORT writeup|answers|uses FILE...`. It writes what it found to the
file REPORT, as JSON.
"""

import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from g2c.classroom.confinement import COURSE
from g2c.classroom.sandbox import Conditions, data_from_sandbox
from g2c.classroom.uses import uses_of
from g2c.course.answers import find_answers
from g2c.course.bounded import printable
from g2c.course.manifest import load_exercises
from g2c.course.writeup import CheckedEntry, CheckedWriteup, Entry, check_writeup
from g2c.files import read_bytes, read_text
from g2c.text import reason_of
from g2c.written import code_written

_MAX_CHARS = 500
"""The longest sentence, title or name in a report. A student's line may be of any length."""

MAX_USES = 20
"""The most places in a file that are listed."""


def read_writeup(file: Path, runs: Path, conditions: Conditions) -> CheckedWriteup:
    """The gaps of the catalogue in `file`. An entry has only its title and its run.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    found = _read("writeup", [file, runs], conditions)
    entries = (
        CheckedEntry(Entry(entry["title"], entry["run"]), tuple(entry["lacks"]))
        for entry in found["entries"]
    )
    return CheckedWriteup(tuple(entries), tuple(found["lacks"]))


def read_written(notebook: Path, conditions: Conditions) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the answers that are written in a notebook, and of those for which there is
    only what may be one.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    found = _read("answers", [notebook], conditions)
    return tuple(found["written"]), tuple(found["unsure"])


def read_uses(files: Mapping[str, Path], conditions: Conditions) -> dict[str, tuple[str, ...]]:
    """The modules and names that each exercise's file uses and the reference does not need, by the
    file's name.

    Raises:
        ValueError: they cannot be read; the message says why.
    """
    if not files:
        return {}
    found = _read("uses", list(files.values()), conditions)["uses"]
    return {
        name: tuple(f"line {line}: {what}" for line, what in uses if what not in _needed(name))
        for name, uses in zip(files, found, strict=True)
    }


@cache
def _needed(name: str) -> frozenset[str]:
    """The things that the reference of an exercise's file uses."""
    solution = next(
        exercise.solution_file for exercise in load_exercises() if exercise.file == name
    )
    return frozenset(what for _, what in uses_of(read_text(COURSE / solution)))


def _read(what: str, files: list[Path], conditions: Conditions) -> Any:
    files = [file.resolve() for file in files]
    try:
        arguments = [__name__, what, *map(str, files)]
        found = data_from_sandbox(arguments, conditions, reads=files)
    except ValueError as error:
        raise ValueError(f"{files[0]} could not be read. {error}") from None
    if sentence := found.get("trouble"):
        raise ValueError(sentence)
    return found


def main() -> None:
    report, what, *names = sys.argv[1:]
    files = [Path(name) for name in names]
    found: dict[str, Any]
    try:
        if what == "writeup":
            checked = check_writeup(*files)
            found = {
                "entries": [
                    {
                        "title": _short(entry.entry.title),
                        "run": _short(entry.entry.run),
                        "lacks": [_short(sentence) for sentence in entry.lacks],
                    }
                    for entry in checked.entries
                ],
                "lacks": [_short(sentence) for sentence in checked.lacks],
            }
        elif what == "uses":
            found = {"uses": [_short_uses(file) for file in files]}
        else:
            answers = find_answers(files[0])
            found = {
                "written": [number for number, answer in answers.items() if answer.text],
                "unsure": [n for n, answer in answers.items() if answer.unsure and not answer.text],
            }
    except (ValueError, OSError) as error:
        found = {"trouble": _short(reason_of(error))}
    Path(report).write_text(json.dumps(found), "utf-8")


def _short_uses(file: Path) -> list[tuple[int, str]]:
    try:
        uses = uses_of(code_written(read_bytes(file)).text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # it cannot be imported, and its tests say so
    return [(line, _short(what)) for line, what in sorted(uses)][:MAX_USES]


def _short(text: str) -> str:
    return printable(text)[:_MAX_CHARS]


if __name__ == "__main__":
    main()
