"""Imports go one way: no module imports one that stands on a higher floor.

All modules of `g2c` and `maintain` are read, and no list of them is kept
here: a new package is refused until it has a floor.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
import typer

from g2c.cli.app import app
from g2c.cli.commands import BELOW, FILES, PANELS
from g2c.course.manifest import Exercise, load_exercises
from g2c.exercise import REFERENCE_VARIABLE

ROOT = Path(__file__).parents[2]
FLOORS = (
    *("inference", "tools", "agent", "memory", "critic", "loop", "home", "suite", "evaluation"),
    *("swarm", "guard", "days", "widgets", "course", "exercises", "classroom", "cli", "maintain"),
)
"""From the lowest to the highest. Below them all are the modules that stand directly in `g2c`, such
as `g2c.files`."""

ROOMS = ({"check", "folder", "notebook"}, {"browser"})
"""The floors inside `g2c/course`. Below them are the modules directly in it."""

HEAVY = {
    *("IPython", "ipywidgets", "jsonschema", "jupyterlab", "ollama", "pydantic", "requests"),
    *("rich", "typer", "watchfiles", "xllamacpp", "yaml"),
}
LIGHT_PACKAGES = ("inference", "tools", "agent", "memory", "critic", "loop")


@cache
def modules() -> dict[str, Path]:
    """Every module's file by its name, such as `g2c.agent` or `g2c.agent.parse_react_step`."""
    found = {}
    for folder in ("g2c", "maintain"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text("utf-8"))


@cache
def imports(module: str) -> tuple[tuple[str, str], ...]:
    """The imports of a module, anywhere in it: the full names, each with `at import` if it is
    imported together with the module, `in a function`, or `for types`."""
    return tuple(_imports(tree(module), module, "at import"))


def _imports(node: ast.AST, module: str, when: str) -> Iterator[tuple[str, str]]:
    for inner in ast.iter_child_nodes(node):
        match inner:
            case ast.Import():
                yield from ((alias.name, when) for alias in inner.names)
            case ast.ImportFrom():
                assert not inner.level, f"{module} has a relative import; write it in full"
                for alias in inner.names:
                    whole = f"{inner.module}.{alias.name}"
                    yield (whole if whole in modules() else str(inner.module)), when
            case ast.If() if "TYPE_CHECKING" in ast.unparse(inner.test):
                yield from _imports(inner, module, "for types")
            case ast.FunctionDef() | ast.AsyncFunctionDef() if when == "at import":
                yield from _imports(inner, module, "in a function")
            case _:
                yield from _imports(inner, module, when)


def package_of(module: str) -> str:
    """The package that a module is in, such as `agent`; "" for one that is directly in `g2c`."""
    top, *rest = module.split(".")
    if top != "g2c":
        return top
    if rest == ["__main__"]:
        return "cli"  # it is the command, by another name
    is_package = modules()[".".join(["g2c", *rest[:1]])].name == "__init__.py"
    return rest[0] if rest and is_package else ""


def floor_of(package: str) -> int:
    assert package in ("", *FLOORS), f"the package {package} has no floor in test_structure.py"
    return ("", *FLOORS).index(package)


def own_imports(module: str) -> Iterator[tuple[str, str]]:
    """The imports of a module that are modules of this project."""
    return ((name, when) for name, when in imports(module) if name in modules())


@pytest.mark.slow
def test_no_module_imports_from_a_higher_floor() -> None:
    upwards = []
    for module in modules():
        own = package_of(module)
        for name, when in own_imports(module):
            other = package_of(name)
            if other != own and floor_of(other) >= floor_of(own):
                upwards.append(f"{module} imports {name} {when}")
    assert not upwards, "\n".join(upwards)


def test_the_rooms_of_the_course_go_one_way() -> None:
    def floor(module: str) -> tuple[str, int]:
        room = module.split(".")[2] if module.count(".") > 1 else ""
        return room, next((n for n, rooms in enumerate(ROOMS, 1) if room in rooms), 0)

    upwards = []
    for module in modules():
        for name, when in own_imports(module):
            if package_of(module) == package_of(name) == "course":
                (room, own), (other, above) = floor(module), floor(name)
                if other != room and above >= own and above:
                    upwards.append(f"{module} imports {name} {when}")
    assert not upwards, "\n".join(upwards)


STUDENTS = ("agent", "memory", "critic", "loop", "evaluation", "swarm", "guard")


def room_of(module: str) -> int:
    """A module's room in a student's package, from below: `core`, the student's, `app`,
    and the package itself."""
    inner = module.split(".")[2:]
    return {"core": 0, "app": 2}.get(inner[0], 1) if inner else 3


@pytest.mark.parametrize("package", STUDENTS)
def test_the_students_rooms_stand_between_what_is_provided_and_what_is_assembled(
    package: str,
) -> None:
    own = [module for module in modules() if package_of(module) == package]
    upwards = [
        f"{module} imports {name} {when}"
        for module in own
        for name, when in own_imports(module)
        if package_of(name) == package and room_of(name) > room_of(module)
    ]
    assert not upwards, "\n".join(upwards)


@pytest.mark.parametrize("package", STUDENTS)
def test_each_file_of_the_students_is_one_exercise(package: str) -> None:
    files = {file.relative_to(ROOT).as_posix() for file in (ROOT / "g2c" / package).glob("*.py")}
    exercises = [
        exercise for exercise in load_exercises() if exercise.file.startswith(f"g2c/{package}/")
    ]
    assert files == {f"g2c/{package}/__init__.py", *(exercise.file for exercise in exercises)}
    for exercise in exercises:
        module = exercise.import_name
        _docstring, *statements = tree(module).body
        kinds = [type(node) for node in statements if not isinstance(node, ast.ImportFrom)]
        assert kinds == [ast.FunctionDef], f"{exercise.file} holds more than its exercise"


def test_a_reference_stands_on_no_stub() -> None:
    for exercise in load_exercises():
        module = f"g2c.exercises.{exercise.slug}.solution"
        for name, _ in own_imports(module):
            package = package_of(name)
            allowed = package not in STUDENTS or ".core" in name
            others = {exercise.import_name for exercise in load_exercises()} - {module}
            assert allowed or name in others, f"{module} imports {name}"
            assert name != exercise.import_name, f"{module} imports its own stub"


def test_no_two_modules_import_each_other() -> None:
    graph = {
        module: {name for name, when in own_imports(module) if when != "for types"} - {module}
        for module in modules()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("these modules import one another: " + " <- ".join(error.args[1]))


@pytest.mark.parametrize(
    "exercise", {each.module: each for each in load_exercises()}.values(), ids=str
)
def test_a_reference_can_be_imported_before_the_package_that_it_stands_on(
    exercise: Exercise,
) -> None:
    solution = exercise.solution_file.removesuffix(".py").replace("/", ".")
    name = exercise.import_name
    function = name.rpartition(".")[2]
    code = (
        f"import {solution}; from {name} import {function} as own;"
        "import g2c.broken as broken; print(broken.broken_files(), own.__exercise__)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, REFERENCE_VARIABLE: "all"},
    )
    assert run.stdout == f"{{}} {exercise.id}\n", run.stderr


def test_only_the_exercise_switch_reaches_the_solutions() -> None:
    for module in modules():
        if module.endswith((".wrong", ".picture")) or module.split(".")[-2:-1] == ["alternatives"]:
            continue
        found = [name for name, _ in imports(module) if ".solution" in name]
        assert not found, f"{module} imports {found}"


SERVED = "g2c.inference.served."
WITH_A_SERVER = {
    SERVED + name
    for name in ("ollama", "openai", "live", "_ollama_models", "_ollama_wire", "_openai_wire")
} | {SERVED + "_openai_messages", SERVED + "_retry", SERVED + "_transport"}
"""They are imported where a model on a server is chosen, so they may load its client."""


@pytest.mark.parametrize("package", LIGHT_PACKAGES)
def test_heavy_modules_are_imported_where_they_are_used(package: str) -> None:
    for module in modules():
        if package_of(module) == package and module not in WITH_A_SERVER:
            names = {name for name, when in imports(module) if when == "at import"}
            loaded = HEAVY & {name.split(".")[0] for name in names} | WITH_A_SERVER & names
            assert not loaded, f"{module} imports {loaded} when it is imported"


def test_importing_the_agent_loads_nothing_heavy() -> None:
    code = "import sys, g2c.agent; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    late = {f"g2c.tools.{name}" for name in ("calculator", "files", "run_python", "web_search")}
    late |= {"hashlib", "tomllib", "g2c.visible", "g2c.inference.scripted"}
    assert not (late | HEAVY) & {*run.stdout.split()}


@pytest.mark.parametrize("line", ["--version", "runs", "hint 19.1", "next"])
def test_a_command_loads_only_what_it_uses(line: str, tmp_path: Path) -> None:
    runs = f"sys.argv[1:] = {line.split()}; main.main()"
    if line == "next":  # it would run tests, in a process of their own
        runs = "main._names_a_model('next'); import g2c.cli.exercises, g2c.cli.display"
    code = f"import atexit, sys; atexit.register(lambda: print('all', *sys.modules))\n{runs}"
    code = f"from g2c.cli import main; {code}"
    env = {**os.environ, "G2C_ROOT": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    )
    loaded = {*run.stdout.splitlines()[-1].split()}
    late = {f"g2c.{name}" for name in ("agent", "memory", "critic", "loop", "swarm", "guard")}
    late |= {"g2c.tools", "g2c.inference.model_choice", "g2c.cli.grade", "importlib.metadata"}
    late |= {"click", "dask", "hypothesis", "matplotlib", "mcp", "numpy", "rich.markdown"}
    assert "g2c.cli.commands" in loaded
    assert not (late | HEAVY - {"rich", "typer"}) & loaded


def test_a_command_is_in_the_file_of_its_name() -> None:
    rooms = {name: (FILES.get(name, name),) for names in PANELS.values() for name in names}
    for files in (*rooms.values(), *BELOW.values()):
        for file in files:
            family = import_module(f"g2c.cli.{file}").app
            for command in typer.main.get_group(family).commands:
                assert FILES.get(command, command) == file, f"g2c {command}"
    assert sorted(typer.main.get_group(app).commands) == sorted(rooms), "PANELS names them all"
