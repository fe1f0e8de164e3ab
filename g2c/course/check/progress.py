"""Where the student stands: for each exercise what its tests say, from really running them.

A run's result is kept with a digest of everything that it depends on, so asking twice costs one
run. Because the key is the content, nothing has to decide when a result is out of date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from g2c.course.check.results import TestRun
from g2c.course.check.worker import run_tests
from g2c.course.manifest import Exercise, all_suites, exercises_up_to, load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.files import replace_text
from g2c.paths import project_root, state_dir


@dataclass(frozen=True)
class Standing:
    """One exercise, its part of the run, whether the student has begun with it, and whether the
    reference stands in for it."""

    exercise: Exercise
    run: TestRun
    is_started: bool
    handed_back: bool = False

    @property
    def is_done(self) -> bool:
        """Whether the student may go on."""
        return self.handed_back or self.run.passed

    @property
    def words(self) -> str:
        """Where it stands, as a person would say it."""
        if self.handed_back:
            return "handed back"
        if self.run.passed:
            return "passing"
        if not self.run.collected:
            return "not run"
        if not self.is_started:
            return "not started"
        failing = len(self.run.collected) - self.run.n_passed
        return f"failing {failing} of {len(self.run.collected)}"


def standing_of(exercise: Exercise, run: TestRun) -> Standing:
    """The exercise's part of `run`, which was made just now."""
    is_handed_back = is_requested(exercise.id, requested_references())
    return Standing(exercise, run.of(exercise.tests), not is_stub(exercise), is_handed_back)


def tests_up_to(exercise: Exercise) -> list[str]:
    """The tests of an exercise and of those before it in its module, on which it may depend."""
    return [test for one in exercises_up_to(exercise) for test in one.test_ids]


def standings_up_to(exercise: Exercise, run: TestRun) -> list[Standing]:
    """What `run`, which was made just now, says of the module's exercises up to this one."""
    return [standing_of(one, run) for one in exercises_up_to(exercise)]


def current_standings() -> list[Standing]:
    """How each exercise stands with the files as they are now."""
    run = current_run()
    return [standing_of(exercise, run) for exercise in load_exercises()]


def next_standing(all_standings: Iterable[Standing]) -> Standing | None:
    """The first exercise that is still to be done, or None."""
    return next((standing for standing in all_standings if not standing.is_done), None)


def current_run() -> TestRun:
    """A run of all the student's tests on the files as they are, made now or kept from before."""
    file = state_dir() / "results.json"
    key = digest(project_root(), requested_references())
    try:
        kept_key, _, text = file.read_text("utf-8").partition("\n")
        if kept_key == key:
            return TestRun.from_json(text)
    except (OSError, ValueError, TypeError, KeyError):
        pass  # there is none, or it cannot be read: make it again
    run = run_tests(all_suites())
    replace_text(file, f"{key}\n{run.to_json()}")
    return run


def digest(root: Path, references: str) -> str:
    """A digest of all that a run depends on: the package, the tests, and the references in use."""
    sum_ = hashlib.sha256(references.encode())
    for file in sorted([*root.glob("g2c/**/*.py"), *root.glob("tests/*.py")]):
        sum_.update(f"\0{file.relative_to(root)}\0".encode())
        sum_.update(file.read_bytes())
    return sum_.hexdigest()
