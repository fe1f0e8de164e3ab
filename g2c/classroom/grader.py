"""Grading a student's folder: each exercise against pristine tests, with references for the others.

Only the exercises' files are taken from the student's folder, each into a fresh copy of this
course. The tests, the number of them and the rest of the program are the grader's own. So an edited
test changes nothing, and a broken file costs only its own exercise.
"""

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from g2c.classroom.confinement import COURSE
from g2c.classroom.exercise_runs import Written, as_together, run_between, run_each
from g2c.classroom.hand_in import content_of, ids_skipped, other_notebooks, submitted
from g2c.classroom.measurement import (
    NO_MODEL,
    NOT_MEASURED,
    UNMEASURED,
    Measured,
    measure_submission,
    with_measured,
)
from g2c.classroom.reader import read_uses, read_writeup, read_written
from g2c.classroom.sandbox import Conditions, SandboxRun, run_in_sandbox
from g2c.classroom.tampering.canaries import BETTER
from g2c.course.answers import read_answers
from g2c.course.bounded import printable, read_at_most
from g2c.course.check.results import TestResult, TestRun
from g2c.course.manifest import Exercise, all_suites, find_exercise, load_exercises
from g2c.course.scored import is_by_model
from g2c.course.submission import MAX_SOURCE_BYTES, names_in
from g2c.course.submission_names import renamed_from
from g2c.course.writeup import CheckedWriteup
from g2c.inference.embedded.weights import find_weights
from g2c.inference.errors import BackendError

Tell = Callable[[str], None]
"""Called with a few words on the current step."""


@dataclass(frozen=True)
class ExerciseGrade:
    """An exercise's grade: the share `share` of its `points`.

    `status` is `passing`, `failing`, `not started`, `skipped`, `missing`, or `not measured` if
    nothing but the score on a model is lacking; its points then count nowhere. It is `needs review`
    if there are signs that the results are forged; such an exercise has no points until a
    person has decided. `says` is what stopped the tests early, or empty. A test that was not run
    has neither passed nor failed. `look` says why a person has to look at the run, and `uses` names
    what the code uses that the reference does not need.
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

    @property
    def is_measured(self) -> bool:
        return self.status != "not measured"


@dataclass(frozen=True)
class WrittenAnswers:
    """Which of a notebook's answers are written, and for which only code or a text elsewhere may be
    the answer (`unsure`). `says` is why it could not be read, or empty."""

    module: str
    notebook: str
    rubric: str
    expected: tuple[int, ...]
    written: tuple[int, ...]
    unsure: tuple[int, ...] = ()
    says: str = ""


@dataclass(frozen=True)
class Grade:
    """The grade of a student's folder.

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
        return sum(exercise.points for exercise in self.exercises if exercise.is_measured)


@dataclass(frozen=True)
class Task:
    """The exercises to grade and the conditions, the same for all submissions of a class.
    `expected` are the results of the exercises' tests on the reference. Without `model`, nothing is
    measured on a model, and those tests fail."""

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
    exercises = tuple(
        exercise for exercise in load_exercises() if module in (None, exercise.module)
    )
    if not exercises:
        known = ", ".join(dict.fromkeys(exercise.module for exercise in load_exercises()))
        raise ValueError(f"There is no module {module!r}; there are {known}.")
    by_model = [exercise for exercise in exercises if is_by_model(exercise)]
    if by_model and model:
        try:
            find_weights()
        except BackendError as error:
            raise ValueError(
                f"Nothing was graded: {by_model[0].id} is measured on the small model. {error} "
                "With --no-model it is left out."
            ) from error
    # The time limit is per process, so each module has its own.
    runs = (
        run_reference(conditions, [test for exercise in own for test in exercise.test_ids])
        for _, own in groupby(exercises, lambda exercise: exercise.module)
    )
    return Task(exercises, TestRun.together(runs), conditions, model)


def grade_tree(tree: Path, task: Task, tell: Tell = lambda words: None) -> Grade:
    """Grade the student's course in the folder `tree`.

    Raises:
        ValueError: `tree` is not a course.
        OSError: a file of this course cannot be copied.
    """
    _refuse_another(tree, task.exercises)
    measured = {
        exercise.id: _measure(tree, exercise, task.conditions, task.model, tell)
        for exercise in task.exercises
        if is_by_model(exercise)
    }
    return grade_exercises(tree, task.exercises, task.expected, task.conditions, measured)


def _refuse_another(tree: Path, exercises: Iterable[Exercise]) -> None:
    if not (tree / "g2c").is_dir():
        raise ValueError(f"{tree} is not a student's course: it has no folder g2c.")
    files = {renamed_from(name) or name for name in names_in(tree)}
    if not files & {exercise.file for exercise in exercises}:
        asked = dict.fromkeys(exercise.module for exercise in exercises)
        there = dict.fromkeys(
            exercise.module for exercise in load_exercises() if exercise.file in files
        )
        if there:
            raise ValueError(
                f"It has exercises of module {', '.join(there)}, and none of {', '.join(asked)}."
            )


def _measure(
    tree: Path, exercise: Exercise, conditions: Conditions, model: bool, tell: Tell
) -> Measured:
    """The score of a student's function in an exercise that is measured on a model."""
    if not model:
        return NO_MODEL
    try:
        content = None if exercise.id in ids_skipped(tree) else content_of(tree, exercise.file)
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
    """Grade these exercises of the student's. `expected` are their tests' results on the reference,
    and `measured` has the scores on a model, by the exercise's id."""
    skipped = ids_skipped(tree)
    uses = _uses(tree, exercises, conditions)
    read = {exercise.id: _read(tree, exercise, skipped, expected) for exercise in exercises}
    written = [work for work in read.values() if isinstance(work, Written)]
    # Code that uses what no exercise needs might interfere with the others.
    runs = run_each(written, expected, conditions, [file for file, found in uses.items() if found])
    grades = [
        grade_exercise(
            work.exercise, runs[id], expected.of_classes(work.exercise.tests), measured.get(id)
        )
        if isinstance(work, Written)
        else work
        for id, work in read.items()
    ]
    return Grade(
        tree.resolve(),
        conditions.seed,
        conditions.sandbox,
        tuple(
            replace(grade, uses=uses.get(exercise.file, ()))
            for exercise, grade in zip(exercises, grades, strict=True)
        ),
        _together(tree, runs, skipped, expected, conditions, measured),
        _check_writeup(tree, conditions),
        tuple(
            _written_answers(
                tree, dict.fromkeys(exercise.module for exercise in exercises), conditions
            )
        ),
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


def _read(
    tree: Path, exercise: Exercise, skipped: Collection[str], expected: TestRun
) -> Written | ExerciseGrade:
    """The content of the student's file of an exercise or, if there is nothing to run, its
    grade."""
    tests = len(expected.of_classes(exercise.tests).collected)
    given = ExerciseGrade(exercise.id, exercise.title, exercise.points, "missing", 0, tests)
    if exercise.id in skipped:
        return replace(given, status="skipped")
    try:
        content = content_of(tree, exercise.file)
    except ValueError as error:
        return replace(given, status="failing", says=str(error))
    if content is None:
        return replace(given, says=f"There is no file {exercise.file}.{_renamed(tree, exercise)}")
    return Written(exercise, content)


def _renamed(tree: Path, exercise: Exercise) -> str:
    """A sentence with the files that the missing one was perhaps renamed to, or ""."""
    room = exercise.file.rpartition("/")[0]
    names = sorted(f"{room}/{file.name}" for file in (tree / room).glob("*"))
    found = ", ".join(printable(n) for n in names if renamed_from(n) == exercise.file)[:200]
    return f" Was it renamed to {found}?" if found else ""


def grade_exercise(
    exercise: Exercise, run: SandboxRun, expected: TestRun, measured: Measured | None = None
) -> ExerciseGrade:
    """The grade of an exercise from the counting results of its tests. `expected` is their run on
    the reference. A score that was `measured` outside the sandbox counts, whatever the tests
    say."""
    tests = len(expected.collected)
    given = ExerciseGrade(exercise.id, exercise.title, exercise.points, "not started", 0, tests)
    look = tuple(filter(None, (*run.forged, run.cut_short)))
    if run.failures and all(failed.is_unwritten(exercise.id) for failed in run.failures):
        return replace(given, look=look)
    status = ""
    if is_by_model(exercise):
        measured = measured or NOT_MEASURED
        run = with_measured(run, expected, measured)
        left_out = sum(failure.says.startswith(UNMEASURED) for failure in run.failures)
        # A student's function that gives nothing to measure is wrong; this is the grader's choice.
        if measured in (NO_MODEL, NOT_MEASURED) and run.n_passed + left_out == tests:
            status = "not measured"
    status = status or ("passing" if run.n_passed == tests else "failing")
    if run.forged:
        status = "needs review"
    broken = (
        failure.says
        for failure in run.failures
        if (failure.kind, failure.about) == ("broken", exercise.id)
    )
    says = run.trouble or next(broken, "")
    if "No module named '" in says or "ImportError: cannot import name" in says:
        says += (
            "\nThe grader has the course's packages and the other exercises' references. It takes "
            "no files but those of the exercises."
        )
    return replace(
        given,
        status=status,
        passed=run.n_passed,
        share=0.0 if run.forged else _share(exercise, run, expected),
        says=says,
        failures=run.failures,
        look=look,
    )


def _share(exercise: Exercise, run: TestRun, expected: TestRun) -> float:
    """The share of the points for a run: the share of passing tests, without tests that never call
    the function, which any function passes. In an exercise with a goal, form alone is worth
    nothing, and a score below the target half."""
    if run.n_passed == len(expected.collected):
        return 1.0
    if exercise.has_goal:
        is_better = any(result.passed and result.name == BETTER for result in run.results)
        return 0.5 if is_better else 0.0
    calling = {result.test for result in expected.results if exercise.id in result.used.split()}
    return sum(result.passed and result.test in calling for result in run.results) / len(calling)


def _together(
    tree: Path,
    runs: Mapping[str, SandboxRun],
    skipped: Collection[str],
    expected: TestRun,
    conditions: Conditions,
    measured: Mapping[str, Measured],
) -> TestRun:
    """The results of all tests on the student's functions together, without skipped
    exercises."""
    own = [exercise for exercise in load_exercises() if exercise.id not in skipped]
    try:
        files = {
            exercise.file: content
            for exercise in own
            if (content := content_of(tree, exercise.file))
        }
    except ValueError as error:
        return TestRun(expected.collected, trouble=str(error))
    between = run_between(files, skipped, expected, conditions)
    earned = [run for run in runs.values() if not run.forged]
    by_reference = [expected.of_classes(find_exercise(id_).tests) for id_ in skipped]
    results = as_together([*earned, *by_reference], between, expected)
    run = TestRun(expected.collected, results, " ".join((*between.forged, between.trouble)).strip())
    for exercise in filter(is_by_model, own):
        of = expected.of_classes(exercise.tests)
        run = with_measured(run, of, measured.get(exercise.id, NOT_MEASURED))
    return run


def _uses(
    tree: Path, exercises: Iterable[Exercise], conditions: Conditions
) -> dict[str, tuple[str, ...]]:
    """The modules and names that each exercise's file uses and the reference does not need."""
    files = {}
    for exercise in exercises:
        with contextlib.suppress(ValueError):  # the grade of the exercise says so
            if file := submitted(tree, exercise.file):
                read_at_most(file, MAX_SOURCE_BYTES)
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
    """Which answers the student's copy of each notebook of the modules has."""
    for module in modules:
        for pristine in sorted((COURSE / "notebooks").glob(f"{module}-*.ipynb")):
            name = f"work/{pristine.name}"
            found = WrittenAnswers(
                module, name, f"docs/rubrics/module-{module}.md", tuple(read_answers(pristine)), ()
            )
            try:
                file = submitted(tree, name)
                written, unsure = read_written(file, conditions) if file else ((), ())
            except ValueError as error:
                yield replace(found, says=str(error))
                continue
            says = "" if file else f"There is no file {name}."
            if not written and (others := other_notebooks(tree)):
                says = f"{says or f'No answer is written in {name}.'} {others}"
            yield replace(found, written=written, unsure=unsure, says=says)
