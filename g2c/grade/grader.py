"""Grading a student's folder: each exercise against pristine tests, with references for the others.

Only the exercises' files are taken from the student's folder, each into a fresh copy of this
course. The tests, the number of them and the rest of the program are the grader's own. So an
edited test changes nothing, and a broken file costs its own exercise and no other.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from g2c.course.bounded import read_at_most
from g2c.course.check.results import TestResult, TestRun
from g2c.course.manifest import Exercise, all_suites, load_exercises
from g2c.course.notebook.answers import read_answers
from g2c.course.scored import is_by_model
from g2c.course.writeup import CheckedWriteup
from g2c.grade.confinement import COURSE
from g2c.grade.measurement import NOT_MEASURED, Measured, measure_submission, with_measured
from g2c.grade.reader import read_uses, read_writeup, read_written
from g2c.grade.sandbox import Conditions, run_in_sandbox
from g2c.grade.tampering.canaries import BETTER
from g2c.inference.embedded.weights import find_weights
from g2c.inference.errors import BackendError

Tell = Callable[[str], None]
"""Is told in a few words what is being done."""

MOST_SOURCE_BYTES = 2**20
"""A file with an exercise has a hundredth of this."""


@dataclass(frozen=True)
class ExerciseGrade:
    """What an exercise was given: the part `share` of its `points`.

    `status` is `passing`, `failing`, `not started`, `handed back`, `missing`, or `to be looked at`
    where there are signs that the results are forged; such an exercise has no points until a person
    has decided. `says` is what stopped the tests before their end, else empty. A test that was not
    run has neither passed nor failed. `look` says why a person has to look at the run, and `uses`
    names what the code uses that the reference does not need.
    """

    id: str
    title: str
    points: int
    status: str
    passed: int
    tests: int
    share: float = 0.0
    says: str = ""
    failures: tuple[TestResult, ...] = ()
    look: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        return round(self.points * self.share, 2)


@dataclass(frozen=True)
class WrittenAnswers:
    """Which of a notebook's answers are written. `says` is why it could not be read, else empty."""

    module: str
    notebook: str
    rubric: str
    expected: tuple[int, ...]
    written: tuple[int, ...]
    says: str = ""


@dataclass(frozen=True)
class Grade:
    """All that was found in a student's folder.

    `together` is one run of all the tests on the student's functions alone; it gives no points.
    `seed` made the tasks on which exercises with a goal were measured, and `sandbox` is the kind of
    sandbox in which the student's code ran.
    """

    tree: Path
    seed: int
    sandbox: str
    exercises: tuple[ExerciseGrade, ...]
    together: TestRun
    writeup: CheckedWriteup
    answers: tuple[WrittenAnswers, ...]

    @property
    def score(self) -> float:
        return round(sum(exercise.score for exercise in self.exercises), 2)

    @property
    def max_score(self) -> int:
        return sum(exercise.points for exercise in self.exercises)


@dataclass(frozen=True)
class Task:
    """What is to be graded, and how: the same for all submissions of a class. `expected` is what
    the exercises' tests gave on the reference. Without `model`, what has to be measured on a model
    is not, and those tests fail."""

    exercises: tuple[Exercise, ...]
    expected: TestRun
    conditions: Conditions
    model: bool


def prepare(conditions: Conditions, module: str | None = None, *, model: bool = True) -> Task:
    """Make ready to grade all exercises, or those of a module.

    Raises:
        ValueError: there is no such module, or this course's tests fail with the reference, or
            there is no model to measure on.
        OSError: a file of this course cannot be copied.
    """
    exercises = tuple(one for one in load_exercises() if module in (None, one.module))
    if not exercises:
        known = ", ".join(dict.fromkeys(one.module for one in load_exercises()))
        raise ValueError(f"There is no module {module!r}; there are {known}.")
    by_model = [one for one in exercises if is_by_model(one)]
    if by_model and model:
        try:
            find_weights()
        except BackendError as error:
            raise ValueError(
                f"Nothing was graded: {by_model[0].id} is measured on the small model. {error} "
                "With --no-model it is left out."
            ) from error
    expected = run_reference(conditions, _tests_of(exercises))
    return Task(exercises, expected, conditions, model)


def _tests_of(exercises: Iterable[Exercise]) -> list[str]:
    return [test for exercise in exercises for test in exercise.test_ids]


def grade_tree(tree: Path, task: Task, tell: Tell = lambda words: None) -> Grade:
    """Grade the student's course in the folder `tree`.

    Raises:
        ValueError: `tree` is not a course.
        OSError: a file of this course cannot be copied.
    """
    _refuse_no_course(tree)
    measured = {
        one.id: _measure(tree, one, task.conditions, task.model, tell)
        for one in task.exercises
        if is_by_model(one)
    }
    return grade_exercises(tree, task.exercises, task.expected, task.conditions, measured)


def _refuse_no_course(tree: Path) -> None:
    if not (tree / "g2c").is_dir():
        raise ValueError(f"{tree} is not a student's course: it has no folder g2c.")


def _measure(
    tree: Path, exercise: Exercise, conditions: Conditions, model: bool, tell: Tell
) -> Measured:
    """What the student's function of an exercise scores that is measured on a model."""
    if not model:
        return Measured(None, "The grader was run with --no-model.")
    try:
        content = None if exercise.id in ids_handed_back(tree) else _content(tree, exercise.file)
    except ValueError as error:
        return Measured(None, str(error))
    if content is None:
        return Measured(None)

    def progress(done: float, of: float) -> None:
        tell(f"grading; {exercise.id} on the model: {done:g} of {of:g}")

    return measure_submission(exercise, content, [exercise.solution_file], conditions, progress)


def grade_exercises(
    tree: Path,
    exercises: Sequence[Exercise],
    expected: TestRun,
    conditions: Conditions,
    measured: Mapping[str, Measured],
) -> Grade:
    """Grade these exercises of the student's. `expected` is what their tests gave on the reference,
    and `measured` has what was measured on a model, by the exercise's id."""
    handed_back = ids_handed_back(tree)
    uses = _uses(tree, exercises, conditions)
    return Grade(
        tree.resolve(),
        conditions.seed,
        conditions.sandbox,
        tuple(
            _given(exercise, "handed back", its)
            if exercise.id in handed_back
            else replace(
                grade_exercise(tree, exercise, its, conditions, measured.get(exercise.id)),
                uses=uses.get(exercise.file, ()),
            )
            for exercise in exercises
            for its in [expected.of(exercise.tests)]
        ),
        run_together(tree, _tests_of(exercises), expected, handed_back, conditions, measured),
        _check_writeup(tree, conditions),
        tuple(_written_answers(tree, dict.fromkeys(one.module for one in exercises), conditions)),
    )


def run_reference(conditions: Conditions, tests: Iterable[str]) -> TestRun:
    """Run `tests`, files or classes, on the reference. The result says which tests there are.

    Raises:
        ValueError: not all pass, so something is wrong here and nothing can be graded.
    """
    missing = [name for name in ("pyproject.toml", *all_suites()) if not (COURSE / name).exists()]
    if missing:
        raise ValueError(f"{COURSE} has no {missing[0]}; grade from a checkout of the course.")
    run = run_in_sandbox(tests, {}, (), reference="all", conditions=conditions)
    if run.passed and run.forged:
        raise ValueError(f"Nothing was graded: with the reference: {' '.join(run.forged)}")
    if not run.passed:
        raise ValueError(
            f"Nothing was graded: with the reference {run.n_passed} of {len(run.collected)} tests "
            f"pass. Is this checkout as it was shipped, and are the limits wide enough?\n"
            f"{run.trouble or run.failures[0].says}"
        )
    return run


def grade_exercise(
    tree: Path,
    exercise: Exercise,
    expected: TestRun,
    conditions: Conditions,
    measured: Measured | None = None,
) -> ExerciseGrade:
    """Run the tests of `exercise` on the student's function. `expected` is their run on the
    reference. What was `measured` outside the sandbox counts, whatever the tests say of it.

    The reference stands in for the exercises in other files. This exercise's own reference is
    deleted.
    """
    given = _given(exercise, "missing", expected)
    try:
        content = _content(tree, exercise.file)
    except ValueError as error:
        return replace(given, status="failing", says=str(error))
    if content is None:
        return replace(given, says=f"There is no file {exercise.file}.")
    others = [other.id for other in load_exercises() if other.file != exercise.file]
    ran = run_in_sandbox(
        exercise.test_ids,
        {exercise.file: content},
        [exercise.solution_file],
        reference=",".join(others),
        conditions=conditions,
    )
    look = tuple(filter(None, (*ran.forged, ran.cut_short)))
    run = what_counts(ran, expected)
    if run.failures and all(failed.is_unwritten(exercise.id) for failed in run.failures):
        return replace(given, status="not started", look=look)
    if is_by_model(exercise):
        run = with_measured(run, expected, measured or NOT_MEASURED)
    status = "passing" if run.n_passed == given.tests else "failing"
    if ran.forged:
        status = "to be looked at"
    broken = (one.says for one in run.failures if (one.kind, one.about) == ("broken", exercise.id))
    return replace(
        given,
        status=status,
        passed=run.n_passed,
        share=0.0 if ran.forged else _share(exercise, run, expected),
        says=run.trouble or next(broken, ""),
        failures=run.failures,
        look=look,
    )


def _share(exercise: Exercise, run: TestRun, expected: TestRun) -> float:
    """The part of the points that a run is worth: that of its tests which pass, without those for
    which nobody calls the function, which any function passes. Of an exercise with a goal, form
    alone is worth nothing, and a score below the target half."""
    if run.n_passed == len(run.collected):
        return 1.0
    if exercise.goal:
        is_better = any(one.passed and one.name == BETTER for one in run.results)
        return 0.5 if is_better else 0.0
    calling = {one.test for one in expected.results if exercise.id in one.used.split()}
    return sum(one.passed and one.test in calling for one in run.results) / len(calling)


def _given(exercise: Exercise, status: str, expected: TestRun) -> ExerciseGrade:
    tests = len(expected.collected)
    return ExerciseGrade(exercise.id, exercise.title, exercise.points, status, 0, tests)


def run_together(
    tree: Path,
    tests: Iterable[str],
    expected: TestRun,
    handed_back: Iterable[str],
    conditions: Conditions,
    measured: Mapping[str, Measured],
) -> TestRun:
    """Run `tests` on the student's functions together, without what was handed back."""
    own = [exercise for exercise in load_exercises() if exercise.id not in set(handed_back)]
    try:
        files = {exercise.file: _content(tree, exercise.file) for exercise in own}
    except ValueError as error:
        return TestRun(expected.collected, trouble=str(error))
    ran = run_in_sandbox(
        tests,
        {name: content for name, content in files.items() if content is not None},
        [exercise.solution_file for exercise in own],
        reference=",".join(handed_back),
        conditions=conditions,
    )
    run = what_counts(ran, expected)
    if ran.forged:
        run = replace(run, trouble=" ".join((*ran.forged, run.trouble)).strip())
    for exercise in filter(is_by_model, own):
        of = expected.of(exercise.tests)
        run = with_measured(run, of, measured.get(exercise.id, NOT_MEASURED))
    return run


def submitted(tree: Path, name: str) -> Path | None:
    """A file of the student's; None if it is not there, or is a link that leads elsewhere.

    Raises:
        ValueError: nobody may look at it.
    """
    path = tree / name
    try:
        is_own = path.is_file() and path.resolve() == tree.resolve() / name
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}.") from error
    return path if is_own else None


def ids_handed_back(tree: Path) -> list[str]:
    """The ids of the exercises for which the student lets the reference stand in.

    A list that cannot be read names none.
    """
    try:
        ids = (_content(tree, ".g2c/handed-back") or b"").decode("utf-8", "replace").split()
    except ValueError:
        return []
    return [exercise.id for exercise in load_exercises() if exercise.id in ids]


def _content(tree: Path, name: str) -> bytes | None:
    """What is in a file of the student's; None if `submitted` has none.

    Raises:
        ValueError: it is too large, or nobody may read it.
    """
    file = submitted(tree, name)
    try:
        return read_at_most(file, MOST_SOURCE_BYTES) if file else None
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}.") from error


def what_counts(run: TestRun, expected: TestRun) -> TestRun:
    """What counts of a run: the tests that `expected`, a run on the reference, has, each once.

    A test that failed once has failed. A skip is a failure where the reference was not skipped.
    """
    may_skip = {result.test for result in expected.results if result.kind == "skipped"}
    kept: dict[str, TestResult] = {}
    for result in run.results:
        if result.kind == "skipped" and result.test not in may_skip:
            result = replace(result, kind="failed", says=f"skipped: {result.says}")
        if result.test not in kept or kept[result.test].passed:
            kept[result.test] = result
    results = tuple(kept[test] for test in expected.collected if test in kept)
    return TestRun(expected.collected, results, run.trouble)


def _uses(
    tree: Path, exercises: Iterable[Exercise], conditions: Conditions
) -> dict[str, tuple[str, ...]]:
    """By each exercise's file, what its code uses that the reference does not need."""
    files = {}
    for exercise in exercises:
        with contextlib.suppress(ValueError):  # the grade of the exercise says so
            if file := submitted(tree, exercise.file):
                read_at_most(file, MOST_SOURCE_BYTES)
                files[exercise.file] = file
    try:
        return read_uses(files, conditions)
    except ValueError as error:
        return dict.fromkeys(files, (str(error),))


def _check_writeup(tree: Path, conditions: Conditions) -> CheckedWriteup:
    name, runs = "docs/agent-failure-modes.md", tree / "runs"
    try:
        if runs.is_symlink():
            raise ValueError("runs/ is a link, and is not followed.")
        if file := submitted(tree, name):
            return read_writeup(file, runs, conditions)
    except ValueError as error:
        return CheckedWriteup((), (str(error),))
    return CheckedWriteup((), (f"There is no file {name}.",))


def _written_answers(
    tree: Path, modules: Iterable[str], conditions: Conditions
) -> Iterable[WrittenAnswers]:
    """For each notebook of the modules, which of its answers the student's copy has."""
    for module in modules:
        for pristine in sorted((COURSE / "notebooks").glob(f"{module}-*.ipynb")):
            name = f"work/{pristine.name}"
            found = WrittenAnswers(
                module, name, f"docs/rubrics/module-{module}.md", tuple(read_answers(pristine)), ()
            )
            try:
                file = submitted(tree, name)
                answers = read_written(file, conditions) if file else set()
            except ValueError as error:
                yield replace(found, says=str(error))
                continue
            says = "" if file else f"There is no file {name}."
            yield replace(
                found, written=tuple(filter(answers.__contains__, found.expected)), says=says
            )
