"""The student's progress: the result of each exercise's tests, from really running them.

The results of a module's tests are cached with a digest of all that they depend on. So asking twice
costs one run, and after a save only tests that may be affected run again. Since the key is the
content, a result cannot be out of date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from g2c.course.check.results import TestRun
from g2c.course.check.worker import run_each
from g2c.course.manifest import Exercise, all_suites, exercises_up_to, load_exercises
from g2c.course.scored.kept import own_file
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.foreign_json import load_json
from g2c.json_files import keep_json
from g2c.paths import project_root, state_dir


@dataclass(frozen=True)
class Standing:
    """One exercise, its part of the run, whether the student has begun it, and whether the
    reference replaces it."""

    exercise: Exercise
    run: TestRun
    is_started: bool
    handed_back: bool = False

    @property
    def is_done(self) -> bool:
        """Whether the student may go on."""
        return self.handed_back or self.run.passed

    @property
    def broken(self) -> str:
        """Why its file cannot be imported; empty if it can."""
        own = (one for one in self.run.failures if one.about == self.exercise.id)
        return next((one.says for one in own if one.kind == "broken"), "")

    @property
    def words(self) -> str:
        """The exercise's state in words."""
        if self.handed_back:
            return "handed back"
        if self.broken:
            return "cannot be imported"
        if self.run.passed:
            return "passing"
        if not self.run.collected:
            return "not run"
        if not self.is_started:
            return "not started"
        if not self.run.failures:
            return "cut short"  # the cause is shown beside it
        if any(one.kind == "too long" for one in self.run.failures):
            return "takes too long"
        if self.run.was_stopped:
            return "ended its tests"
        failing = len(self.run.collected) - self.run.n_passed
        return f"failing {failing} of {len(self.run.collected)}"


def standing_of(exercise: Exercise, run: TestRun) -> Standing:
    """The exercise's part of `run`, which has just ended."""
    is_handed_back = is_requested(exercise.id, requested_references())
    return Standing(exercise, run.of(exercise.tests), not is_stub(exercise), is_handed_back)


def tests_up_to(exercise: Exercise) -> list[str]:
    """The tests of an exercise and of those before it in its module, on which it may depend."""
    return [test for one in exercises_up_to(exercise) for test in one.test_ids]


def standings_up_to(exercise: Exercise, run: TestRun) -> list[Standing]:
    """The parts of `run`, which has just ended, for the module's exercises up to this one."""
    return [standing_of(one, run) for one in exercises_up_to(exercise)]


def current_standings(exercises: Sequence[Exercise]) -> list[Standing]:
    """The state of each of these exercises with the current files."""
    runs = current_runs(exercises)
    return [standing_of(exercise, runs.get(exercise.suite, TestRun())) for exercise in exercises]


def standings_to_next(exercises: Sequence[Exercise]) -> list[Standing]:
    """The states of these exercises, up to the first that is still a stub. The first that is not
    done is among them, so the tests of later modules need not run."""
    references = requested_references()
    stubs = (is_stub(one) and not is_requested(one.id, references) for one in exercises)
    first = next((place for place, stub in enumerate(stubs) if stub), len(exercises))
    return current_standings(exercises[: first + 1])


def next_standing(all_standings: Iterable[Standing]) -> Standing | None:
    """The first exercise that is not done, or None."""
    return next((standing for standing in all_standings if not standing.is_done), None)


def current_runs(exercises: Sequence[Exercise]) -> dict[str, TestRun]:
    """The results of each test file of these exercises, on the current files: cached ones, and a
    run of the rest. If a file's exercises were all handed back, it is left out. A run in which a
    test was stopped is not cached: on a machine that is less busy, it may end."""
    root, references = project_root(), requested_references()
    cached = _read_cache(state_dir() / "results.json")
    shared = _shared_digest(root, references)
    suites = {e.suite for e in exercises if not is_requested(e.id, references)}
    keys = {suite: _key(root, suite, shared, cached.get(suite)) for suite in sorted(suites)}
    stale = [suite for suite, key in keys.items() if suite not in cached or cached[suite][0] != key]
    for suite, run in zip(stale, run_each(stale), strict=True):
        cached[suite] = (_key(root, suite, shared, ("", run)), run)
    if stale:
        data = {
            suite: {"key": key, "run": run.to_data()}
            for suite, (key, run) in cached.items()
            if not run.was_stopped
        }
        keep_json(state_dir() / "results.json", data)
    return {suite: cached[suite][1] for suite in keys}


CachedRun = tuple[str, TestRun]
"""The digest of what a run depended on, and the run."""


def _read_cache(file: Path) -> dict[str, CachedRun]:
    """The cached results of each test file. An unreadable cache counts as empty."""
    try:
        data = load_json(file.read_text("utf-8"))
        return {suite: (one["key"], TestRun.from_data(one["run"])) for suite, one in data.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _key(root: Path, suite: str, shared: str, cached: CachedRun | None) -> str:
    """A digest of what the tests in `suite` depend on: the shared files, these tests, the files of
    their module's exercises, and those of other exercises that they called in their last run; and
    the stored scores, if one of the exercises is judged by a score."""
    called = (
        {name for result in cached[1].results for name in result.used.split()} if cached else ()
    )
    names = {e.file for e in load_exercises() if e.suite == suite or e.id in called}
    scores = [own_file()] if any(e.goal and e.suite == suite for e in load_exercises()) else []
    return _digest(root, [root / suite, *(root / name for name in sorted(names)), *scores], shared)


def _shared_digest(root: Path, references: str) -> str:
    """A digest of the package without the exercises, the tests' shared files, and the references in
    use."""
    own = {root / exercise.file for exercise in load_exercises()}
    suites = {root / suite for suite in all_suites()}
    files = [*root.glob("g2c/**/*.py"), *root.glob("g2c/**/*.toml"), *root.glob("tests/*.py")]
    files += root.glob("g2c/**/*.json")
    return _digest(root, sorted(set(files) - own - suites), references)


def _digest(root: Path, files: Iterable[Path], beginning: str) -> str:
    sum_ = hashlib.sha256(beginning.encode())
    for file in files:
        sum_.update(f"\0{file.relative_to(root)}\0".encode())
        sum_.update(file.read_bytes() if file.exists() else b"")
    return sum_.hexdigest()
