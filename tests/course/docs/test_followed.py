"""The pages are followed: each command that can be run here is, in the order of its page, and what
is told of a `g2c break` is what it shows.

A page begins as its reader does: the course after a demo, the reference where exercises are
written by then, and a chat that was had. What cannot be run is in `NOT_RUN`, with the reason.
"""

import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import pytest
from checkout import ROOT, Checkout
from test_commands import BLOCK, PAGES, commands_in, examples

from g2c.course.break_rows import RECORDED, read_rows
from g2c.course.manifest import Exercise, load_exercises

pytestmark = pytest.mark.slow

NOT_RUN = {
    "(.*&& )?\\./prodlm\\.sh|source |pip |python3 -m venv|uvx ": "installs",
    "\\.ci/run|\\.venv/bin/ruff|(PHOENIX\\S+ )?\\S*pytest|python |cd |git ": "the makers' own",
    "dask |.*--scheduler|OTEL_|PHOENIX_": "other programs' servers",
    ".*--mcp |g2c model .*:|g2c doctor --live|.*--model llama": "other programs' servers",
    "g2c (watch|docs|notebook|loop status --watch|class mark (?!.*--totals))": "waits for a person",
    "g2c (agent|memory) serve": "serves until it is stopped",
    "g2c (eval|compare|critics|judge|review|refine|demo|score 19|memory dream)": "slow models",
    "g2c chat": "the one that everybody here has had",
    "g2c (test|progress|score 21\\.7|class grade (\\.\\./|.*--again))": "minutes of tests",
    "g2c swarm (start .*--kind linked|status --name)": "test_swarm_command.py runs it",
    "g2c (init|update|class autograder .*--wheel)": "takes a wheel",
    "g2c loop (tell --yes|evolution (revert|accept|refuse))": "an id of a model's doing",
    "g2c loop (supervise|log|stop|success|heal|evolution history --f)": "a loop in the middle",
    "g2c break": "test_break.py runs each",
}
"""Beginnings of lines that are not run, or whose state takes too long, and why."""

OTHER_CODES = {
    "g2c memory (grep|recall|forget)": (1, "nothing is found"),
    "g2c runs writeup check": (1, "three failures are wanted"),
    "g2c loop evolution pending": (1, "no change waits"),
}
"""The documented exit codes besides 0 that a command may have here, and when."""

QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`')

IDS = {exercise.id for exercise in load_exercises()}

ANSWERED = "g2c (solution|reset)"
"""Commands that ask whether they shall; the answer is yes."""

SHIPPED = ("README.md", "index.md")
"""The pages of somebody who has written nothing; the others assume what they teach."""


class Reader:
    """Somebody at a shell in the course's folder, who has `g2c` and files to try it on."""

    def __init__(self, course: Checkout, folder: Path, *, reference: bool = True) -> None:
        self.course, self.at = course, folder
        programs = course.folder.parent / "programs"
        programs.mkdir(exist_ok=True)
        command = "from g2c.cli.main import main; main()"
        (programs / "g2c").write_text(f"#!/bin/sh\nexec {sys.executable} -c '{command}' \"$@\"\n")
        (programs / "g2c").chmod(0o755)
        self.environment = course.environment(
            HOME=str(programs.parent),
            PATH=os.pathsep.join((str(programs), os.environ["PATH"])),
            **({"G2C_REFERENCE": "all"} if reference else {}),
        )

    def types(self, line: str) -> str:
        """Run a line, and return what it printed."""
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=self.at,
            env=self.environment,
            input="yes\n" if re.match(ANSWERED, line) else "",
            capture_output=True,
            text=True,
            timeout=600,
        )
        codes = {0} | {code for form, (code, _) in OTHER_CODES.items() if re.match(form, line)}
        said = f"{line}\n{done.stdout}{done.stderr}"
        assert done.returncode in codes and "Traceback" not in said, said
        return done.stdout


def can_be_run(line: str) -> bool:
    return not any(re.match(form, line) for form in NOT_RUN)


def lines_of(page: Path) -> list[str]:
    blocks = BLOCK.findall(page.read_text("utf-8"))
    return [line for block in blocks for line in commands_in(block) if can_be_run(line)]


@pytest.fixture(scope="module")
def after_a_demo(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A course with one chat, four recorded runs, and notes."""
    course = Checkout(tmp_path_factory.mktemp("demo") / "course")
    shutil.copy(ROOT / "constraints.txt", course.folder)
    notes = course.folder / "notes"
    notes.mkdir()
    (notes / "cellar.txt").write_text("The code of the cellar is 1204.\n")
    (notes / "mill.txt").write_text("The keeper of the mill is Ida.\nThe telephone of Ida is 47.\n")
    Reader(course, course.folder).types('g2c chat "What is 23 * 17?" --model embedded')
    [run] = course.folder.glob("runs/*.json")
    for day in range(1, 4):
        shutil.copy(run, run.with_name(f"2026010{day}-120000-what-is-23-17.json"))
    return course


@pytest.fixture
def course(after_a_demo: Checkout, tmp_path: Path) -> Checkout:
    course = Checkout(tmp_path / "course")
    shutil.copytree(after_a_demo.folder, course.folder, dirs_exist_ok=True)
    return course


def evening(course: Checkout) -> Path:
    """The folder with the three things that docs/instructor.md names, and the files as it shows
    them."""
    folder = course.folder.parent / "evening"
    page = (ROOT / "docs/instructor.md").read_text("utf-8").partition("## One evening")[2]
    for kind, name in (("text", "roster.csv"), ("toml", "course.toml")):
        shown = re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL)
        assert shown
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(shown[1])
    student = Checkout(course.folder.parent / "ada")
    student.write_own("19.1")
    (folder / "submissions").mkdir()
    assert student.g2c("submit", str(folder / "submissions/ada.zip")).returncode == 0
    shutil.copytree(student.folder / "docs", folder / "submissions/bob/docs")
    shutil.copytree(student.folder / "g2c/agent", folder / "submissions/bob/g2c/agent")
    return folder


BEFORE: dict[str, Callable[[Checkout], Path]] = {"instructor.md": evening}
"""The pages whose reader is elsewhere than in the course's folder, and what they have there."""


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name != "CHANGELOG.md" and lines_of(page)],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_a_pages_commands_do_what_they_are_said_to_one_after_the_other(
    page: Path, course: Checkout
) -> None:
    at = BEFORE.get(page.name, lambda course: course.folder)(course)
    reader = Reader(course, at, reference=page.name not in SHIPPED)
    for line in lines_of(page):
        reader.types(line)


def test_the_examples_of_the_helps_run(course: Checkout) -> None:
    course.write_own("19.1")
    reader = Reader(course, course.folder)
    done = {shlex.join(shlex.split(line)) for page in PAGES for line in lines_of(page)}
    for _, line in examples():
        if can_be_run(line) and (as_on_a_page := shlex.join(shlex.split(line))) not in done:
            done.add(as_on_a_page)
            reader.types(line)


def test_each_reason_not_to_run_a_command_has_one() -> None:
    every = [
        line
        for page in PAGES
        for block in BLOCK.findall(page.read_text("utf-8"))
        for line in commands_in(block)
    ] + [line for _, line in examples()]
    idle = [
        form
        for form in (*NOT_RUN, *OTHER_CODES, ANSWERED)
        if not any(re.match(form, line) for line in every)
    ]
    assert not idle


@pytest.mark.parametrize("exercise", load_exercises(), ids=attrgetter("id"))
def test_a_page_tells_of_a_break_nothing_but_what_it_shows(
    exercise: Exercise, tmp_path: Path
) -> None:
    page = (ROOT / exercise.lesson).read_text("utf-8")
    told = re.search(rf"g2c break {exercise.id}\b.*?\n```\n\n(.*?)\n\n", page, re.DOTALL)
    assert told, f"{exercise.lesson} tells nothing below g2c break {exercise.id}"
    first = exercise.part("naive")
    rows = read_rows(RECORDED, first) or tuple(first.show(tmp_path))
    shown = " ".join([inspect.getsource(first), *(f"{label} {text}" for label, text in rows)])
    quoted = [" ".join(text.split()) for pair in QUOTED.findall(told[1]) for text in pair if text]
    figures = set(re.findall(r"(?<![\w.,/-])\d[\d.,]*\d(?!\w)", told[1])) - IDS
    words, digits = " ".join(shown.split()), shown.replace(",", "")
    lost = [text for text in quoted if text.rstrip(".,") not in words]
    lost += [figure for figure in figures if figure.replace(",", "") not in digits]
    assert not lost, f"{exercise.lesson} tells of {lost}; g2c break {exercise.id} shows\n{shown}"
