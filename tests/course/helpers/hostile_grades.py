"""The grades of hostile submissions in a sandbox, and what has to be so of each."""

import json
import re
import textwrap
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from checkout import ROOT
from hostile_submissions import PLANNER, Hostile

from g2c.classroom.confinement import ENGINES, choose
from g2c.classroom.course_copy import pristine_course
from g2c.classroom.grader import Grade, grade_exercises, run_reference
from g2c.classroom.reports import to_gradescope, to_json
from g2c.classroom.sandbox import Conditions
from g2c.course.manifest import find_exercise

EXERCISE = find_exercise("19.2")
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def _works(kind: str) -> bool:
    try:
        return choose(kind).kind == kind
    except ValueError:
        return False


FIRST = "bwrap" if _works("bwrap") else "none"
"""The sandbox in which all are graded."""


@contextmanager
def graded(
    bank: Collection[Hostile], sandbox: str, folders: pytest.TempPathFactory, elsewhere: Path
) -> Iterator[dict[Hostile, Grade]]:
    """The grades, made two at a time, with a folder of their own for what is temporary. After that
    nothing may be left behind. `elsewhere` is a folder that is none of a submission's business.
    """
    pristine_course()  # stays until this process ends
    temporary = folders.mktemp("temporary")
    trees = {answer: _submission(answer, folders.mktemp("tree"), elsewhere) for answer in bank}
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr("tempfile.tempdir", str(temporary))
        patch.setattr("g2c.classroom.sandbox._GRACE_S", 1.0)
        expected = run_reference(Conditions(), EXERCISE.test_ids)

        def grade(one: Hostile) -> Grade:
            # A limit that ends what would end by itself makes the outcome one of luck.
            ends = one.kind != "hang" or one.ends or (one.boxed and sandbox != "none")
            conditions = Conditions(60 if ends else 2, sandbox=sandbox)
            return grade_exercises(trees[one], [EXERCISE], expected, conditions, {})

        yield dict(zip(trees, pool.map(grade, trees), strict=True))
        left = [*temporary.iterdir(), *_processes_that_know(temporary)]
    assert not left, f"left behind: {left}"


def _submission(one: Hostile, tree: Path, elsewhere: Path) -> Path:
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


def _processes_that_know(folder: Path) -> list[str]:
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


def check_grade(one: Hostile, grade: Grade, sandbox: str) -> None:
    """It got what it earned, and a sentence that steers no terminal."""
    assert grade.score == (one.unboxed_earns if sandbox == "none" else 0), grade.exercises
    reports = [to_json(grade), to_gradescope(grade)]
    boxed = (one.in_container if sandbox in ENGINES else "") or one.boxed
    says = one.says if sandbox == "none" else boxed or one.says
    assert says in json.dumps(reports[0]), reports[0]
    assert not any(map(STEERS.search, _strings(reports))), "it reaches the instructor's terminal"
    assert len(json.dumps(reports)) < 500_000, "a person reads it"


def _strings(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _strings(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _strings(value)
