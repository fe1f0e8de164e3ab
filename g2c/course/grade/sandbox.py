"""Running tests on a student's files: in a fresh copy of this course, in a process with limits.

The copy, the tests, the limits and the clock are the grader's. From the process comes only a report
of its tests, and the copy is deleted afterwards. docs/instructor.md says what this protects from,
and what not.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from g2c.course.bounded import at_most, printable
from g2c.course.check.results import TestRun, read_events
from g2c.course.goals import PUBLIC_SEED, SEED_VARIABLE
from g2c.course.grade.warden import TOO_LONG
from g2c.exercise import REFERENCE_VARIABLE
from g2c.tools.limits import how_it_ended, private_environment, read_ends, scratch_folder

COURSE = Path(__file__).resolve().parents[3]
"""The checkout that the grader runs from, whatever `G2C_ROOT` says."""

WARDEN = Path(__file__).with_name("warden.py")

MOST_FILE_BYTES = 16 * 2**20
"""The longest file that a student's process can write, its report and what it prints among them."""

MOST_DATA_BYTES = 2**20
"""The longest data that a student's function may be asked for."""

_MOST_LINE_CHARS = 2**18
"""The longest line of a report. The names of all tests of the course are a fifth of this."""

_GRACE_S = 10.0
"""Seconds for the warden to end by itself, after the time of the process that it watches."""

_PYTEST = ["-s", "-B", "-X", "utf8", "-m", "pytest", "-q", "--no-summary", "-p", "no:cacheprovider"]


@dataclass(frozen=True)
class Conditions:
    """What holds for each process that runs a student's code: seconds, mebibytes of address space,
    and the seed of the tasks on which an exercise with a goal is measured."""

    seconds: float = 60.0
    memory_mb: int = 1024
    seed: int = PUBLIC_SEED


def run_in_sandbox(
    tests: Iterable[str],
    files: Mapping[str, bytes],
    without: Iterable[str],
    *,
    reference: str,
    conditions: Conditions,
) -> TestRun:
    """Run `tests` in a copy of this course.

    `files` replace the course's own, and those named in `without` are deleted; names are relative
    to the course. `reference` is what `G2C_REFERENCE` is set to. If something stopped the run, its
    `trouble` says what.
    """
    with scratch_folder() as folder, tempfile.TemporaryFile() as output:
        course, home = _prepare(folder, files, without)
        report = folder / f"{secrets.token_hex(8)}.jsonl"  # so nobody writes to it by accident
        reporting = ["-p", "g2c.course.check.reporter", "--report-to", str(report)]
        status = run_confined(
            [*_PYTEST, *reporting, *tests],
            conditions=conditions,
            folder=course,
            home=home,
            environment={REFERENCE_VARIABLE: reference, SEED_VARIABLE: str(conditions.seed)},
            output=output,
        )
        run = _read_report(report)
        if run.trouble or (run.collected and len(run.results) >= len(run.collected)):
            return run
        return replace(run, trouble=_what_stopped(status, conditions, run, output, course))


def data_from_sandbox(
    arguments: Sequence[str],
    files: Mapping[str, bytes],
    without: Iterable[str],
    *,
    reference: str,
    conditions: Conditions,
) -> Any:
    """What a module of this course, run in a copy of it, writes to a file as JSON. The file's name
    is put in after the first of `arguments`, the module. The rest is as for `run_in_sandbox`.

    Raises:
        ValueError: it wrote nothing that can be read; the message says how it ended.
    """
    with scratch_folder() as folder, tempfile.TemporaryFile() as output:
        course, home = _prepare(folder, files, without)
        report = folder / f"{secrets.token_hex(8)}.json"
        module, *others = arguments
        status = run_confined(
            ["-B", "-m", module, str(report), *others],
            conditions=conditions,
            folder=course,
            home=home,
            environment={REFERENCE_VARIABLE: reference},
            output=output,
        )
        if report.is_symlink() or not report.is_file():
            raise ValueError(f"The process {how_it_ended(status, conditions.seconds)}.")
        try:
            return json.loads(at_most(report, MOST_DATA_BYTES).read_bytes())
        except (ValueError, RecursionError) as error:
            raise ValueError("The process left data that cannot be read.") from error


def _prepare(folder: Path, files: Mapping[str, bytes], without: Iterable[str]) -> tuple[Path, Path]:
    """A copy of this course with `files`, and an empty home, in `folder`."""
    course, home = folder / "course", folder / "home"
    home.mkdir()
    _copy_course(course)
    for path, content in files.items():
        (course / path).write_bytes(content)
    for path in without:
        (course / path).unlink(missing_ok=True)
    return course, home


def run_confined(
    arguments: Sequence[str],
    *,
    conditions: Conditions,
    folder: Path,
    home: Path,
    environment: Mapping[str, str],
    output: IO[bytes],
) -> int | None:
    """Run this Python with `arguments` in `folder`, and end all that it started.

    It has `environment`, its home is `home`, and it has nothing else of the grader's environment.
    It reads nothing, and all that it prints goes to `output`.

    Returns:
        The exit code, or minus the signal that ended the process; None if it was stopped.
    """
    own = private_environment(home)
    task = {
        "arguments": arguments,
        "seconds": conditions.seconds,
        "limits": {
            "RLIMIT_AS": conditions.memory_mb * 2**20,
            "RLIMIT_CPU": math.ceil(conditions.seconds) + 1,
            "RLIMIT_FSIZE": MOST_FILE_BYTES,
            "RLIMIT_CORE": 0,
        },
        "folder": str(folder),
        "environment": {**own, **environment},
        "grader": os.getpid(),
    }
    warden = subprocess.Popen(
        [sys.executable, "-I", "-S", str(WARDEN)],
        env=own,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    try:
        warden.communicate(json.dumps(task).encode(), conditions.seconds + _GRACE_S)
        status = warden.returncode
    except subprocess.TimeoutExpired:  # somebody held it up
        status = TOO_LONG
    finally:
        _end(warden)
    if status == TOO_LONG:
        return None
    return 128 - status if status > 128 else status


def _end(warden: subprocess.Popen[bytes]) -> None:
    """Have the warden end what it watches, and itself."""
    warden.terminate()
    if os.name == "posix":
        warden.send_signal(signal.SIGCONT)  # a student's code can halt it
    try:
        warden.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        warden.kill()
        warden.wait()


def _copy_course(to: Path) -> None:
    """What the student's tests need of this course, without compiled files."""
    not_copied = shutil.ignore_patterns("__pycache__")
    shutil.copytree(COURSE / "g2c", to / "g2c", ignore=not_copied)
    shutil.copyfile(COURSE / "pyproject.toml", to / "pyproject.toml")
    (to / "tests").mkdir()
    for file in (COURSE / "tests").glob("*.py"):
        shutil.copyfile(file, to / "tests" / file.name)


def _read_report(file: Path) -> TestRun:
    """What the process reported. The student's code ran in it, so the file may hold anything."""
    if file.is_symlink() or not file.is_file():
        return TestRun()
    try:
        text = at_most(file, MOST_FILE_BYTES).read_text("utf-8", "replace")
        if max(map(len, text.splitlines()), default=0) <= _MOST_LINE_CHARS:
            return read_events(text)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    return TestRun(trouble="The process left a report that cannot be read.")


def _what_stopped(
    status: int | None, conditions: Conditions, run: TestRun, output: IO[bytes], course: Path
) -> str:
    how = how_it_ended(status, conditions.seconds)
    if run.results:
        return f"{len(run.results)} of {len(run.collected)} tests were run: the process {how}."
    printed = printable(read_ends(output, 2000)).replace(f"{course}{os.sep}", "").strip()
    return f"No test was run: the process {how}.\n{printed}".strip()
