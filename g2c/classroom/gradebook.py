"""Summarizes the results of a class: a gradebook, and what the class stumbles on."""

import csv
import io
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c.classroom.batch import (
    OWN_FILES,
    SETTINGS,
    Submission,
    not_graded,
    result_file,
    why_not_graded,
)
from g2c.classroom.cells import plain_cell
from g2c.classroom.measurement import UNMEASURED
from g2c.classroom.regrade import was_measured
from g2c.classroom.similarity import Alike
from g2c.course.bounded import printable
from g2c.course.check.results import TestResult
from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.text import one_line

MAX_BELIEFS = 30
MAX_DRAWN = 30
"""The most tests in the picture."""

MAX_PAIRS = 200
"""The most pairs of an exercise that are listed. Those with a file of the course come first."""

WARNING = (
    "A pair in this list is a reason to read both, and no proof of anything. Short functions have "
    "few good forms, and two who learned together write alike. A pair with a file of the course is "
    "a copy of it, or the same idea. Code that was rewritten by a model, or that is copied from "
    "elsewhere, is not found."
)

_VARIES = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Stumble:
    """A test, and how many of those who started its exercise fail it."""

    exercise: str
    test: str
    failed: int
    of: int


@dataclass(frozen=True)
class Belief:
    """A failure's message, how many students saw it, and the tests that showed it. `example` is the
    message that one of them saw."""

    exercise: str
    students: int
    example: str
    tests: tuple[str, ...]


def read_results(folder: Path) -> list[dict[str, Any]]:
    """The results of a class, by name, including those without a grade. Another file is passed
    over, with a warning.

    Raises:
        ValueError: there are none, or one cannot be read.
        OSError: the folder cannot be read.
    """
    found = []
    for file in sorted(folder.glob("*.json")):
        if file.name == SETTINGS:
            continue
        try:
            result = load_json(read_text(file))
        except ValueError as error:
            raise ValueError(f"{file} is not a result of g2c class grade: {error}") from error
        if isinstance(result, dict) and (
            isinstance(result.get("exercises"), list) or isinstance(result.get("not_graded"), str)
        ):
            _check_result(result, file)
            for exercise in result.get("exercises", ()):
                if exercise["status"] == "to be looked at":  # as it was called before 0.3
                    exercise["status"] = "needs review"
            found.append(result)
        elif file.name not in OWN_FILES:
            warnings.warn(f"{file} is not a result, and is in no figure.", stacklevel=1)
    if not found:
        raise ValueError(f"There is no result of g2c class grade --out in {folder}.")
    return found


def _check_result(result: dict[str, Any], file: Path) -> None:
    """Raises:
    ValueError: the result has not what each of a class has; that of `grade --json` has no name.
    """
    exercises = result.get("exercises", [])
    is_whole = isinstance(result.get("name"), str) and all(
        isinstance(exercise, dict) and exercise.keys() >= {"id", "score", "look", "status"}
        for exercise in exercises
    )
    if not is_whole or ("exercises" in result and not result.keys() >= {"score", "max_score"}):
        raise ValueError(
            f"{file} is not a result of g2c class grade --out; take it out of the folder."
        )


def graded(results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The results that are grades."""
    return [result for result in results if "exercises" in result]


def missing_results(submissions: Iterable[Submission], out: Path) -> list[dict[str, Any]]:
    """A result for each submission that has none in the folder `out`."""
    return [
        {"name": printable(submission.name), **not_graded(why_not_graded(submission, out))}
        for submission in submissions
        if not result_file(submission, out).exists()
    ]


def as_csv(results: Sequence[dict[str, Any]]) -> str:
    """A line for each student: name, points, the points of each exercise, and the exercises for a
    person to look at, or why there is no grade."""
    ids = [
        exercise["id"] for exercise in next(iter(graded(results)), {"exercises": []})["exercises"]
    ]
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(["name", "score", "max_score", *ids, "needs review"])
    for result in results:
        if why := result.get("not_graded"):
            blank = ["" for _ in ("score", "max_score", *ids)]
            table.writerow(
                map(plain_cell, [result["name"], *blank, f"not graded: {one_line(why)}"])
            )
            continue
        points = {exercise["id"]: exercise["score"] for exercise in result["exercises"]}
        look = " ".join(exercise["id"] for exercise in result["exercises"] if exercise["look"])
        row = [result["name"], result["score"], result["max_score"], *map(points.get, ids), look]
        table.writerow(map(plain_cell, row))
    return written.getvalue()


@dataclass(frozen=True)
class Doubt:
    """A reason for a person to look at a student's exercise. If it `counts`, the exercise has no
    points until that person decides."""

    name: str
    exercise: str
    why: str
    counts: bool


def doubts(results: Iterable[dict[str, Any]]) -> list[Doubt]:
    """The cases for a person to look at; those whose exercise has no points yet come first."""
    found = [
        Doubt(result["name"], exercise["id"], why, exercise["status"] == "needs review")
        for result in graded(results)
        for exercise in result["exercises"]
        for why in (*exercise["look"], *exercise.get("uses", ()))
    ]
    return sorted(found, key=lambda note: not note.counts)


def stumbles(results: Iterable[dict[str, Any]]) -> list[Stumble]:
    """The failed tests, by exercise, the most failed first."""
    started: Counter[str] = Counter()
    failed: Counter[tuple[str, str]] = Counter()
    for result in results:
        for exercise in result["exercises"]:
            if exercise["status"] in ("passing", "failing", "not measured"):
                started[exercise["id"]] += 1
                failed.update(
                    (exercise["id"], failure["test"])
                    for failure in exercise["failures"]
                    if not failure["says"].startswith(UNMEASURED)
                )
    found = [Stumble(id_, test, n, started[id_]) for (id_, test), n in failed.items()]
    return sorted(found, key=lambda stumble: (stumble.exercise, -stumble.failed, stumble.test))


def beliefs(results: Iterable[dict[str, Any]]) -> list[Belief]:
    """The messages of failures, the most frequent first. Messages that differ only in a number or a
    quoted text count as one. Tests that could not be measured are left out."""
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    tests: dict[tuple[str, str], set[str]] = defaultdict(set)
    example: dict[tuple[str, str], str] = {}
    for result in results:
        for exercise in result["exercises"]:
            for failure in exercise["failures"]:
                if failure["says"].startswith(UNMEASURED):
                    continue
                message = failure["says"].partition("\n")[0]
                key = exercise["id"], _VARIES.sub("…", message)
                seen[key].add(result["name"])
                tests[key].add(failure["test"])
                example.setdefault(key, message)
    found = [
        Belief(key[0], len(names), example[key], tuple(sorted(tests[key])))
        for key, names in seen.items()
    ]
    return sorted(found, key=lambda belief: (-belief.students, belief.exercise, belief.example))


def as_page(
    results: Sequence[dict[str, Any]],
    alike: dict[str, list[Alike]] | None,
    without: Sequence[dict[str, Any]] = (),
) -> str:
    """The page of what the class stumbles on, as Markdown. `without` are the results without a
    grade. `alike` has the pairs of similar submissions, by exercise; None leaves this part out."""
    lines = [f"# What {len(results)} students stumble on", "", "![](stumbles.png)", ""]
    if without:
        lines += ["## Not graded", "", "| name | why |", "|---|---|"]
        lines += [
            f"| {_cell(result['name'])} | {_cell(result['not_graded'])} |" for result in without
        ]
        lines += [""]
    lines += ["| exercise | passing | failing | not started | other |", "|---|--:|--:|--:|--:|"]
    for id_, counts in statuses(results).items():
        known = [counts[status] for status in ("passing", "failing", "not started")]
        cells = " | ".join(map(str, [*known, counts.total() - sum(known)]))
        lines.append(f"| {id_} | {cells} |")
    lines += ["", "## By test", "", "| exercise | test | fail | of |", "|---|---|--:|--:|"]
    for stumble in stumbles(results):
        sentence = _cell(TestResult(stumble.test).sentence)
        lines.append(f"| {stumble.exercise} | {sentence} | {stumble.failed} | {stumble.of} |")
    lines += ["", "## By what the failures say", "", "| students | exercise | message |"]
    lines += ["|--:|---|---|"]
    for belief in beliefs(results)[:MAX_BELIEFS]:
        lines.append(f"| {belief.students} | {belief.exercise} | {_cell(belief.example)} |")
    if alike is not None:
        lines += ["", "## Alike", "", WARNING, ""]
        lines += ["| exercise | one | other | shared |", "|---|---|---|--:|"]
        for id_, pairs in alike.items():
            lines += [
                f"| {id_} | {_cell(pair.one)} | {_cell(pair.other)} | {pair.share:.0%} |"
                for pair in pairs[:MAX_PAIRS]
            ]
            if (more := len(pairs) - MAX_PAIRS) > 0:
                lines.append(f"| {id_} | and {more:,} pairs more | | |")
    return "\n".join(lines) + "\n"


def statuses(results: Iterable[dict[str, Any]]) -> dict[str, Counter[str]]:
    """How many students have each status, by exercise; one more is `not measured`."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for exercise in result["exercises"]:
            status = exercise["status"] if was_measured(result, exercise) else "not measured"
            found[exercise["id"]][status] += 1
    return dict(found)


def _cell(text: str) -> str:
    return re.sub(r"([|`*_<\[\]\\])", r"\\\1", one_line(text)[:300])


def drawn(results: Sequence[dict[str, Any]]) -> bytes:
    """A picture, as PNG, of how many pass each exercise, and of the tests that fail most.

    Raises:
        ImportError: matplotlib is not installed.
    """
    from matplotlib.figure import Figure

    by_exercise = statuses(results)
    tests = sorted(stumbles(results), key=lambda stumble: stumble.failed)[-MAX_DRAWN:]
    figure = Figure(figsize=(9, 2 + 0.25 * (len(by_exercise) + len(tests))), layout="constrained")
    heights = [max(len(by_exercise), 1), max(len(tests), 1)]
    above, below = figure.subplots(2, 1, height_ratios=heights)
    left = [0] * len(by_exercise)
    for status, colour in (("passing", "#4c9f70"), ("failing", "#d98b3a"), ("not started", "#bbb")):
        n = [counts[status] for counts in by_exercise.values()]
        above.barh(list(by_exercise), n, left=left, color=colour, label=status)
        left = [before + more for before, more in zip(left, n, strict=True)]
    above.invert_yaxis()
    above.set_xlabel("students")
    above.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
    names = [f"{test.exercise} {TestResult(test.test).sentence}"[:70] for test in tests]
    below.barh(names, [test.failed for test in tests], color="#d98b3a")
    below.set_xlabel("students who fail the test")
    for part in (above, below):
        part.xaxis.get_major_locator().set_params(integer=True)
    picture = io.BytesIO()
    figure.savefig(picture, dpi=120)
    return picture.getvalue()
