"""The test runs on a student's functions, and the results that count.

An exercise is graded by its own run. The references replace the exercises in other files, and its
own reference is deleted. Starting a run is most of its time, so exercises whose tests call no other
exercise share a run first. One that passes there, or is not started, would do so alone, too. Each
of the rest is run again alone, so that no exercise suffers from another function.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from g2c.classroom.sandbox import Conditions, SandboxRun, run_in_sandbox
from g2c.course.check.results import Run, TestResult, TestRun
from g2c.course.manifest import Exercise, load_exercises


@dataclass(frozen=True)
class Written:
    """An exercise, and the content of the student's file."""

    exercise: Exercise
    content: bytes


def run_each(
    written: Sequence[Written],
    expected: TestRun,
    conditions: Conditions,
    alone: Collection[str] = (),
) -> dict[str, SandboxRun]:
    """The results that count for each exercise, by its id. `expected` is the run of all their tests
    on the reference. The files named in `alone` share no run."""
    runs: dict[str, SandboxRun] = {}
    sharing = [
        submitted
        for submitted in written
        if submitted.exercise.file not in alone and _may_share(submitted.exercise, expected)
    ]
    for _, group in groupby(sharing, lambda submitted: submitted.exercise.module):
        runs |= _shared([*group], expected, conditions)
    for submitted in written:
        if submitted.exercise.id not in runs:
            its = expected.of_classes(submitted.exercise.tests)
            runs[submitted.exercise.id] = restrict_to_expected(_run([submitted], conditions), its)
    return runs


def run_between(
    files: Mapping[str, bytes], skipped: Collection[str], expected: TestRun, conditions: Conditions
) -> SandboxRun:
    """The counting results of the tests that call several exercises, on all of the student's
    functions. `files` are the student's; the reference replaces skipped exercises."""
    between = [result for result in expected.results if len(result.used.split()) > 1]
    if not between:
        return SandboxRun()
    ran = run_in_sandbox(
        dict.fromkeys(result.test.partition("[")[0] for result in between),
        files,
        [exercise.solution_file for exercise in load_exercises() if exercise.id not in skipped],
        reference=",".join(skipped),
        conditions=conditions,
    )
    return restrict_to_expected(
        ran, TestRun(tuple(result.test for result in between), tuple(between))
    )


def as_together(
    runs: Iterable[TestRun], between: TestRun, expected: TestRun
) -> tuple[TestResult, ...]:
    """The results of all tests on the student's functions together: those of `between` and, for
    tests that call one exercise, those of its own run."""
    kept = {result.test: result for run in runs for result in run.results}
    for result in expected.results:
        if len(result.used.split()) > 1:
            kept.pop(result.test, None)
    kept |= {result.test: result for result in between.results}
    return tuple(kept[test] for test in expected.collected if test in kept)


def restrict_to_expected(run: Run, expected: TestRun) -> Run:
    """The results of a run that count: those of the tests in `expected`, a run on the reference,
    each once.

    A test that failed once has failed. A skip is a failure if the reference was not skipped.
    """
    may_skip = {result.test for result in expected.results if result.kind == "skipped"}
    kept: dict[str, TestResult] = {}
    for result in run.results:
        if result.kind == "skipped" and result.test not in may_skip:
            result = replace(result, kind="failed", says=f"skipped: {result.says}")
        if result.test not in kept or kept[result.test].passed:
            kept[result.test] = result
    results = tuple(kept[test] for test in expected.collected if test in kept)
    return replace(run, collected=expected.collected, results=results)


def _may_share(exercise: Exercise, expected: TestRun) -> bool:
    """Whether its tests call no other exercise, and take no long time."""
    results = expected.of_classes(exercise.tests).results
    return not exercise.has_goal and all(result.used in ("", exercise.id) for result in results)


def _shared(
    group: Sequence[Written], expected: TestRun, conditions: Conditions
) -> dict[str, SandboxRun]:
    """One run of these exercises together; the results, by id, of those that it settles."""
    if len(group) < 2:
        return {}
    ran = _run(group, conditions)
    if ran.trouble or ran.forged or ran.cut_short:
        return {}
    parts = {}
    for submitted in group:
        its = expected.of_classes(submitted.exercise.tests)
        part = restrict_to_expected(SandboxRun(results=ran.results), its)
        if _is_settled(part, submitted.exercise.id):
            parts[submitted.exercise.id] = part
    return parts


def _is_settled(part: TestRun, exercise_id: str) -> bool:
    return len(part.results) == len(part.collected) and all(
        result.used in ("", exercise_id) and (result.passed or result.is_unwritten(exercise_id))
        for result in part.results
    )


def _run(group: Sequence[Written], conditions: Conditions) -> SandboxRun:
    files = {submitted.exercise.file: submitted.content for submitted in group}
    return run_in_sandbox(
        [test for submitted in group for test in submitted.exercise.test_ids],
        files,
        [submitted.exercise.solution_file for submitted in group],
        reference=",".join(
            exercise.id for exercise in load_exercises() if exercise.file not in files
        ),
        conditions=conditions,
    )
