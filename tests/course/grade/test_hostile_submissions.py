"""Every hostile submission is graded: no points, no harm, a sentence, and nothing left behind."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from checkout import ROOT
from hostile_submissions import BANK, PLANNER, Hostile

from g2c.course.manifest import find_exercise
from g2c.grade.confinement import ENGINES, choose
from g2c.grade.grader import Grade, grade_exercises, run_reference
from g2c.grade.reports import to_gradescope, to_json
from g2c.grade.sandbox import Conditions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits hold on Linux")

EXERCISE = find_exercise("19.2")
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is none of a submission's business."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "kept.txt").write_text("kept")
    return folder


LONG = [pytest.param(kind, marks=pytest.mark.long) for kind in ("container", "none")]


@pytest.fixture(scope="module", params=["bwrap", *LONG])
def sandbox(request: pytest.FixtureRequest) -> str:
    """Each kind of sandbox that works here."""
    try:
        return choose(request.param).kind
    except ValueError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def grades(
    tmp_path_factory: pytest.TempPathFactory, elsewhere: Path, sandbox: str
) -> Iterator[dict[Hostile, Grade]]:
    """The grades of all, two at a time, with a folder of their own for what is temporary."""
    temporary = tmp_path_factory.mktemp("temporary")
    trees = {one: submission(one, tmp_path_factory.mktemp("tree"), elsewhere) for one in BANK}
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr("tempfile.tempdir", str(temporary))
        patch.setattr("g2c.grade.sandbox._GRACE_S", 1.0)
        expected = run_reference(Conditions(), EXERCISE.test_ids)

        def graded(one: Hostile) -> Grade:
            # A limit that ends what would end by itself makes the outcome one of luck.
            ends = one.kind != "hang" or one.ends or (one.boxed and sandbox != "none")
            conditions = Conditions(60 if ends else 2, sandbox=sandbox)
            return grade_exercises(trees[one], [EXERCISE], expected, conditions, {})

        yield dict(zip(trees, pool.map(graded, trees), strict=True))
        left = [*temporary.iterdir(), *processes_that_know(temporary)]
    assert not left, f"left behind: {left}"


def submission(one: Hostile, tree: Path, elsewhere: Path) -> Path:
    file = tree / PLANNER
    file.parent.mkdir(parents=True)
    code = (ROOT / PLANNER).read_text("utf-8")
    if one.body:
        body = textwrap.indent(one.body.strip().replace("{elsewhere}", str(elsewhere)), "    ")
        code = code.replace("    raise NotImplementedError\n", f"{body}\n")
    file.write_text(f"{code}\n\n{one.at_import}\n", "utf-8")
    if one.make:
        one.make(tree)
    return tree


def processes_that_know(folder: Path) -> list[str]:
    """The processes that were given the path of a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue
        if str(folder).encode() in told:
            found.append(f"{process.name}: {(process / 'cmdline').read_text()}")
    return found


@pytest.mark.parametrize("one", BANK, ids=lambda one: f"{one.kind}: {one.name}")
def test_it_gets_what_it_earned_and_a_sentence(
    one: Hostile, grades: dict[Hostile, Grade], sandbox: str
) -> None:
    grade = grades[one]
    assert grade.score == (one.unboxed_earns if sandbox == "none" else 0), grade.exercises
    reports = [to_json(grade), to_gradescope(grade)]
    boxed = (one.in_container if sandbox in ENGINES else "") or one.boxed
    says = one.says if sandbox == "none" else boxed or one.says
    assert says in json.dumps(reports[0]), reports[0]
    assert not any(map(STEERS.search, strings(reports))), "it reaches the instructor's terminal"
    assert len(json.dumps(reports)) < 500_000, "a person reads it"


def strings(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from strings(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from strings(value)


def test_what_is_elsewhere_stays(elsewhere: Path, grades: dict[Hostile, Grade]) -> None:
    assert [file.name for file in elsewhere.iterdir()] == ["kept.txt"]


def test_the_bank_has_every_kind() -> None:
    assert {one.kind for one in BANK} == {"cheat", "escape", "exhaust", "hang", "hide"}
    assert len({one.name for one in BANK}) == len(BANK) >= 25
