"""Plausible wrong answers: programs of a thoughtful person who believes something false.

Tests are measured by the wrong programs that they refuse, and by what they say then: it must be
about the mistake. Most answers are the reference with a small change, so a reader sees only the
mistake. Beside each exercise's `wrong.py`, `caught.toml` has the test that catches each belief.
"""

import linecache
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from g2c.course.manifest import find_exercise, load_exercises

ROOT = Path(__file__).parents[3]

Function = Callable[..., Any]


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong function for `exercise`, and the `belief` behind it. The student's test `caught_by`
    fails on it and says `says`, a part of its message with single spaces; both are empty if
    `caught.toml` has none."""

    exercise: str
    belief: str
    function: Function
    caught_by: str
    says: str

    @property
    def name(self) -> str:
        """The exercise and the first words of the belief."""
        words = re.findall(r"\w+", self.belief.lower())
        return "-".join([self.exercise, *words[:9]])


BANK: list[WrongAnswer] = []


def wrong(
    exercise: str, belief: str = "", *replace: tuple[str, str]
) -> Callable[[Function], Function]:
    """Put a wrong answer into the bank: the reference of `exercise`, in which `replace` exchanges
    old texts for new ones.

    Without `replace` it is a decorator of a whole function, whose docstring is the belief: for an
    answer of another structure than the reference's.

    Raises:
        ValueError: an old text does not stand in the reference exactly once.
    """

    def add(function: Function) -> Function:
        said = belief or " ".join((function.__doc__ or "").split())
        caught_by, says = caught(exercise).get(said, ("", ""))
        BANK.append(WrongAnswer(exercise, said, function, caught_by, says))
        return function

    if replace:
        add(_changed(exercise, belief, replace))
    return add


def caught_file(exercise: str) -> Path:
    return ROOT / find_exercise(exercise).folder / "caught.toml"


@cache
def caught(exercise: str) -> Mapping[str, tuple[str, str]]:
    """For each belief the test that catches it, and words of its message."""
    file = caught_file(exercise)
    return tomllib.loads(file.read_text("utf-8")) if file.exists() else {}


def _changed(exercise_id: str, belief: str, replace: tuple[tuple[str, str], ...]) -> Function:
    exercise = find_exercise(exercise_id)
    source = (ROOT / exercise.solution_file).read_text("utf-8")
    for old, new in replace:
        if (count := source.count(old)) != 1:
            raise ValueError(f"{exercise_id}, {belief!r}: {old!r} stands {count} times, not once.")
        source = source.replace(old, new)
    # A name of its own, under which a traceback finds its lines.
    name = f"<{exercise_id}: {belief}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module = ModuleType(f"wrong_answer_{len(BANK)}")
    sys.modules[module.__name__] = module  # a dataclass looks there for what its types mean
    exec(compile(source, name, "exec"), vars(module))
    function: Function = getattr(module, exercise.function)
    return function


def load_bank() -> list[WrongAnswer]:
    """All wrong answers. `__main__` sets its switch before, for they import exercises."""
    for exercise in load_exercises():
        exercise.part("wrong")
    return BANK


def load_first_versions() -> list[WrongAnswer]:
    """The first version of each exercise that `g2c break` shows. No test of theirs is named."""
    return [
        WrongAnswer(
            exercise.id, "first", getattr(exercise.part("naive"), exercise.function), "", ""
        )
        for exercise in load_exercises()
    ]
