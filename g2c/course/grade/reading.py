"""Reading what a student wrote for a person: the catalogue of failures, and the notebooks.

The files may hold anything, so a process with the limits of a student's code reads them.
`python -m g2c.course.grade.reading REPORT writeup|answers FILE [RUNS]` is that process. It writes
what it found to the file REPORT, as JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from g2c.course.bounded import at_most, printable
from g2c.course.grade.sandbox import COURSE, Conditions, run_confined
from g2c.course.notebook.answers import read_answers
from g2c.course.writeup import CheckedEntry, CheckedWriteup, Entry, check_writeup
from g2c.tools.limits import how_it_ended, scratch_folder

_MOST_CHARS = 500
"""The longest sentence, title or name in a report. A student's line may be of any length."""

_MOST_REPORT_BYTES = 2**20
"""A hundred entries with six sentences each are a third of this."""


def read_writeup(file: Path, runs: Path, conditions: Conditions) -> CheckedWriteup:
    """What the catalogue lacks. An entry has only its title and its run.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    found = _read("writeup", [file, runs], conditions)
    entries = (
        CheckedEntry(Entry(one["title"], one["run"]), tuple(one["lacks"]))
        for one in found["entries"]
    )
    return CheckedWriteup(tuple(entries), tuple(found["lacks"]))


def read_written(notebook: Path, conditions: Conditions) -> set[int]:
    """The numbers of the answers that are written in a notebook.

    Raises:
        ValueError: it cannot be read; the message says why.
    """
    return set(_read("answers", [notebook], conditions)["written"])


def _read(what: str, files: list[Path], conditions: Conditions) -> Any:
    with scratch_folder() as folder, tempfile.TemporaryFile() as output:
        report = folder / "report.json"
        arguments = ["-m", __name__, str(report), what, *map(str, files)]
        status = run_confined(
            arguments,
            conditions=conditions,
            folder=COURSE,
            home=folder,
            environment={},
            output=output,
        )
        if not report.exists():
            how = how_it_ended(status, conditions.seconds)
            raise ValueError(f"{files[0]} could not be read: the process that read it {how}.")
        found = json.loads(at_most(report, _MOST_REPORT_BYTES).read_bytes())
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
                        "title": _short(one.entry.title),
                        "run": _short(one.entry.run),
                        "lacks": [_short(sentence) for sentence in one.lacks],
                    }
                    for one in checked.entries
                ],
                "lacks": [_short(sentence) for sentence in checked.lacks],
            }
        else:
            found = {"written": [n for n, text in read_answers(files[0]).items() if text]}
    except (ValueError, OSError) as error:
        found = {"trouble": _short(str(error))}
    text = json.dumps(found)
    whole = Path(report).with_suffix(".part")
    whole.write_text(text, "utf-8")
    whole.rename(report)  # so a report that is there is complete


def _short(text: str) -> str:
    return printable(text)[:_MOST_CHARS]


if __name__ == "__main__":
    main()
