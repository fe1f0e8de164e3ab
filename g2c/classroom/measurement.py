"""Measures, for a grade, the data that a student's function gives a model.

The function runs in the sandbox and returns data. The model runs here, on that data alone. Scores
in the student's folder, or written by its process, are ignored.
"""

import threading
from collections.abc import Collection
from dataclasses import dataclass, replace

from g2c.classroom.sandbox import Conditions, data_from_sandbox
from g2c.classroom.tampering.canaries import BETTER, REACHES
from g2c.course.bounded import printable
from g2c.course.check.results import Run, TestResult, TestRun
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.scored import Progress, Score
from g2c.course.scored.kept import SHIPPED, kept_score
from g2c.exercises.e19_5_teach.goal import (
    FIRST_VERSION,
    GOAL,
    facts_of_text,
    from_data,
    measure_text,
    problems_of,
)

_ONE_MODEL = threading.Lock()
"""A model takes a gibibyte, and all cores."""


@dataclass(frozen=True)
class Measured:
    """A submission's score; if there is none, `reason` says why."""

    score: Score | None
    reason: str = ""


UNMEASURED = "It was not measured."
"""The beginning of a test's message about a missing score."""

NOT_MEASURED = Measured(None, "Nobody asked for it.")
NO_MODEL = Measured(None, "The grader was run with --no-model.")


def measure_submission(
    exercise: Exercise,
    content: bytes,
    without: Collection[str],
    conditions: Conditions,
    progress: Progress,
) -> Measured:
    """Measure the student's file `content` on the tasks of `conditions.seed`. The files `without`
    are deleted, so that the function cannot find them.

    Raises:
        ValueError: the model could not be asked.
    """
    others = [other.id for other in load_exercises() if other.file != exercise.file]
    arguments = ["g2c.classroom.description", exercise.id, str(conditions.seed)]
    try:
        data = data_from_sandbox(
            arguments,
            conditions,
            files={exercise.file: content},
            without=without,
            reference=",".join(others),
        )
        if not isinstance(data, dict) or "text" not in data:
            return Measured(None, printable(_trouble(data)))
        text = from_data(data["text"])
        if problems := problems_of(text, conditions.seed):
            return Measured(None, printable(problems[0]))
    except ValueError as error:
        return Measured(None, printable(str(error)))
    kept = kept_score(facts_of_text(text, conditions.seed), SHIPPED)
    if kept:
        return Measured(kept)
    with _ONE_MODEL:
        return Measured(measure_text(text, conditions.seed, progress))


def _trouble(data: object) -> str:
    found = data.get("trouble") if isinstance(data, dict) else None
    return str(found)[:500] if found else "The process gave no text."


def with_measured(run: Run, expected: TestRun, measured: Measured) -> Run:
    """`run`, with the results of the `expected` tests about a score replaced by the measurement
    here."""
    least = {BETTER: FIRST_VERSION + 1, REACHES: GOAL.target}
    about = {
        result.test: result.name
        for result in map(TestResult, expected.collected)
        if result.name in least
    }
    results = [result for result in run.results if result.test not in about]
    results += [_result(test, measured, least[name]) for test, name in about.items()]
    return replace(run, results=tuple(results))


def _result(test: str, measured: Measured, least: float) -> TestResult:
    score = measured.score
    if score is None:
        return TestResult(test, "failed", f"{UNMEASURED} {measured.reason}")
    if score.points >= least:
        return TestResult(test)
    lost = printable(next(iter(score.lost), ""))
    says = f"The model did {score} rightly; {least:g} are wanted. One that was lost: {lost}"
    return TestResult(test, "failed", says)
