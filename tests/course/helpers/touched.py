"""Which slow tests a change touches.

A test depends on its file and on what that file names: modules, folders and pages, in imports and
in the code that it runs in other processes. The tests of the documentation depend on each page.
Modules depend on what they import, in functions as well. A test with an exercise's id among its
parameters depends on that exercise alone.

A tenth of the other slow tests is drawn by the commit's name.
"""

import ast
import hashlib
import re
import subprocess
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest

from g2c.course.manifest import load_exercises

ROOT = Path(__file__).resolve().parents[3]
SHARE = 10
"""One test in so many is drawn among those that a change does not touch."""
PAGES = frozenset({"docs", "notebooks", "README.md"})
EVERYTHING = ("pyproject.toml", "constraints.txt", "prodlm.sh", "tests/course/conftest.py")
"""A change of these touches every test."""
_NAMED = re.compile(
    r"""(?:g2c|maintain)(?:\.\w+)+"""
    r"""|(?<=["'/])(?:(?:g2c|maintain)(?:/[\w.-]+)*|(?:notebooks|docs)(?:/[\w.-]+)+)(?=["'/])"""
)
_EXERCISE = re.compile(r"(?<![\d.])\d\d\.\d+(?![\d.])")


def select_touched(since: str) -> Callable[[pytest.Item], bool]:
    """Whether a slow test is to run after the changes since the commit `since`. Where git does not
    know that commit, each is."""
    changed = _git("diff", "--name-only", since, "HEAD")
    if changed is None or set(changed) & set(EVERYTHING):
        return lambda item: True
    (commit,) = _git("rev-parse", "HEAD") or [""]

    def is_selected(item: pytest.Item) -> bool:
        return is_touched(item, changed) or is_drawn(commit, item.nodeid)

    return is_selected


def is_drawn(commit: str, test: str) -> bool:
    drawn = hashlib.sha256(f"{commit} {test}".encode()).digest()
    return drawn[0] * 256 + drawn[1] < 65536 / SHARE


def _git(*arguments: str) -> list[str] | None:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return None if done.returncode else done.stdout.split("\n")[:-1]


def is_touched(item: pytest.Item, changed: Iterable[str]) -> bool:
    file = item.path.relative_to(ROOT).as_posix()
    callspec = getattr(item, "callspec", None)
    exercises = tuple(_EXERCISE.findall(callspec.id)) if callspec else ()
    needs = _needs_of_exercises(exercises) | {file} if exercises else needs_of(file)
    return any(_stands_in(path, needs) for path in changed)


def _stands_in(path: str, needs: Iterable[str]) -> bool:
    return any(path == need or path.startswith(f"{need}/") for need in needs)


@cache
def _needs_of_exercises(ids: tuple[str, ...]) -> frozenset[str]:
    needs: set[str] = set()
    for exercise in load_exercises():
        if exercise.id in ids:
            files = sorted((ROOT / exercise.folder).rglob("*.py"))
            needs |= {str(exercise.folder), str(exercise.file), exercise.suite}
            needs = needs.union(*(needs_of(file.relative_to(ROOT).as_posix()) for file in files))
    return frozenset(needs)


@cache
def needs_of(file: str) -> frozenset[str]:
    """The files and folders that the module `file` depends on, itself among them."""
    needs, new = {file}, {file}
    while new:
        new = set().union(*map(_directly, new)) - needs
        needs |= new
    return frozenset(needs | PAGES if file.startswith("tests/course/docs/") else needs)


@cache
def _directly(file: str) -> frozenset[str]:
    path = ROOT / file
    if path.suffix != ".py":
        return frozenset()
    text = path.read_text("utf-8")
    names = set(_imported(text))
    if file.startswith("tests/"):
        names |= set(_NAMED.findall(text))
    folder = f"{path.parent.relative_to(ROOT)}/"
    places = {place for name in names if (place := _place_of(name, folder))}
    return frozenset(places | {_references()[place] for place in places & _references().keys()})


@cache
def _references() -> dict[str, str]:
    """For each student's file, the solution that stands in for it in these tests."""
    return {str(exercise.file): f"{exercise.folder}/solution.py" for exercise in load_exercises()}


def _imported(text: str) -> Iterable[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _place_of(name: str, folder: str) -> str | None:
    """The file of a module, or a folder, that `name` begins with in a file of `folder`: the
    longest."""
    if (ROOT / name).is_file():
        return name
    parts = re.split("[./]", name)
    while len(parts) > 1 or parts[0] not in ("g2c", "tests", "maintain", "docs"):
        for start in ("", folder, "tests/", "tests/course/", "tests/course/helpers/"):
            place = start + "/".join(parts)
            for file in (f"{place}.py", f"{place}/__init__.py"):
                if (ROOT / file).is_file():
                    return file
            if start == "" and (ROOT / place).is_dir():
                return place
        if len(parts) == 1:
            return None
        parts.pop()
    return None
