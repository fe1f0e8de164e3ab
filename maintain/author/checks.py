"""Check that all places of an exercise are filled in and agree."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from g2c.course.manifest import Exercise
from g2c.extras import require
from g2c.surroundings import own_environment
from g2c.written import lines_of
from maintain.author.new import TODO
from maintain.author.stubs import main as keep_stubs

TESTS = Path("tests/course")


@dataclass(frozen=True)
class Finding:
    """The subject of a check, and the problem that it found: empty if there is none."""

    about: str
    problem: str = ""


def check(exercise: Exercise, root: Path) -> Iterator[Finding]:
    """Yield what is left to write. If nothing is, store the stub's text for `g2c reset`, draw the
    pictures, and yield whether the places agree. Each finding comes as soon as it is known."""
    require("dev", "hypothesis")
    left = list(left_to_write(exercise, root))
    yield Finding("what is to be written", "\n".join(left))
    if left:
        return
    keep_stubs()
    if problem := draw_pictures(exercise, root):
        yield Finding("the pictures can be drawn", problem)
        return
    for about, arguments in runs(exercise).items():
        yield run_pytest(about, root, *arguments)


def runs(exercise: Exercise) -> dict[str, tuple[str, ...]]:
    """The test runs for an exercise: a few words about each, and pytest's arguments."""

    def files(*names: str) -> tuple[str, ...]:
        return tuple(str(TESTS / f"{name}.py") for name in names)

    of_it = ("-k", exercise.id)
    return {
        "the student's tests, on the reference": tuple(exercise.test_ids),
        "the places agree": files("course/test_course", "course/test_contracts", "test_structure"),
        "wrong answers are caught": (*files("course/test_wrong_answers"), *of_it),
        "what g2c break shows": (*files("cli/test_break"), *of_it),
        "the lessons, their links and pictures": files("docs/test_docs", "docs/test_pages"),
        "a row for it in CONTRIBUTING.md": (*files("maintain/test_mutation"), "-k", "in_the_docs"),
    }


def left_to_write(exercise: Exercise, root: Path) -> Iterator[str]:
    """The lines with a TODO in the exercise's places."""
    parts = ("exercise.toml", "solution.py", "naive.py", "wrong.py", "picture.py")
    places = (
        *(exercise.file, exercise.lesson, exercise.suite),
        *(f"{exercise.folder}/{part}" for part in parts),
    )
    for place in places:
        file = root / place
        if not file.exists():
            yield f"{place} is missing"
            continue
        for number, line in enumerate(lines_of(file.read_text("utf-8")), 1):
            if TODO in line:
                yield f"{place}:{number}: {line.strip()}"


def draw_pictures(exercise: Exercise, root: Path) -> str:
    """Draw the exercise's picture, and the map of all exercises. Return the errors, empty if there
    are none."""
    command = [sys.executable, "docs/pictures/draw.py", exercise.slug[1:].replace("_", "-")]
    # Without the first, since the script imports the files beside it; the second for this course.
    environment = own_environment(PYTHONSAFEPATH="", PYTHONPATH=str(root))
    done = subprocess.run(
        [*command, "course-map"], cwd=root, env=environment, capture_output=True, text=True
    )
    return done.stderr.strip() if done.returncode else ""


def run_pytest(about: str, root: Path, *arguments: str) -> Finding:
    """Run pytest in the folder `root`. Return its output, empty if all tests pass."""
    # -P and not the variable: processes that a test starts have their own folders.
    # One mistake can fail a hundred tests, and five failures are enough to find it.
    options = ("-q", "--reference=all", "--tb=short", "--maxfail=5")
    command = [sys.executable, "-P", "-m", "pytest", *options]
    environment = own_environment(CI="")
    del environment["PYTHONSAFEPATH"]
    done = subprocess.run(
        [*command, *arguments], cwd=root, env=environment, capture_output=True, text=True
    )
    output = f"{done.stdout}{done.stderr}".strip() or f"pytest ended with {done.returncode}"
    return Finding(about, output if done.returncode else "")
