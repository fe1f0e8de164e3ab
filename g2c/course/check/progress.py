"""The student's progress: the result of each exercise's tests, from really running them.

The results of a module's tests are cached with a digest of all that they depend on. So asking twice
costs one run, and after a save only classes of tests that may be affected run again. The key is the
content of what a student edits, and for the course's own files the time of their last change.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from g2c.course.check.results import TestRun
from g2c.course.manifest import Exercise, all_suites, exercises_up_to, load_exercises, needed_by
from g2c.course.scored.kept import own_file
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.files import read_bytes, read_text, stamp_of
from g2c.foreign_json import load_json
from g2c.json_files import keep_json
from g2c.kept import Known, key_of, key_of_code
from g2c.paths import project_root, state_dir


@dataclass(frozen=True)
class Standing:
    """One exercise, its part of the run, whether the student has begun it, and whether the
    reference replaces it."""

    exercise: Exercise
    run: TestRun
    is_started: bool
    is_skipped: bool = False

    @property
    def is_done(self) -> bool:
        """Whether the student may go on."""
        return self.is_skipped or self.run.passed

    @property
    def broken(self) -> str:
        """Why its file cannot be imported; empty if it can."""
        own = (failure for failure in self.run.failures if failure.about == self.exercise.id)
        return next((result.says for result in own if result.kind == "broken"), "")

    @property
    def words(self) -> str:
        """The exercise's state in words."""
        if self.is_skipped:
            return "skipped"
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
        if any(failure.kind == "too long" for failure in self.run.failures):
            return "takes too long"
        if self.run.was_stopped:
            return "ended its tests"
        failing = len(self.run.collected) - self.run.n_passed
        return f"failing {failing} of {len(self.run.collected)}"


def standing_of(exercise: Exercise, run: TestRun) -> Standing:
    """The exercise's part of `run`, which has just ended."""
    is_skipped = is_requested(exercise.id, requested_references())
    return Standing(exercise, run.of_classes(exercise.tests), not is_stub(exercise), is_skipped)


def tests_up_to(exercise: Exercise) -> list[str]:
    """The tests of an exercise and of those before it in its module, on which it may depend."""
    return [test for earlier in exercises_up_to(exercise) for test in earlier.test_ids]


def standings_up_to(exercise: Exercise, run: TestRun) -> list[Standing]:
    """The parts of `run`, which has just ended, for the module's exercises up to this one."""
    return [standing_of(earlier, run) for earlier in exercises_up_to(exercise)]


def current_standings(exercises: Sequence[Exercise]) -> list[Standing]:
    """The state of each of these exercises with the current files."""
    runs = current_runs(exercises)
    return [standing_of(exercise, runs.get(exercise.suite, TestRun())) for exercise in exercises]


def standings_to_next(exercises: Sequence[Exercise]) -> list[Standing]:
    """The states of these exercises, up to the first that is still a stub. The first that is not
    done is among them, so the tests of later modules need not run."""
    references = requested_references()
    stubs = (
        is_stub(exercise) and not is_requested(exercise.id, references) for exercise in exercises
    )
    first = next((place for place, stub in enumerate(stubs) if stub), len(exercises))
    return current_standings(exercises[: first + 1])


def next_standing(all_standings: Iterable[Standing]) -> Standing | None:
    """The first exercise that is not done, or None."""
    return next((standing for standing in all_standings if not standing.is_done), None)


def current_runs(exercises: Sequence[Exercise]) -> dict[str, TestRun]:
    """The results of each test file of these exercises, on the current files: cached ones, and a
    run of the classes that something has changed for. If a file's exercises were all skipped,
    it is left out. A run in which a test was stopped is not cached: on a machine that is less busy,
    it may end."""
    root, references = project_root(), requested_references()
    cached = _read_cache(state_dir() / "results.json")
    keys = _Keys(root, _shared_digest(root, references))
    suites = sorted({e.suite for e in exercises if not is_requested(e.id, references)})
    stale = {suite: tests for suite in suites if (tests := keys.stale(suite, cached.get(suite)))}
    if stale:
        from g2c.course.check.worker import run_each  # g2c next needs none where nothing changed

        for (suite, tests), run in zip(stale.items(), run_each(stale.values()), strict=True):
            whole = run if tests == [suite] else cached[suite][1].updated(run, tests)
            cached[suite] = (keys.digests(suite, whole), whole)
        data = {
            suite: {"keys": own, "run": run.to_data()}
            for suite, (own, run) in cached.items()
            if not run.was_stopped
        }
        keep_json(state_dir() / "results.json", data)
    return {suite: cached[suite][1] for suite in suites}


CachedRun = tuple[dict[str, str], TestRun]
"""The digest of what each class of a run depended on, and the run."""


def _read_cache(file: Path) -> dict[str, CachedRun]:
    """The cached results of each test file. An unreadable cache counts as empty."""
    try:
        data = load_json(read_text(file))
        return {
            suite: (dict(stored["keys"]), TestRun.from_data(stored["run"]))
            for suite, stored in data.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


class _Keys:
    """Digests of what classes of tests depend on: the shared files, their own file, the exercises'
    files with what these import, and the stored scores, if one of the exercises is judged by a
    score. The exercises are those of the class, those of the module that they need, and those that
    its tests called in their last run. A class without an exercise depends on its whole module."""

    def __init__(self, root: Path, shared: str) -> None:
        self._root = root
        self._shared = shared
        known: Known = {}
        self._code = cache(
            lambda file: key_of_code(root / file, known=known) if (root / file).is_file() else ""
        )

    def stale(self, suite: str, cached: CachedRun | None) -> list[str]:
        """The tests to run: the file if nothing of its last run holds, else classes of it."""
        if not cached:
            return [suite]
        before, run = cached
        now = self.digests(suite, run)
        if run.trouble or before.get("") != now[""]:
            return [suite] if before != now else []
        return [f"{suite}::{name}" for name, key in now.items() if before.get(name) != key]

    def digests(self, suite: str, run: TestRun) -> dict[str, str]:
        """The digest of each class of a run, and that of what all of its classes share as ""."""
        used: dict[str, set[str]] = {test_class: set() for test_class in run.classes}
        for result in run.results:
            used[result.test_class].update(result.used.split())
        own = [exercise for exercise in load_exercises() if exercise.suite == suite]
        shared = _digest(self._root, [self._root / suite], self._shared)
        if run.trouble:  # perhaps with any file of the module
            shared = key_of(shared, *self._parts(own, "", set()))
        return {"": shared} | {
            test_class: key_of(shared, *self._parts(own, test_class, called))
            for test_class, called in used.items()
        }

    def _parts(self, own: Sequence[Exercise], test_class: str, called: set[str]) -> list[str]:
        tested = [exercise for exercise in own if test_class in exercise.tests] or own
        needed = set().union(*({exercise.id, *needed_by(exercise)} for exercise in tested))
        files = {exercise.file for exercise in own if exercise.id in needed}
        files |= {exercise.file for exercise in load_exercises() if exercise.id in called}
        scores = [own_file()] if any(exercise.has_goal for exercise in tested) else []
        return [*map(self._code, sorted(files)), _digest(self._root, scores, "")]


def _shared_digest(root: Path, references: str) -> str:
    """A digest of the package without the exercises, the tests' shared files, and the references in
    use. These files are many, and nobody edits them: that one was replaced is seen by its stamp."""
    files = [f"tests/{file.name}" for file in root.glob("tests/*.py")]
    for folder, folders, names in os.walk(root / "g2c"):
        folders[:] = set(folders) - {"__pycache__"}
        inside = Path(folder).relative_to(root).as_posix()
        files += [f"{inside}/{n}" for n in names if n.endswith((".py", ".toml", ".json"))]
    shared = set(files) - {exercise.file for exercise in load_exercises()} - set(all_suites())
    stamps = (f"{name} {stamp_of(Path(root, name).stat())}" for name in sorted(shared))
    return key_of(references, *stamps)


def _digest(root: Path, files: Iterable[Path], beginning: str) -> str:
    sum_ = hashlib.sha256(beginning.encode())
    for file in files:
        sum_.update(f"\0{file.relative_to(root)}\0".encode())
        sum_.update(read_bytes(file) if file.is_file() else b"")
    return sum_.hexdigest()
