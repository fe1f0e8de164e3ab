"""The course holds together: manifest, stubs, references, tests, lessons and hints agree.

These are checks of the course as it is shipped. Where an exercise has been filled in, those on its
stub fail.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from g2c.course.manifest import Exercise, load_exercises

ROOT = Path(__file__).parents[2]
EXERCISES = load_exercises()
COUNTS = re.compile(
    r"As shipped, (\d+) tests pass and (\d+) fail; with the reference all (\d+) pass\."
)
FILTER_ROW = re.compile(r"^\| `-k (\w+)` \|[^|]*\| (\d+) \|", re.MULTILINE)
BELOW = {
    "inference": set(),
    "tools": {"inference"},
    "agent": {"inference", "tools"},
    "memory": {"inference", "tools", "agent"},
    "critic": {"inference", "tools", "agent"},
    "loop": {"inference", "tools", "agent", "memory", "critic"},
}
"""What each package may import beside itself and the modules that stand outside all packages."""
HEAVY = {
    "IPython",
    "ipywidgets",
    "jsonschema",
    "jupyterlab",
    "ollama",
    "pydantic",
    "requests",
    "rich",
    "typer",
    "xllamacpp",
    "yaml",
}

each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=attrgetter("id"))


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def modules(package: str = "") -> list[Path]:
    return sorted((ROOT / "g2c" / package).rglob("*.py"))


def functions(file: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes, by their qualified names."""
    for node in tree(file).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def stub(exercise: Exercise) -> ast.FunctionDef:
    return dict(functions(ROOT / exercise.file))[exercise.name]


def reference_code(exercise: Exercise) -> list[str]:
    """The lines of code in the reference's file, with helpers and patterns, without imports."""
    file = ROOT / exercise.file.replace("g2c/", "g2c/solutions/", 1)
    lines = file.read_text(encoding="utf-8").splitlines()
    code = []
    for node in tree(file).body:
        if isinstance(node, ast.Assign | ast.FunctionDef):
            code += lines[node.lineno - 1 : node.end_lineno]
    return code


def code_in(text: str, exercise: Exercise) -> list[str]:
    """The lines of the reference that stand in `text`, however they are laid out there.

    Lines of 15 characters or fewer, such as `return None`, give nothing away.
    """
    squeezed = "".join(text.split())
    return [
        line.strip()
        for line in reference_code(exercise)
        if len(line.strip()) > 15 and "".join(line.split()) in squeezed
    ]


def imports(node: ast.AST) -> Iterator[str]:
    """The full names of the modules that are imported anywhere in `node`."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            yield from (alias.name for alias in inner.names)
        elif isinstance(inner, ast.ImportFrom):
            yield from (f"{inner.module}.{alias.name}" for alias in inner.names)


def run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module that run when it is imported."""
    for inner in ast.iter_child_nodes(node):
        is_for_types = isinstance(inner, ast.If) and "TYPE_CHECKING" in ast.unparse(inner.test)
        if not isinstance(inner, ast.FunctionDef) and not is_for_types:
            yield inner
            yield from run_at_import(inner)


def pytest_run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if key != "G2C_REFERENCE"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
    )


SUITES = sorted({exercise.suite for exercise in EXERCISES})

Outcomes = dict[tuple[str, str], str]
"""For each test, as (class, name), the failure's message, empty for one that passed."""


def outcomes_of(folder: Path, *arguments: str) -> Outcomes:
    run = pytest_run(*SUITES, f"--junitxml={folder / 'report.xml'}", *arguments)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return {
        (case.attrib["classname"].rpartition(".")[2], case.attrib["name"]): "".join(
            problem.text or "" for problem in case
        )
        for case in ET.parse(folder / "report.xml").iter("testcase")
    }


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    return outcomes_of(tmp_path_factory.mktemp("shipped"))


@pytest.fixture(scope="module")
def with_reference(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    return outcomes_of(tmp_path_factory.mktemp("reference"), "--reference")


def test_the_manifest_lists_just_what_is_marked_as_an_exercise() -> None:
    marked = {}
    for file in modules():
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for name, function in functions(file):
            for decorator in function.decorator_list:
                if found := re.fullmatch(r"exercise\('(.+)'\)", ast.unparse(decorator)):
                    marked[found[1]] = f"{module}:{name}"
    assert marked == {exercise.id: exercise.target for exercise in EXERCISES}


@each_exercise
def test_the_lesson_has_the_exercises_anchor(exercise: Exercise) -> None:
    file, _, anchor = exercise.lesson.partition("#")
    text = (ROOT / file).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    assert f'<a id="{anchor}">' in text or anchor in slugs, f"{file} has no anchor {anchor!r}"


@each_exercise
def test_there_are_three_hints_and_none_is_the_solution(exercise: Exercise) -> None:
    assert len(set(exercise.hints)) == 3
    for hint in exercise.hints:
        assert hint and code_in(hint, exercise) == []


@each_exercise
def test_the_exercises_tests_exist_and_its_filter_finds_them(
    exercise: Exercise, with_reference: Outcomes
) -> None:
    run = pytest_run(exercise.suite, "-k", exercise.filter, "--collect-only", "-q")
    found = set(re.findall(r"::(\w+)::", run.stdout))
    assert set(exercise.tests) <= {test_class for test_class, _ in with_reference}
    assert set(exercise.tests) <= found, f"-k {exercise.filter!r} does not find {exercise.tests}"
    words = exercise.filter.split(" or ")
    strays = {name for name in found if not any(word in name for word in words)}
    assert not strays, f"-k {exercise.filter!r} also finds tests of {strays}, by their own names"


def body_of(exercise: Exercise) -> list[str]:
    """The statements of the function as it stands in this checkout, without its docstring."""
    return [ast.unparse(statement) for statement in stub(exercise).body[1:]]


# A student may run these tests, too: then the functions are no longer as shipped, as they should.
as_shipped = pytest.mark.skipif(
    "CI" not in os.environ
    and any(body_of(exercise) != ["raise NotImplementedError"] for exercise in EXERCISES),
    reason="exercises have been worked on in this checkout",
)


@as_shipped
@each_exercise
def test_a_stub_is_a_contract_and_nothing_else(exercise: Exercise) -> None:
    assert ast.get_docstring(stub(exercise))
    assert body_of(exercise) == ["raise NotImplementedError"]


@each_exercise
def test_a_stubs_docstring_holds_no_code_of_the_reference(exercise: Exercise) -> None:
    assert code_in(ast.get_docstring(stub(exercise)) or "", exercise) == []


@each_exercise
def test_the_examples_in_a_stubs_docstring_hold_for_the_reference(
    exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = exercise.target.partition(":")[0]
    solution = import_module(module.replace("g2c.", "g2c.solutions.", 1))
    monkeypatch.setattr(f"{module}.{exercise.name}", getattr(solution, exercise.function))
    examples = doctest.DocTestParser().get_doctest(
        ast.get_docstring(stub(exercise)) or "",
        {**vars(import_module(module))},
        exercise.name,
        exercise.file,
        0,
    )
    complaints: list[str] = []
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=options).run(examples, out=complaints.append)
    assert not complaints, "".join(complaints)


def test_nothing_but_stubs_is_left_unwritten() -> None:
    stubs = {(ROOT / exercise.file, exercise.name) for exercise in EXERCISES}
    for package in {exercise.file.split("/")[1] for exercise in EXERCISES}:
        for file in modules(package):
            unwritten = {
                (file, name)
                for name, function in functions(file)
                if "raise NotImplementedError" in ast.unparse(function)
            }
            assert unwritten <= stubs


@as_shipped
@each_exercise
def test_as_shipped_every_test_of_an_exercise_says_what_is_not_started(
    exercise: Exercise, shipped: Outcomes
) -> None:
    upto = EXERCISES[: EXERCISES.index(exercise) + 1]
    expected = {f"{one.id} {one.name}: not started. {one.lesson}" for one in upto}
    for (test_class, name), message in shipped.items():
        if test_class in exercise.tests:
            assert message in expected, f"{test_class}.{name} says {message!r}"


@as_shipped
def test_as_shipped_all_other_tests_pass(shipped: Outcomes) -> None:
    classes = {name for exercise in EXERCISES for name in exercise.tests}
    others = {test: said for test, said in shipped.items() if test[0] not in classes}
    assert others and not any(others.values()), others


def test_with_the_reference_all_tests_pass(with_reference: Outcomes, shipped: Outcomes) -> None:
    assert with_reference.keys() == shipped.keys()
    assert [test for test, said in with_reference.items() if said] == []


@as_shipped
@pytest.mark.parametrize("suite", SUITES)
def test_the_counts_of_tests_in_the_lesson_are_true(
    suite: str, shipped: Outcomes, with_reference: Outcomes
) -> None:
    lesson = next(exercise.lesson for exercise in EXERCISES if exercise.suite == suite)
    text = (ROOT / lesson.partition("#")[0]).read_text(encoding="utf-8")
    own = set(re.findall(r"^class (\w+)", (ROOT / suite).read_text("utf-8"), re.MULTILINE))
    total = sum(test_class in own for test_class, _ in with_reference)
    failed = sum(test_class in own and bool(said) for (test_class, _), said in shipped.items())
    stated = [tuple(map(int, counts)) for counts in COUNTS.findall(" ".join(text.split()))]
    assert stated == [(total - failed, failed, total)], f"{lesson} does not state it so"
    for word, count in FILTER_ROW.findall(text):
        found = sum(word in test_class for test_class, _ in shipped if test_class in own)
        assert int(count) == found, f"{lesson} says that -k {word} finds {count} tests, not {found}"


@pytest.mark.parametrize("requested", ["all", "19", "19.1", "19.1,19.3"])
def test_the_reference_can_be_asked_for(requested: str) -> None:
    run = pytest_run(SUITES[0], f"--reference={requested}", "-k", EXERCISES[0].tests[0])
    assert run.returncode == 0, run.stdout
    assert f"reference in place of: {requested}" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--reference=19.9"], {}), (["--reference", SUITES[0]], {}), ([], {"G2C_REFERENCE": "x"})],
)
def test_a_reference_to_no_exercise_is_refused_in_a_sentence(
    arguments: list[str], environment: dict[str, str]
) -> None:
    run = pytest_run(*arguments, **environment)
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert re.match(r"ERROR: There is no exercise '.+'; known are .*19\.1.*\.", run.stderr.strip())
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("package", BELOW)
def test_imports_go_one_way(package: str) -> None:
    packages = {path.name for path in (ROOT / "g2c").iterdir() if path.is_dir()}
    for file in modules(package):
        for name in imports(tree(file)):
            part = name.split(".")[1] if name.startswith("g2c.") else ""
            assert part not in packages or part in {package, *BELOW[package]}, (
                f"{file.relative_to(ROOT)} imports {name}, which stands above it"
            )


def test_only_the_exercise_switch_reaches_the_solutions() -> None:
    for file in modules():
        if "solutions" in file.parts or file == ROOT / "g2c" / "exercise.py":
            continue
        assert not any(name.startswith("g2c.solutions") for name in imports(tree(file))), file
        texts = [node.value for node in ast.walk(tree(file)) if isinstance(node, ast.Constant)]
        assert "g2c.solutions." not in texts, file


@pytest.mark.parametrize("package", BELOW)
def test_heavy_modules_are_imported_where_they_are_used(package: str) -> None:
    for file in modules(package):
        for node in run_at_import(tree(file)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                heavy = HEAVY.intersection(name.partition(".")[0] for name in imports(node))
                assert not heavy, f"{file.relative_to(ROOT)} imports {heavy} when it is imported"


def test_importing_the_agent_loads_nothing_heavy() -> None:
    code = "import sys, g2c.agent; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(run.stdout.split())
