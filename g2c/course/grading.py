"""Grading a student's tree: each exercise against pristine tests, with references for all others.

The idea to take away: what is graded decides nothing. The tests, the number of them and the rest of
the program are the grader's own; of the student's tree only the exercises' files are taken, each
into a fresh copy of this course. So an edited test changes nothing, and one broken file costs its
own exercise and no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from g2c.course.answers import read_answers
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.outcomes import Outcome, TestRun
from g2c.course.running import all_tests, tests_of
from g2c.course.stubs import not_started
from g2c.course.trial import COURSE, Limits, run_trial
from g2c.course.writeup import Check, check_writeup

POINTS = 10
"""What an exercise is worth; a part of its tests gives that part of the points."""


@dataclass(frozen=True)
class ExerciseGrade:
    """What an exercise was given.

    `status` is `passing`, `failing`, `not started`, `handed back` or `missing`. `says` is what
    stopped the tests, if anything did; a test that was not run has neither passed nor failed.
    """

    id: str
    title: str
    status: str
    passed: int
    tests: int
    says: str = ""
    failures: tuple[Outcome, ...] = ()

    @property
    def score(self) -> float:
        return round(POINTS * self.passed / self.tests, 2)


@dataclass(frozen=True)
class WrittenAnswers:
    """Which of a notebook's answers are written. `says` is why it could not be read, if so."""

    module: str
    notebook: str
    rubric: str
    expected: tuple[int, ...]
    written: tuple[int, ...]
    says: str = ""


@dataclass(frozen=True)
class Grade:
    """All that was found in a student's tree.

    `together` is one run of all the tests on the student's functions alone; it gives no points.
    """

    tree: Path
    exercises: tuple[ExerciseGrade, ...]
    together: TestRun
    writeup: Check
    answers: tuple[WrittenAnswers, ...]

    @property
    def score(self) -> float:
        return round(sum(exercise.score for exercise in self.exercises), 2)

    @property
    def max_score(self) -> int:
        return POINTS * len(self.exercises)


def grade(tree: Path, limits: Limits, module: str | None = None) -> Grade:
    """Grade the student's course in the folder `tree`: all of it, or the exercises of a module.

    Raises:
        ValueError: `tree` is no course, or the tests of this one do not pass with the reference.
        OSError: a file of this course cannot be copied.
    """
    if not (tree / "g2c").is_dir():
        raise ValueError(f"{tree} is not a student's course: it has no folder g2c.")
    exercises = [one for one in load_exercises() if module in (None, one.module)]
    if not exercises:
        known = ", ".join(dict.fromkeys(one.module for one in load_exercises()))
        raise ValueError(f"There is no module {module!r}; there are {known}.")
    suites = sorted({exercise.suite for exercise in exercises})
    expected = run_reference(limits, suites)
    back = handed_back(tree)
    return Grade(
        tree.resolve(),
        tuple(
            ExerciseGrade(exercise.id, exercise.title, "handed back", 0, len(tests))
            if exercise.id in back
            else grade_exercise(tree, exercise, tests, limits)
            for exercise in exercises
            for tests in [expected.of(exercise.tests).collected]
        ),
        run_together(tree, suites, expected.collected, back, limits),
        _check_writeup(tree),
        tuple(_written_answers(tree, dict.fromkeys(one.module for one in exercises))),
    )


def run_reference(limits: Limits, suites: Iterable[str]) -> TestRun:
    """Run the tests in the files `suites` on the reference: it says which tests there are, and that
    all is well here.

    Raises:
        ValueError: not all pass.
    """
    missing = [name for name in ("pyproject.toml", *all_tests()) if not (COURSE / name).exists()]
    if missing:
        raise ValueError(f"{COURSE} has no {missing[0]}; grade from a checkout of the course.")
    run = run_trial(suites, {}, (), reference="all", limits=limits)
    if not run.passed:
        raise ValueError(
            f"Nothing was graded: with the reference {run.n_passed} of {len(run.collected)} tests "
            f"pass. Is this checkout as it was shipped, and are the limits wide enough?\n"
            f"{run.trouble or run.failures[0].says}"
        )
    return run


def grade_exercise(
    tree: Path, exercise: Exercise, tests: Iterable[str], limits: Limits
) -> ExerciseGrade:
    """Run `tests`, which are those of `exercise`, on the student's function.

    Exercises that stand in other files are the reference's; its own reference is not there.
    """
    tests = tuple(tests)
    file = handed_in(tree, exercise.file)
    given = ExerciseGrade(exercise.id, exercise.title, "missing", 0, len(tests))
    if file is None:
        return replace(given, says=f"There is no file {exercise.file}.")
    others = [other.id for other in load_exercises() if other.file != exercise.file]
    run = run_trial(
        tests_of(exercise),
        {exercise.file: file.read_bytes()},
        [exercise.solution_file],
        reference=",".join(others),
        limits=limits,
    )
    run = _only(run, tests)
    if run.failures and all(failed.says == not_started(exercise) for failed in run.failures):
        return replace(given, status="not started")
    passed = _passed(run)
    status = "passing" if passed == len(tests) else "failing"
    return replace(given, status=status, passed=passed, says=run.trouble, failures=run.failures)


def run_together(
    tree: Path,
    suites: Iterable[str],
    tests: Iterable[str],
    handed_back: Iterable[str],
    limits: Limits,
) -> TestRun:
    """Run `suites` on the student's functions together, without what was handed back."""
    own = [exercise for exercise in load_exercises() if exercise.id not in set(handed_back)]
    files = {exercise.file: handed_in(tree, exercise.file) for exercise in own}
    run = run_trial(
        suites,
        {name: file.read_bytes() for name, file in files.items() if file},
        [exercise.solution_file for exercise in own],
        reference=",".join(handed_back),
        limits=limits,
    )
    return _only(run, tests)


def handed_in(tree: Path, name: str) -> Path | None:
    """A file of the student's, or None where it is not there, or lies outside the tree in truth."""
    path = tree / name
    is_own = path.is_file() and path.resolve() == tree.resolve() / name
    return path if is_own else None


def handed_back(tree: Path) -> list[str]:
    """The ids of the exercises for which the student lets the reference stand in."""
    file = handed_in(tree, ".g2c/handed-back")
    ids = file.read_text("utf-8", "replace").split() if file else []
    return [exercise.id for exercise in load_exercises() if exercise.id in ids]


def _only(run: TestRun, tests: Iterable[str]) -> TestRun:
    """The part of a run that is about `tests`, whatever else it tells of."""
    expected = tuple(tests)
    outcomes = tuple(outcome for outcome in run.outcomes if outcome.test in expected)
    return TestRun(expected, outcomes, run.trouble)


def _passed(run: TestRun) -> int:
    """The number of tests that passed and never failed."""
    failed = {outcome.test for outcome in run.failures}
    return len({outcome.test for outcome in run.outcomes} - failed)


def _check_writeup(tree: Path) -> Check:
    name = "docs/agent-failure-modes.md"
    if (file := handed_in(tree, name)) is None:
        return Check((), (f"There is no file {name}.",))
    try:
        return check_writeup(file, tree / "runs")
    except ValueError as error:
        return Check((), (str(error),))


def _written_answers(tree: Path, modules: Iterable[str]) -> Iterable[WrittenAnswers]:
    """For each notebook of the modules, which of its answers the student's copy has."""
    for module in modules:
        for pristine in sorted((COURSE / "notebooks").glob(f"{module}-*.ipynb")):
            name = f"work/{pristine.name}"
            found = WrittenAnswers(
                module, name, f"docs/rubrics/module-{module}.md", tuple(read_answers(pristine)), ()
            )
            if (file := handed_in(tree, name)) is None:
                yield replace(found, says=f"There is no file {name}.")
                continue
            try:
                answers = read_answers(file)
            except ValueError as error:
                yield replace(found, says=str(error))
                continue
            yield replace(found, written=tuple(n for n in found.expected if answers.get(n)))
