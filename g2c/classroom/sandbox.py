"""Running tests on a student's files: in a fresh copy of this course, in a process with limits.

The copy, the tests, the limits and the clock are the grader's. Only a report of the tests comes
from the process, and the copy is deleted afterwards. docs/instructor.md says what this protects
against, and what not.
"""

import json
import math
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from g2c.classroom.confinement import ENGINES, MAX_PROCESSES, Sees, remove_container, wrapped
from g2c.classroom.course_copy import copy_course, pristine_course
from g2c.classroom.process_supervisor import TOO_LONG, TOO_MUCH
from g2c.classroom.sealed_tests import NO_PLUGINS, PYTEST, sealed_suite, selection
from g2c.classroom.tampering.canaries import Sealed
from g2c.course.bounded import printable, read_at_most
from g2c.course.check.results import TestRun, read_events
from g2c.course.scored import PUBLIC_SEED, SEED_VARIABLE
from g2c.ending import ended_with_its_pool
from g2c.exercise import REFERENCE_VARIABLE
from g2c.foreign_json import load_json
from g2c.tools.limits import (
    MAX_FILE_BYTES,
    describe_exit,
    private_environment,
    read_ends,
    scratch_folder,
)

SUPERVISOR = Path(__file__).with_name("process_supervisor.py")

MAX_DATA_BYTES = 2**20
"""The longest data that a student's function may return."""

_MAX_LINE_CHARS = 2**18
"""The longest line of a report. The names of all tests of the course take a fifth of this."""

_GRACE_S = 10.0
"""Seconds for the supervisor to end by itself, after the time of the process that it watches."""

_OPTIONS = ("-s", "-B", "-X", "utf8")
"""Python's environment: no user packages, no compiled files, UTF-8."""


@dataclass(frozen=True)
class Conditions:
    """The conditions of each process that runs a student's code: seconds, mebibytes of address
    space and of memory with all that it starts, the seed of the tasks of exercises with a goal, and
    the kind of its sandbox, from `confinement.choose`."""

    seconds: float = 60.0
    memory_mb: int = 1024
    seed: int = PUBLIC_SEED
    sandbox: str = "none"


@dataclass(frozen=True)
class SandboxRun(TestRun):
    """A run of tests, with warnings for a person: `forged` are signs that the results are not those
    of the tests, and `cut_short` says that some are missing without a limit as the cause.
    """

    forged: tuple[str, ...] = ()
    cut_short: str = ""


def run_in_sandbox(
    tests: Iterable[str],
    files: Mapping[str, bytes],
    without: Iterable[str],
    *,
    reference: str,
    conditions: Conditions,
) -> SandboxRun:
    """Run `tests` in a copy of this course: files, classes, or functions of classes, as pytest
    names them without their cases.

    `files` replace the course's own, and those named in `without` are deleted; names are relative
    to the course. `reference` is the value of `G2C_REFERENCE`. If the run was stopped, its
    `trouble` says why.
    """
    tests = list(tests)
    sealed = {suite: sealed_suite(suite) for suite in _suites(tests)}
    with scratch_folder() as folder, tempfile.TemporaryFile() as output:
        sees = _prepare(folder, files, without, conditions)
        reporting = ["-p", "g2c.course.check.reporter", "-p", "g2c.classroom.tampering.guard"]
        status = run_confined(
            [
                *(*_OPTIONS, *PYTEST, "--no-summary", *reporting),
                *("--report-to", str(sees.report), *selection(tests)),
            ],
            conditions=conditions,
            sees=sees,
            environment={
                REFERENCE_VARIABLE: reference,
                SEED_VARIABLE: str(conditions.seed),
                **NO_PLUGINS,
            },
            output=output,
        )
        reported, changed = _read_report(sees.report)
        run = unsealed(reported, sealed)
        if changed:
            run = replace(run, forged=(*run.forged, f"It changed {', '.join(changed)}."))
        if run.trouble or (run.collected and len(run.results) >= len(run.collected)):
            return run
        stopped = status in (None, TOO_MUCH) or any(
            result.kind == "too long" for result in run.results
        )
        return replace(
            run,
            trouble=_stop_reason(status, conditions, run, output, sees.folder),
            cut_short="" if stopped else "Tests are missing, and no limit was the cause.",
        )


def _suites(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(test.partition("::")[0] for test in tests))


def unsealed(reported: TestRun, sealed: Mapping[str, Sealed]) -> SandboxRun:
    """The run under the tests' true names, without the canaries."""
    real = {
        f"{suite}::{new}": f"{suite}::{old}"
        for suite, tests in sealed.items()
        for new, old in tests.real.items()
    }
    canaries = {f"{suite}::{name}" for suite, tests in sealed.items() for name in tests.canaries}
    by_suite: dict[str, set[str]] = {suite: set() for suite in sealed}
    for result in reported.results:
        suite, _, name = result.test.partition("::")
        if result.passed and suite in by_suite:
            by_suite[suite].add(name)
    passed = {name for suite, tests in sealed.items() for name in tests.passed(by_suite[suite])}
    named = {*reported.collected, *(result.test for result in reported.results)}
    forged = []
    if passed:
        forged.append(
            f"{len(passed)} of {len(canaries & named)} tests that no function can pass have passed."
        )
    if named - canaries - real.keys():
        forged.append("The report names tests that do not exist.")
    return SandboxRun(
        tuple(real[test] for test in reported.collected if test in real),
        tuple(
            replace(result, test=real[result.test])
            for result in reported.results
            if result.test in real
        ),
        reported.trouble,
        tuple(forged),
    )


def data_from_sandbox(
    arguments: Sequence[str],
    conditions: Conditions,
    *,
    files: Mapping[str, bytes] = MappingProxyType({}),
    without: Collection[str] = (),
    reference: str = "",
    reads: Iterable[Path] = (),
) -> Any:
    """The JSON that a module of this course, run in a copy, writes to a file. The file's name is
    inserted after the first of `arguments`, the module. The process may read `reads` and the copy.
    The rest is as for `run_in_sandbox`.

    Raises:
        ValueError: it wrote no readable data; the message says how it ended.
    """
    with scratch_folder() as folder, tempfile.TemporaryFile() as output:
        if files or without:
            sees = _prepare(folder, files, without, conditions)
        else:  # no student's code runs
            sees = _sees(folder, pristine_course())
        sees = replace(sees, reads=(*sees.reads, *reads))
        report = sees.report
        module, *others = arguments
        status = run_confined(
            ["-B", "-m", module, str(report), *others],
            conditions=conditions,
            sees=sees,
            environment={REFERENCE_VARIABLE: reference},
            output=output,
        )
        if is_unwritten(report):
            raise ValueError(f"The process {describe_end(status, conditions)}.")
        try:
            return load_json(read_at_most(report, MAX_DATA_BYTES))
        except ValueError as error:
            raise ValueError("The process left data that cannot be read.") from error


def _prepare(
    folder: Path, files: Mapping[str, bytes], without: Iterable[str], conditions: Conditions
) -> Sees:
    """A copy of this course with `files`, an empty home, and a place for a report, in `folder`."""
    # Without a sandbox, a student's code could write to the shared files.
    whole = conditions.sandbox != "bwrap"
    placed = copy_course(folder / "course", files, without, whole=whole)
    return _sees(folder, folder / "course", placed)


def _sees(folder: Path, course: Path, placed: tuple[tuple[Path, Path], ...] = ()) -> Sees:
    home = folder / "home"
    home.mkdir()
    # A random name, so that nothing writes to it by accident.
    return Sees(course, home, folder / secrets.token_hex(8), (course,), placed)


def run_confined(
    arguments: Sequence[str],
    *,
    conditions: Conditions,
    sees: Sees,
    environment: Mapping[str, str],
    output: IO[bytes],
) -> int | None:
    """Run this Python with `arguments` in a sandbox that has `sees`, and end all that it started.

    It gets only the variables of `environment`, and no input; its output goes to `output`.
    `sees.report` is empty before.

    Returns:
        The exit code, or minus the signal that ended the process; None if it was stopped.
    """
    own = private_environment(sees.home)
    whole = {**own, **environment}
    memory = conditions.memory_mb * 2**20
    resources = {
        "RLIMIT_AS": memory,
        "RLIMIT_CPU": math.ceil(conditions.seconds) + 1,
        "RLIMIT_FSIZE": MAX_FILE_BYTES,
        "RLIMIT_CORE": 0,
    }
    sees.report.touch()
    command = wrapped(
        conditions.sandbox,
        arguments,
        sees,
        whole,
        memory_mb=conditions.memory_mb,
        seconds=conditions.seconds,
        limits=resources,
    )
    in_container = conditions.sandbox in ENGINES  # the engine's command needs more memory
    task = {
        "command": command,
        "seconds": conditions.seconds,
        "limits": {} if in_container else resources,
        "most_memory": memory,
        "most_processes": MAX_PROCESSES,
        "folder": str(sees.folder),
        "environment": os.environ.copy() if in_container else whole,
        "grader": os.getpid(),
    }
    supervisor = subprocess.Popen(
        [sys.executable, "-I", "-S", str(SUPERVISOR)],
        env=own,
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    try:
        with ended_with_its_pool(supervisor):
            supervisor.communicate(json.dumps(task).encode(), conditions.seconds + _GRACE_S)
        status = supervisor.returncode
    except subprocess.TimeoutExpired:  # it was blocked
        status = TOO_LONG
    finally:
        _end(supervisor)
        if in_container:
            remove_container(conditions.sandbox, sees)
    if status == TOO_LONG:
        return None
    return 128 - status if status > 128 else status


def _end(supervisor: subprocess.Popen[bytes]) -> None:
    """Have the supervisor end its process, and itself."""
    supervisor.terminate()
    if os.name == "posix":
        supervisor.send_signal(signal.SIGCONT)  # a student's code can halt it
    try:
        supervisor.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()


def is_unwritten(report: Path) -> bool:
    """Whether a process's report is empty, or was replaced by something else."""
    return report.is_symlink() or not report.is_file() or not report.stat().st_size


def describe_end(status: int | None, conditions: Conditions) -> str:
    """The result of `run_confined` in words."""
    if status == TOO_MUCH:
        return (
            f"was stopped: it had more than {conditions.memory_mb} MiB of memory with all that it "
            f"started, or more than {MAX_PROCESSES} processes"
        )
    return describe_exit(status, conditions.seconds)


def _read_report(file: Path) -> tuple[TestRun, list[str]]:
    """The reported run, and the changed parts of pytest. The student's code ran in the process, so
    the file may contain anything."""
    if is_unwritten(file):
        return TestRun(), []
    try:
        text = read_at_most(file, MAX_FILE_BYTES).decode("utf-8", "replace")
        if max(map(len, text.splitlines()), default=0) <= _MAX_LINE_CHARS:
            return read_events(text), _changed(text)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    return TestRun(trouble="The process left a report that cannot be read."), []


def _changed(text: str) -> list[str]:
    *_, last = text.splitlines()
    if not last.startswith('{"event": "finished"'):
        return []
    return [printable(str(name))[:100] for name in load_json(last)["changed"]]


def _stop_reason(
    status: int | None, conditions: Conditions, run: TestRun, output: IO[bytes], course: Path
) -> str:
    ended = describe_end(status, conditions)
    if run.results:
        return f"{len(run.results)} of {len(run.collected)} tests were run: the process {ended}."
    printed = printable(read_ends(output, 2000)).replace(f"{course}{os.sep}", "").strip()
    return f"No test was run: the process {ended}.\n{printed}".strip()
