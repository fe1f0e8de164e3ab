"""The course's exercises, as listed in `exercises.toml`. All other code gets them from here."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

MANIFEST = Path(__file__).with_name("exercises.toml")


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    `target` is `module:qualified name`; `filter` selects its tests by `pytest -k`; `tests` are its
    test classes; `lesson` is its page; `minutes` is the estimated time; `difficulty` is 1 (easy), 2
    or 3; `hints` are three: a question, a place to look, an approach. `goal` is the module of
    `g2c.course.scored` that measures it, if it has one. `needs` are the ids of other exercises
    whose functions its tests call; indirect ones may be left out.
    """

    id: str
    title: str
    target: str
    filter: str
    tests: tuple[str, ...]
    lesson: str
    minutes: int
    difficulty: int
    hints: tuple[str, ...]
    goal: str = ""
    needs: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The module of the course that it belongs to, such as `19`."""
        return self.id.partition(".")[0]

    @property
    def points(self) -> int:
        """Its points in grading."""
        return 5 * self.difficulty

    @property
    def function(self) -> str:
        """The function's own name, such as `render`."""
        return self.target.rpartition(":")[2].rpartition(".")[2]

    @property
    def name(self) -> str:
        """The function's qualified name, such as `Scratchpad.render`."""
        return self.target.rpartition(":")[2]

    @property
    def file(self) -> str:
        """The file of the function, relative to the project's folder."""
        return self.target.partition(":")[0].replace(".", "/") + ".py"

    @property
    def solution_file(self) -> str:
        """Its reference's file, relative to the project's folder."""
        return self.file.replace("g2c/", "g2c/solutions/", 1)

    def other_solutions(self, root: Path) -> list[Path]:
        """The files with other good solutions in the course at `root`; often none."""
        folder = Path(self.file.replace("g2c/", "g2c/solutions/others/", 1)).with_suffix("")
        return sorted(path for path in (root / folder).glob("[a-z]*.py"))

    @property
    def first_version(self) -> str:
        """The module with the function as one might write it first, for `g2c break`."""
        return self.target.partition(":")[0].replace("g2c.", "g2c.course.first_versions.", 1)

    @property
    def first_version_file(self) -> str:
        """The file of that module, relative to the project's folder."""
        return self.first_version.replace(".", "/") + ".py"

    @property
    def suite(self) -> str:
        """The file of its tests, relative to the project's folder."""
        return f"tests/test_{self.target.split('.')[1]}.py"

    @property
    def test_ids(self) -> list[str]:
        """Its test classes as pytest names them, such as `tests/test_agent.py::TestRender`."""
        return [f"{self.suite}::{name}" for name in self.tests]


@cache
def load_exercises(path: Path = MANIFEST) -> tuple[Exercise, ...]:
    """All exercises, in the order in which they are taken."""
    return exercises_in(path.read_text(encoding="utf-8"))


def exercises_in(manifest: str) -> tuple[Exercise, ...]:
    """The exercises that the text of a manifest lists."""
    return tuple(
        Exercise(
            **{
                **entry,
                "tests": tuple(entry["tests"]),
                "needs": tuple(entry.get("needs", ())),
                "hints": tuple(hint.strip() for hint in entry["hints"]),
            }
        )
        for entry in tomllib.loads(manifest)["exercise"]
    )


def find_exercise(exercise_id: str) -> Exercise:
    """The exercise with that id.

    Raises:
        ValueError: there is none; the message suggests a similar id, or lists all.
    """
    for exercise in load_exercises():
        if exercise.id == exercise_id:
            return exercise
    known = [exercise.id for exercise in load_exercises()]
    own = [exercise.id for exercise in load_exercises() if exercise.module == exercise_id]
    if own:
        raise ValueError(f"{exercise_id} is a module. Name one of its exercises: {', '.join(own)}.")
    near = get_close_matches(exercise_id, known, n=1)
    meant = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
    raise ValueError(f"There is no exercise {exercise_id!r}. {meant}")


def find_exercises(name: str) -> tuple[Exercise, ...]:
    """The exercises of the module of that name, such as `19`, or the one exercise with that id.

    Raises:
        ValueError: there is no such module or exercise.
    """
    of_module = tuple(exercise for exercise in load_exercises() if exercise.module == name)
    return of_module or (find_exercise(name),)


def modules() -> list[str]:
    """The modules that have exercises, such as `19`, in order."""
    return list(dict.fromkeys(exercise.module for exercise in load_exercises()))


def exercises_up_to(exercise: Exercise) -> list[Exercise]:
    """The exercises before this one in its module, on which it may depend, and this one last."""
    earlier = load_exercises()[: load_exercises().index(exercise) + 1]
    return [one for one in earlier if one.module == exercise.module]


def needed_by(exercise: Exercise) -> set[str]:
    """The ids of the exercises that it needs, directly or indirectly."""
    found = set(exercise.needs)
    return found.union(*(needed_by(find_exercise(name)) for name in exercise.needs))


def all_suites() -> list[str]:
    """The files of the student's tests, relative to the project's folder."""
    return sorted({exercise.suite for exercise in load_exercises()})


def check_reference_names(requested: str) -> None:
    """Check a list for `G2C_REFERENCE`.

    Raises:
        ValueError: a name is neither `all` nor a module nor an exercise; the message lists them.
    """
    exercises = load_exercises()
    known = {"all", *(e.module for e in exercises), *(e.id for e in exercises)}
    for name in filter(None, (part.strip() for part in requested.split(","))):
        if name not in known:
            raise ValueError(
                f"There is no exercise {name!r}; known are {', '.join(sorted(known))}."
            )
