"""Grading again: the settings of a result, and what has changed since."""

import ast
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from g2c import __version__
from g2c.classroom.confinement import COURSE
from g2c.classroom.grader import Task
from g2c.classroom.measurement import UNMEASURED
from g2c.classroom.sandbox import Conditions
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.scored import is_by_model
from g2c.files import read_bytes, read_text, replace_bytes

OLD = "old"
"""The folder for replaced results, beside the results."""

_LIMITS = {"seconds": "time limit", "memory_mb": "memory", "seed": "seed", "sandbox": "sandbox"}


@dataclass(frozen=True)
class Change:
    """An exercise whose points have changed; None means that it was not graded."""

    id: str
    old: float | None
    new: float | None


def made_with(task: Task) -> dict[str, Any]:
    """The settings that a result's file stores: limits, seed, and digests of each exercise's
    tests."""
    return {
        "conditions": asdict(task.conditions),
        "model": task.model,
        "tests": {exercise.id: state_of_tests(exercise) for exercise in task.exercises},
    }


@cache
def state_of_tests(exercise: Exercise) -> str:
    """A digest that changes with the tests of an exercise."""
    classes = _classes(COURSE / exercise.suite)
    whole = "\n".join(classes.get(name, "") for name in exercise.tests)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


@cache
def _classes(suite: Path) -> dict[str, str]:
    """The test classes of a file: their code without comments and layout."""
    return {
        node.name: ast.unparse(node)
        for node in ast.parse(read_text(suite)).body
        if isinstance(node, ast.ClassDef)
    }


def setting_differences(
    result: Mapping[str, Any], settings: Mapping[str, Any], exercises: Iterable[Exercise]
) -> tuple[str, ...]:
    """The differences of a result from the folder's settings and from the current course, such as
    `("seed", "tests of 19.2")`.

    A result of an older g2c lacks some fields; a missing field is not a difference.
    """
    if "exercises" not in result:
        return ()
    made = result.get("made_with") or {}
    was = {"seed": result.get("seed"), "sandbox": result.get("sandbox")} | dict(
        made.get("conditions") or {}
    )
    is_now = dict(settings.get("conditions") or {})
    found = [
        words
        for key, words in _LIMITS.items()
        if was.get(key) is not None and key in is_now and was[key] != is_now[key]
    ]
    if "model" in made and "model" in settings and made["model"] != settings["model"]:
        found.append("model")
    if (course := result.get("course", __version__)) != __version__:
        found.append(f"g2c {course}")
    now = {exercise.id: exercise for exercise in exercises}
    tests = dict(made.get("tests") or {})
    for graded in result["exercises"]:
        one = now.get(graded["id"])
        if one is None or graded.get("max_score", one.points) != one.points:
            found.append(f"points of {graded['id']}")
        if one and tests.get(one.id, own := state_of_tests(one)) != own:
            found.append(f"tests of {one.id}")
    return tuple(found)


def was_measured(result: Mapping[str, Any], exercise: Mapping[str, Any]) -> bool:
    """Whether an exercise's grade is complete. With `--no-model`, the grade of one that is measured
    on the model is not, unless it has other faults: then it would earn nothing on the model
    either."""
    model = (result.get("made_with") or {}).get("model", True)
    of_model = {exercise.id for exercise in load_exercises() if is_by_model(exercise)}
    if exercise["status"] == "not measured":
        return False
    if model or exercise["status"] != "failing" or exercise["id"] not in of_model:
        return True
    return not all(failure["says"].startswith(UNMEASURED) for failure in exercise["failures"])


def made_with_other_settings(
    results: Iterable[Mapping[str, Any]], settings: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """The names of the results that were made with other settings, with what differs."""
    exercises = load_exercises()
    found = {
        str(result["name"]): setting_differences(result, settings, exercises) for result in results
    }
    return {name: differs for name, differs in found.items() if differs}


def options_of(settings: Mapping[str, Any]) -> str:
    """The options of `g2c class grade` for the folder's settings; its seed is taken from there.

    >>> options_of({"exercises": ["19.1", "19.2"], "conditions": {"seconds": 90.0}})
    '--module 19 --time-limit 90'
    """
    is_now = dict(settings.get("conditions") or {})
    modules = {str(exercise).partition(".")[0] for exercise in settings.get("exercises") or ()}
    words = [f"--module {module}" for module in modules if len(modules) == 1]
    usual = Conditions()
    if (seconds := is_now.get("seconds", usual.seconds)) != usual.seconds:
        words.append(f"--time-limit {seconds:g}")
    if (memory := is_now.get("memory_mb", usual.memory_mb)) != usual.memory_mb:
        words.append(f"--memory-mb {memory}")
    if (kind := is_now.get("sandbox", "bwrap")) != "bwrap":
        words.append(f"--sandbox {kind if kind == 'none' else 'container'}")
    if settings.get("model") is False:
        words.append("--no-model")
    return " ".join(words)


def archive_result(file: Path, now: datetime) -> Path | None:
    """Copy a result into the folder `old` beside it, as NAME-DATE.json; None if there is none.

    Raises:
        OSError: it cannot be copied.
    """
    try:
        content = read_bytes(file)
    except FileNotFoundError:
        return None
    name = f"{file.stem}-{now:%Y-%m-%dT%H%M%S}"
    kept = file.parent / OLD / f"{name}.json"
    number = 2
    while kept.exists():
        kept = kept.with_name(f"{name}-{number}.json")
        number += 1
    replace_bytes(kept, content)
    return kept


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    """The exercises whose points differ between two results, in the course's order."""
    before = {exercise["id"]: exercise["score"] for exercise in old.get("exercises", ())}
    after = {exercise["id"]: exercise["score"] for exercise in new.get("exercises", ())}
    order = {exercise.id: place for place, exercise in enumerate(load_exercises())}
    ids = sorted({*before, *after}, key=lambda id_: (order.get(id_, len(order)), id_))
    return tuple(
        Change(id_, before.get(id_), after.get(id_))
        for id_ in ids
        if before.get(id_) != after.get(id_)
    )


def in_words(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """The changes by grading again, on one line.

    >>> in_words({"score": 5, "exercises": [{"id": "19.2", "score": 5}]},
    ...          {"score": 10, "exercises": [{"id": "19.2", "score": 10}]})
    '5 -> 10 points; 19.2: 5 -> 10'
    """
    sums = f"{_shown(old.get('score'))} -> {_shown(new.get('score'))} points"
    parts = [
        f"{change.id}: {_shown(change.old)} -> {_shown(change.new)}" for change in changes(old, new)
    ]
    return "; ".join([sums, *(parts or ["no exercise changed"])])


def _shown(points: float | None) -> str:
    return "none" if points is None else f"{points:g}"
