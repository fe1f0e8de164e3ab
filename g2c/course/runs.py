"""The recorded runs, one JSON file each in `runs/`.

A given name is looked up among the existing files, and never made into a path. So it cannot lead
anywhere else.
"""

from __future__ import annotations

import itertools
import os
import re
import textwrap
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from g2c.clocks import not_after
from g2c.course.errors import import_students
from g2c.paths import project_root
from g2c.text import named_reason

MAX_RUN_BYTES = 5 * 2**20
"""A run of a hundred steps with observations of 4,000 characters takes a tenth of this."""

SECOND = len("20260101-120000")
"""The length of the time in a name."""
_SECOND = re.compile(r"\d{8}-\d{6}")
_SECOND_FORMAT = "%Y%m%d-%H%M%S"

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult


def runs_dir() -> Path:
    """The folder of the recorded runs; it is made when the first is saved."""
    return project_root() / "runs"


def save_run(result: AgentRunResult, *, now: datetime | None = None) -> Path:
    """Write a run to a new file, named for the time in UTC and for the question.

    Raises:
        TypeError: a tool's arguments or the metadata hold something that JSON cannot.
    """
    time = (now or datetime.now(UTC)).astimezone(UTC)
    name = f"{time:{_SECOND_FORMAT}}-{_slug(result.user_message)}"
    folder = runs_dir()
    folder.mkdir(parents=True, exist_ok=True)
    for number in itertools.count(1):
        path = folder / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        try:
            path.touch(exist_ok=False)  # reserves the name even if two save at once
        except FileExistsError:
            continue
        break
    try:
        result.save(path)
    except BaseException:
        path.unlink()
        raise
    return path


def list_runs(folder: Path | None = None) -> list[Path]:
    """The files of the recorded runs in `folder`, newest first; links do not count."""
    files = (folder or runs_dir()).glob("*.json")
    own = (file for file in files if file.is_file() and not file.is_symlink())
    return newest_first(own)


def newest_first(files: Iterable[Path], now: datetime | None = None) -> list[Path]:
    """Files whose names begin with the second of their time. Within a second, the order is that in
    which they were written, and after a copy that of the numbers at the end of their names.

    A name that lies in the future comes from a clock that was ahead. Such a file counts as written
    when it is first seen, and its time of change keeps that, so that what follows is newer.
    """

    def age(file: Path) -> tuple[str, str, int, int, str]:
        name, status = file.name.partition(".")[0], file.stat()
        number = re.search(r"-(\d{1,9})$", name[SECOND:])
        order = status.st_mtime_ns, int(number[1]) if number else 1
        return began_at(file, now), name[:SECOND], *order, name

    return sorted(files, key=age, reverse=True)


def began_at(file: Path, now: datetime | None = None) -> str:
    """The second at which a file's name begins, by a clock that was right: see `newest_first`."""
    second = file.name.partition(".")[0][:SECOND]
    if not _SECOND.fullmatch(second):
        return second
    latest, written = (now or datetime.now(UTC)).timestamp(), file.stat().st_mtime
    if second > _second_of(latest) and written > latest:
        with suppress(OSError):  # in a folder that can only be read
            os.utime(file, (latest, latest))
    return min(second, _second_of(not_after(written, latest)))


def _second_of(time: float) -> str:
    return f"{datetime.fromtimestamp(time, UTC):{_SECOND_FORMAT}}"


def find_run(name: str) -> Path:
    """The run of that name, or of the only name that begins so; `last`, or a number of the list.

    The path of a file in the runs' folder is taken, too, since a shell completes it.

    Raises:
        ValueError: there is no such run, or more than one.
    """
    runs = list_runs()
    if not runs:
        raise ValueError("No run is recorded yet; g2c chat records each run.")
    if name == "last":
        return runs[0]
    if name.isdecimal() and 1 <= int(name) <= len(runs):
        return runs[int(name) - 1]
    if Path(name).name != name:
        if Path(name).resolve().parent != runs_dir().resolve():
            raise ValueError(f"{name!r} is not in {runs_dir()}, where the recorded runs are.")
        name = Path(name).name
    name = name.removesuffix(".json")
    exact = [run for run in runs if run.stem == name]
    found = exact or [run for run in runs if name and run.stem.startswith(name)]
    if not found:
        raise ValueError(f"There is no run {name!r}; g2c runs lists those that there are.")
    if len(found) > 1:
        raise ValueError(f"{len(found)} runs begin with {name!r}; write more of the name.")
    return found[0]


def read_run(path: Path) -> AgentRunResult:
    """The run in that file.

    Raises:
        ValueError: it holds no run, or more than `MAX_RUN_BYTES`; the message says what is wrong
            with it. Or a file of `g2c.agent` cannot be imported.
    """
    import_students("g2c.agent")
    from g2c.agent import AgentError, AgentRunResult

    if path.stat().st_size > MAX_RUN_BYTES:
        raise ValueError(f"{path} is larger than {MAX_RUN_BYTES:,} bytes, and was not read.")
    try:
        result = AgentRunResult.load(path)
        result.to_markdown()  # fails on a value of the wrong type
    except AgentError as error:
        raise ValueError(str(error)) from error
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{path} is not a recorded run ({named_reason(error)}).") from (error)
    return result


def read_transcript(path: Path) -> str:
    """The run in that file as Markdown that can be printed. A lone surrogate, which a model's JSON
    may have, becomes a question mark.

    Raises:
        ValueError: as `read_run`.
    """
    return read_run(path).to_markdown().encode("utf-8", "replace").decode("utf-8")


def _slug(question: str) -> str:
    """The question's first words as a part of a file's name.

    >>> _slug("When is the meeting in meeting.txt?"), _slug("?")
    ('when-is-the', 'run')
    """
    words = re.sub("[^a-z0-9]+", "-", question.lower()).strip("-")
    return textwrap.shorten(words.replace("-", " "), 14, placeholder="").replace(" ", "-") or "run"
