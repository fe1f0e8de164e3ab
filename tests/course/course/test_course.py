"""The course holds together: manifest, stubs, references, tests, lessons and hints agree.

These are checks of the course as it is shipped. Where an exercise has been filled in, those on its
stub fail.
"""

import ast
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest
from lessons import code_in
from shipped import as_shipped, body_of, stub

from g2c.course.manifest import Exercise, load_exercises, needed_by
from g2c.surroundings import own_environment

ROOT = Path(__file__).parents[3]
EXERCISES = load_exercises()

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


def pytest_run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # Empty and not unset: what was skipped in this checkout does not matter.
    inherited = own_environment(G2C_REFERENCE="")
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


def outcomes_of(folder: Path, *arguments: str, **environment: str) -> Outcomes:
    run = pytest_run(*SUITES, f"--junitxml={folder / 'report.xml'}", *arguments, **environment)
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
def noted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file in which a run notes what its tests call."""
    return tmp_path_factory.mktemp("noted") / "called.json"


@pytest.fixture(scope="module")
def with_reference(tmp_path_factory: pytest.TempPathFactory, noted: Path) -> Outcomes:
    folder = tmp_path_factory.mktemp("reference")
    return outcomes_of(folder, "--reference", "-p", "called", CALLED=str(noted))


@pytest.mark.slow
def test_an_exercise_names_what_its_tests_call_of_others(
    with_reference: Outcomes, noted: Path
) -> None:
    called = json.loads(noted.read_text("utf-8"))
    for exercise in EXERCISES:
        others = {id_ for name in exercise.tests for id_ in called[name]} - {exercise.id}
        unnamed, unused = others - needed_by(exercise), set(exercise.needs) - others
        assert not unnamed, f"{exercise.id}: put {unnamed} among its needs in exercise.toml"
        assert not unused, f"{exercise.id}: its tests call nothing of {unused}"


@pytest.mark.slow
def test_each_function_that_is_marked_as_an_exercise_has_a_folder() -> None:
    marked = {}
    for file in set(modules()) - set(modules("exercises")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for name, function in functions(file):
            for decorator in function.decorator_list:
                if found := re.fullmatch(r"exercise\('(.+)'\)", ast.unparse(decorator)):
                    marked[found[1]] = module, name
    assert marked == {
        exercise.id: (exercise.import_name, exercise.function) for exercise in EXERCISES
    }, "left: the stubs that are marked @exercise; right: the folders in g2c/exercises"


def test_each_exercise_and_each_reference_has_a_file_of_its_own() -> None:
    for files in ([e.file for e in EXERCISES], [e.solution_file for e in EXERCISES]):
        assert len(set(files)) == len(EXERCISES), "g2c solution would show the next one's, too"
        missing = [file for file in files if not (ROOT / file).exists()]
        assert not missing, f"write the exercise's function in {missing}"


@each_exercise
def test_an_exercise_has_a_page_that_can_be_read_in_ten_minutes(exercise: Exercise) -> None:
    file = exercise.lesson
    text = (ROOT / file).read_text(encoding="utf-8")
    title = f"# {exercise.id} {exercise.title}\n"
    assert text.startswith(title), f"let {file} begin with {title!r}"
    assert f"({'../' * 3}{exercise.file})" in text, f"{file}: link {exercise.file}"
    assert f"g2c break {exercise.id}" in text, f"{file}: show what a first version does"
    assert "](../../pictures/" in text, f"{file}: show a picture of docs/pictures"
    assert len(text.split()) <= 1500, f"{file} takes longer than ten minutes to read"


@each_exercise
def test_there_are_three_hints_and_none_is_the_solution(exercise: Exercise) -> None:
    assert len(set(exercise.hints)) == 3
    for hint in exercise.hints:
        assert hint and code_in(hint, exercise) == [], "say it without the reference's own lines"


@pytest.fixture(scope="module")
def filtered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    noted = tmp_path_factory.mktemp("filtered") / "found.json"
    run = pytest_run(*SUITES, "--collect-only", "-q", "-p", "filtered", FILTERED=str(noted))
    assert run.returncode == 0, run.stdout + run.stderr
    found: dict[str, list[str]] = json.loads(noted.read_text("utf-8"))
    return found


@pytest.mark.slow
@each_exercise
def test_an_exercises_filter_finds_its_tests_and_no_others(
    exercise: Exercise, filtered: dict[str, list[str]]
) -> None:
    assert set(filtered[exercise.id]) == set(exercise.tests), (
        f"{exercise.id}: left what -k {exercise.filter!r} finds in {exercise.suite}, right what "
        "exercise.toml names as tests"
    )


def test_a_filter_is_what_pytest_takes() -> None:
    exercise = EXERCISES[0]
    run = pytest_run(exercise.suite, "-k", exercise.filter, "--collect-only", "-q")
    assert set(re.findall(r"::(\w+)::", run.stdout)) == set(exercise.tests)


@as_shipped
@each_exercise
def test_a_stub_is_a_contract_and_nothing_else(exercise: Exercise) -> None:
    assert ast.get_docstring(stub(exercise))
    assert body_of(exercise) == ["raise NotImplementedError"]


@each_exercise
def test_a_stubs_docstring_holds_no_code_of_the_reference(exercise: Exercise) -> None:
    told = code_in(ast.get_docstring(stub(exercise)) or "", exercise)
    assert told == [], "say what is promised, without the reference's own lines"


def test_nothing_but_stubs_is_left_unwritten() -> None:
    stubs = {(ROOT / exercise.file, exercise.function) for exercise in EXERCISES}
    for package in {exercise.file.split("/")[1] for exercise in EXERCISES}:
        for file in modules(package):
            unwritten = {
                (file, name)
                for name, function in functions(file)
                if "raise NotImplementedError" in ast.unparse(function)
            }
            assert unwritten <= stubs, f"{unwritten - stubs} have no folder in g2c/exercises"


@as_shipped
@each_exercise
@pytest.mark.slow
def test_as_shipped_every_test_of_an_exercise_says_what_is_not_started(
    exercise: Exercise, shipped: Outcomes
) -> None:
    upto = EXERCISES[: EXERCISES.index(exercise) + 1]
    expected = {f"{other.id} {other.function}: not started. {other.lesson}" for other in upto}
    for (test_class, name), message in shipped.items():
        if test_class in exercise.tests:
            assert message in expected, f"{test_class}.{name} says {message!r}"


@pytest.mark.slow
def test_every_test_of_a_student_is_an_exercises(shipped: Outcomes) -> None:
    classes = {name for exercise in EXERCISES for name in exercise.tests}
    others = {test_class for test_class, _ in shipped} - classes
    assert not others, f"{others} belong in tests/course: an exercise is not judged by them"


@as_shipped
@pytest.mark.slow
def test_as_shipped_every_test_fails(shipped: Outcomes) -> None:
    passing = [test for test, said in shipped.items() if not said]
    assert passing == [], "these pass though nothing is written: let each call the exercise"


@each_exercise
def test_the_lists_of_exercises_are_whole(exercise: Exercise) -> None:
    page = ROOT / exercise.lesson
    row = f"| [{exercise.id}]({page.name}) | `{exercise.function}`"
    assert row in page.with_name("index.md").read_text("utf-8"), f"it lacks {row}"
    readme = (ROOT / "README.md").read_text("utf-8")
    for part in (f"`{Path(exercise.file).parent}/`", f"]({Path(exercise.lesson).parent}/index.md)"):
        assert part in readme, f"README.md should have {part}"


@pytest.mark.slow
@pytest.mark.parametrize("requested", ["all", "19", "19.1", "19.1,19.3"])
def test_the_reference_can_be_asked_for(requested: str) -> None:
    run = pytest_run(SUITES[0], f"--reference={requested}", "-k", EXERCISES[0].tests[0])
    assert run.returncode == 0, run.stdout
    assert f"reference in place of: {requested}" in run.stdout


@pytest.mark.slow
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
