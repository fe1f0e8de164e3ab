"""The exercises of the course, from their folders in `g2c/exercises`. All other code gets them from
here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from g2c.broken import STUDENTS
from g2c.files import read_bytes

FOLDER = Path(__file__).parents[1] / "exercises"
ENTRY = "exercise.toml"
PACKAGES = {str(n): name.removeprefix("g2c.") for n, name in enumerate(STUDENTS, 19)}
"""The packages of the modules, in `g2c`."""

_NAME = re.compile(r"e(\d+)_(\d+)_(\w+)")


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    `function` is its function's name, which its folder and the student's file have, too; `filter`
    selects its tests by `pytest -k`; `tests` are its test classes; `lesson` is its page; `minutes`
    is the estimated time; `difficulty` is 1 (easy), 2 or 3; `hints` are three: a question, a place
    to look, an approach. `needs` are the ids of other exercises whose functions its tests call;
    indirect ones may be left out. `was` is the name of the student's file before 0.3, where it had
    another. `has_goal` says whether a score judges it.
    """

    id: str
    function: str
    title: str
    filter: str
    tests: tuple[str, ...]
    lesson: str
    minutes: int
    difficulty: int
    hints: tuple[str, ...]
    needs: tuple[str, ...] = ()
    was: str = ""
    has_goal: bool = False

    @property
    def module(self) -> str:
        """The module of the course that it belongs to, such as `19`."""
        return self.id.partition(".")[0]

    @property
    def points(self) -> int:
        """Its points in grading."""
        return 5 * self.difficulty

    @property
    def package(self) -> str:
        """The package of its module, such as `g2c.agent`."""
        return f"g2c.{PACKAGES[self.module]}"

    @property
    def import_name(self) -> str:
        """The name of the student's module, such as `g2c.agent.render`."""
        return f"{self.package}.{self.function}"

    @property
    def slug(self) -> str:
        """The name of its folder in `g2c/exercises`."""
        return f"e{self.id.replace('.', '_')}_{self.function}"

    @property
    def folder(self) -> str:
        """Its folder, relative to the project's folder."""
        return f"g2c/exercises/{self.slug}"

    @property
    def file(self) -> str:
        """The student's file, relative to the project's folder."""
        return self.import_name.replace(".", "/") + ".py"

    @property
    def old_file(self) -> str:
        """The student's file before 0.3; empty where it had the same name."""
        return f"{self.package.replace('.', '/')}/{self.was}" if self.was else ""

    @property
    def solution_file(self) -> str:
        """Its reference's file, relative to the project's folder."""
        return f"{self.folder}/solution.py"

    @property
    def first_version_file(self) -> str:
        """The file of its first version, relative to the project's folder."""
        return f"{self.folder}/naive.py"

    def other_solutions(self, root: Path) -> list[Path]:
        """The files with other good solutions in the course at `root`; often none."""
        return sorted((root / self.folder).glob("alternatives/[a-z]*.py"))

    def part(self, name: str) -> ModuleType:
        """The module of that name in its folder, such as `naive`."""
        return import_module(f"g2c.exercises.{self.slug}.{name}")

    @property
    def suite(self) -> str:
        """The file of its tests, relative to the project's folder."""
        return f"tests/test_{PACKAGES[self.module]}.py"

    @property
    def test_ids(self) -> list[str]:
        """Its test classes as pytest names them, such as `tests/test_agent.py::TestRender`."""
        return [f"{self.suite}::{name}" for name in self.tests]


def load_exercises() -> tuple[Exercise, ...]:
    """All exercises, in the order in which they are taken."""
    return _load("e*")


@cache
def _load(folders: str) -> tuple[Exercise, ...]:
    files = (folder / name for folder in FOLDER.glob(folders) for name in (ENTRY, "goal.py"))
    return exercises_in({file.as_posix(): read_bytes(file) for file in files if file.exists()})


def exercises_in(files: Mapping[str, bytes]) -> tuple[Exercise, ...]:
    """The exercises whose entries are among these files, by their paths; others are ignored."""
    import tomllib

    found = {}
    for path, data in files.items():
        *_, folder, name = ["", *path.split("/")]
        if name == ENTRY and (named := _NAME.fullmatch(folder)):
            module, number = int(named[1]), int(named[2])
            entry = tomllib.loads(data.decode())
            found[module, number] = Exercise(
                **{
                    **entry,
                    "id": f"{module}.{number}",
                    "function": named[3],
                    "tests": tuple(entry["tests"]),
                    "needs": tuple(entry.get("needs", ())),
                    "hints": tuple(hint.strip() for hint in entry["hints"]),
                    "has_goal": path.removesuffix(ENTRY) + "goal.py" in files,
                }
            )
    return tuple(found[number] for number in sorted(found))


def find_exercise(exercise_id: str) -> Exercise:
    """The exercise with that id.

    Raises:
        ValueError: there is none; the message suggests the exercise with that function, file or
            class of tests, or a similar id, or lists all.
    """
    for exercise in load_exercises():
        if exercise.id == exercise_id:
            return exercise
    known = [exercise.id for exercise in load_exercises()]
    own = [exercise.id for exercise in load_exercises() if exercise.module == exercise_id]
    if own:
        raise ValueError(f"{exercise_id} is a module. Name one of its exercises: {', '.join(own)}.")
    asked = "/" + exercise_id.replace("\\", "/").casefold().removesuffix(".py")
    files = {exercise.id: "/" + exercise.file.removesuffix(".py") for exercise in load_exercises()}
    of_file = [own for own, file in files.items() if file.endswith(asked) or asked.endswith(file)]
    of_tests = [exercise.id for exercise in load_exercises() if exercise_id in exercise.tests]
    near = of_file or of_tests or get_close_matches(exercise_id, known, n=1)
    meant = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(known)}."
    raise ValueError(f"There is no exercise {exercise_id!r}. {meant}")


def find_exercises(name: str) -> tuple[Exercise, ...]:
    """The exercises of the module of that name, such as `19`, or the one exercise with that id.

    Raises:
        ValueError: there is no such module or exercise.
    """
    is_id = re.fullmatch(r"\d+(\.\d+)?", name)
    found = _load(f"e{name.replace('.', '_')}_*") if is_id else ()  # reads no others
    return found or (find_exercise(name),)


def modules() -> list[str]:
    """The modules that have exercises, such as `19`, in order."""
    return list(dict.fromkeys(exercise.module for exercise in load_exercises()))


def exercises_up_to(exercise: Exercise) -> list[Exercise]:
    """The exercises before this one in its module, on which it may depend, and this one last."""
    earlier = load_exercises()[: load_exercises().index(exercise) + 1]
    return [other for other in earlier if other.module == exercise.module]


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
