"""Which slow tests a change touches.

A test depends on its file and on what that file names, in imports and in the code that it runs in
other processes: modules, folders, pages and commands. A module depends on what it imports, in
functions as well, but not on what it imports for types alone. Of a package, only the module that
defines an imported name counts.

The tests of the documentation depend on every page. A test with a page or an exercise's id among
its parameters depends on that one alone, and on the commands that the page shows.

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

from g2c.cli.commands import FILES
from g2c.course.manifest import load_exercises

ROOT = Path(__file__).resolve().parents[3]
SHARE = 10
"""One test in so many is drawn among those that a change does not touch."""
PAGES = frozenset({"docs", "notebooks", "README.md"})
SETUP = {"pyproject.toml", "constraints.txt", "prodlm.sh"}
EVERYTHING = SETUP | {"g2c/__init__.py", "tests/course/conftest.py"}
"""A change of these touches every test."""
_NAMED = re.compile(
    r"""(?:g2c|maintain)(?:\.\w+)+"""
    r"""|(?<![^\n"'/])(?:(?:g2c|maintain)(?:/[\w.-]+)*|(?:notebooks|docs)(?:/[\w.-]+)+)(?![^\n"'/])"""
)
_EXERCISE = re.compile(r"(?<![\d.])\d\d\.\d+(?![\d.])")
_PAGE = re.compile(r"[\w/-]+\.md")
_RUNS_COMMANDS = re.compile(r"g2c\(|cli\.main|CliRunner|\bCOMMAND\b")
_WORDS_OF_CODE = re.compile(r"(?:^|g2c )(\w+)(?: (\w+))?")
_WORDS_OF_PAGE = re.compile(r"(?:g2c|prodlm\.sh) (\w+)(?: (\w+))?")


def select_touched(since: str) -> Callable[[pytest.Item], bool]:
    """Whether a slow test is to run after the changes since the commit `since`. Where git does not
    know that commit, each is."""
    changed = _git("diff", "--name-only", since, "HEAD")
    if changed is None or EVERYTHING & set(changed):
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
    parameters = callspec.id if callspec else ""
    if exercises := tuple(_EXERCISE.findall(parameters)):
        needs = _needs_of_exercises(exercises) | {file}
    elif (named := _PAGE.search(parameters)) and (page := ROOT / named[0]).is_file():
        commands = _commands(_WORDS_OF_PAGE, [page.read_text("utf-8")])
        needs = needs_of(file).union({named[0]}, *map(needs_of, commands))
    else:
        needs = needs_of(file) | (PAGES if file.startswith("tests/course/docs/") else set())
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
    return frozenset(needs)


@cache
def _directly(file: str) -> frozenset[str]:
    path = ROOT / file
    if path.suffix != ".py":
        return frozenset()
    text = path.read_text("utf-8")
    names = set(_imported(text, with_types=path.name == "__init__.py"))
    strings = _strings(text) if file.startswith("tests/") else []
    names = names.union(*map(_NAMED.findall, strings))
    folder = f"{path.parent.relative_to(ROOT)}/"
    places = {place for name in names if (place := _place_of(name, folder))}
    if _RUNS_COMMANDS.search(text):
        places |= _commands(_WORDS_OF_CODE, strings)
    return frozenset(places | {_references()[place] for place in places & _references().keys()})


def _strings(text: str) -> list[str]:
    constants = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    return [value for value in constants if isinstance(value, str)]


def _commands(words: re.Pattern[str], texts: Iterable[str]) -> set[str]:
    """The files of the commands that these words in the texts name."""
    named = {word for text in texts for found in words.findall(text) for word in found}
    files = {f"g2c/cli/{FILES.get(word, word)}.py" for word in named}
    return {file for file in files if (ROOT / file).is_file()}


@cache
def _references() -> dict[str, str]:
    """For each student's file, the solution that stands in for it in these tests."""
    return {str(exercise.file): f"{exercise.folder}/solution.py" for exercise in load_exercises()}


def _imported(text: str, *, with_types: bool = False) -> Iterable[str]:
    left: list[ast.AST] = [ast.parse(text)]
    for node in left:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif with_types or not _is_for_types(node):
            left += ast.iter_child_nodes(node)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


@cache
def _place_of(name: str, folder: str) -> str | None:
    """The file of a module, or a folder, that `name` begins with in a file of `folder`: the
    longest. For a name that a package takes from a module, that module."""
    if (ROOT / name).is_file():
        return name
    parts = re.split("[./]", name)
    rest: list[str] = []
    while len(parts) > 1 or parts[0] not in ("g2c", "tests", "maintain", "docs"):
        for start in ("", folder, "tests/", "tests/course/", "tests/course/helpers/"):
            place = start + "/".join(parts)
            if (ROOT / f"{place}.py").is_file():
                return f"{place}.py"
            if (ROOT / (package := f"{place}/__init__.py")).is_file():
                origin = _names_of(package).get(rest[-1]) if rest else None
                return _place_of(origin, folder) if origin else package
            if start == "" and (ROOT / place).is_dir():
                return place
        if len(parts) == 1:
            return None
        rest.append(parts.pop())
    return None


@cache
def _names_of(package: str) -> dict[str, str]:
    """For each name that a package imports, its full name."""
    imported = _imported((ROOT / package).read_text("utf-8"), with_types=True)
    return {name.rpartition(".")[2]: name for name in imported}
