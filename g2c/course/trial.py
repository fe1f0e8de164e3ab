"""Running tests on a student's files: in a fresh copy of this course, in a process with limits.

The idea to take away: a process that runs somebody else's code is asked for nothing but what it
saw. The copy, the tests, the limits and the time are the grader's, and the copy is thrown away.
"""

from __future__ import annotations

import math
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import IO

from g2c.course.outcomes import TestRun
from g2c.course.running import all_tests, read_events
from g2c.exercise import REFERENCE_VARIABLE
from g2c.tools.limits import how_it_ended, private_environment, read_ends, run_limited

COURSE = Path(__file__).resolve().parents[2]
"""The checkout that the grader runs from, whatever `G2C_ROOT` says."""

_PYTEST = ["-s", "-X", "utf8", "-m", "pytest", "-q", "--no-summary", "-p", "no:cacheprovider"]


@dataclass(frozen=True)
class Limits:
    """For each process that runs a student's code: seconds, and mebibytes of address space."""

    seconds: float = 60.0
    memory_mb: int = 1024


def run_trial(
    tests: Iterable[str],
    files: Mapping[str, bytes],
    without: Iterable[str],
    *,
    reference: str,
    limits: Limits,
) -> TestRun:
    """Run `tests` in a copy of this course.

    `files` take the place of the course's own, and those named in `without` are taken away; their
    names are relative to the course. `reference` is what `G2C_REFERENCE` is set to. What stopped
    the run, if anything did, is its `trouble`.
    """
    with (
        tempfile.TemporaryDirectory(prefix="g2c-grade-", ignore_cleanup_errors=True) as name,
        tempfile.TemporaryFile() as output,
    ):
        folder = Path(name).resolve()
        course, home = folder / "course", folder / "home"
        report = folder / f"{secrets.token_hex(8)}.jsonl"  # whoever writes to it has looked for it
        home.mkdir()
        _copy_course(course)
        for path, content in files.items():
            (course / path).write_bytes(content)
        for path in without:
            (course / path).unlink(missing_ok=True)
        reporting = ["-p", "g2c.course.reporting", "--report-to", str(report)]
        status = run_limited(
            [*_PYTEST, *reporting, *tests],
            timeout=limits.seconds,
            limits={
                "RLIMIT_AS": limits.memory_mb * 2**20,
                "RLIMIT_CPU": math.ceil(limits.seconds) + 1,
                "RLIMIT_FSIZE": 16 * 2**20,
                "RLIMIT_CORE": 0,
            },
            folder=course,
            environment={**private_environment(home), REFERENCE_VARIABLE: reference},
            output=output,
        )
        run = _read_report(report)
        if run.trouble or (run.collected and len(run.outcomes) >= len(run.collected)):
            return run
        return replace(run, trouble=_what_stopped(status, limits, run, output, course))


def _copy_course(to: Path) -> None:
    """What the tests need of this course: without what was compiled, and its own tests."""
    not_copied = shutil.ignore_patterns("__pycache__")
    shutil.copytree(COURSE / "g2c", to / "g2c", ignore=not_copied)
    for name in ("pyproject.toml", *all_tests()):
        (to / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(COURSE / name, to / name)


def _read_report(file: Path) -> TestRun:
    """What the process told. The student's code ran in it, so it may tell anything."""
    if file.is_symlink() or not file.is_file():
        return TestRun()
    try:
        run = read_events(file.read_text("utf-8", "replace"))
        texts = [run.trouble, *run.collected, *(t for o in run.outcomes for t in astuple(o))]
        if all(isinstance(text, str) for text in texts):
            return run
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    return TestRun(trouble="The process left a report that cannot be read.")


def _what_stopped(
    status: int | None, limits: Limits, run: TestRun, output: IO[bytes], course: Path
) -> str:
    how = how_it_ended(status, limits.seconds)
    if run.outcomes:
        return f"{len(run.outcomes)} of {len(run.collected)} tests were run: the process {how}."
    said = read_ends(output, 2000).replace(f"{course}{os.sep}", "").strip()
    return f"No test was run: the process {how}.\n{said}".strip()
