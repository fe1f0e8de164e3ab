"""Marking written answers: what a mark does, what is kept, and who holds which question."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from typer.testing import CliRunner

from g2c.classroom.answers.desk import Desk
from g2c.classroom.answers.hand_ins import (
    MAX_ANSWER_CHARS,
    answers_in,
    questions_of,
    read_hand_ins,
    rubric_of,
    with_limits,
)
from g2c.classroom.answers.marking import (
    HandIn,
    Mark,
    Question,
    Sheet,
    answers_to,
    id_of,
    marked_by_another,
    place_of,
)
from g2c.classroom.answers.rubric import to_html
from g2c.classroom.answers.store import MarkStore
from g2c.classroom.batch import Submission, result_file, submissions_in
from g2c.classroom.sandbox import Conditions
from g2c.cli.app import app
from g2c.course.manifest import load_exercises

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
ONE, TWO = Question("19", 1, "First", "- *Should contain:* why"), Question("19", 2, "Second", "")
CLASS = (
    HandIn("ada", {1: "It stopped.", 2: "Two"}),
    HandIn("bob", {1: "It  STOPPED.\n", 2: ""}),
    HandIn("cleo", {1: "It went on.", 2: "Due"}),
    HandIn("dan", {}),
    HandIn("eve", {}, "no zip"),
)


@pytest.fixture
def store(tmp_path: Path) -> MarkStore:
    return MarkStore(tmp_path / "grades")


def desk_on(
    store: MarkStore, *questions: Question, grader: str = "kim", again: bool = False
) -> Desk:
    return Desk(
        *(store, questions or (ONE, TWO), CLASS),
        seed=7,
        grader=grader,
        clock=lambda: NOON,
        again=again,
    )


def opened(desk: Desk) -> Sheet:
    sheet = desk.open_next()
    assert sheet
    return sheet


def test_equal_answers_are_one_and_the_order_is_drawn_for_each_question() -> None:
    answers = answers_to(ONE, CLASS, seed=7)
    assert sorted(len(answer.students) for answer in answers) == [1, 2], "ada and bob say the same"
    assert answers == answers_to(ONE, CLASS[::-1], seed=7), "the order of the folder is nothing"
    many = [HandIn(f"s{n}", {1: f"a{n}", 2: f"a{n}"}) for n in range(30)]
    first, second = ([answer.text for answer in answers_to(q, many, 7)] for q in (ONE, TWO))
    assert sorted(first) == sorted(second) and first != second
    numbers = [answer.students for answer in answers_to(ONE, many, 7)]
    assert numbers == [(n,) for n in range(1, 31)]


def test_a_mark_is_kept_at_once_and_a_later_one_replaces_it(store: MarkStore) -> None:
    with desk_on(store) as desk:
        sheet = opened(desk)
        assert sheet.shown
        first = sheet.shown.id
        desk.mark(first, 1, "  why\nso?\x1b[31m ")
        (kept,) = store.marks()
        assert kept == Mark("19", 1, first, 1, "why so?[31m", "kim", "2026-11-26T12:00:00+0000")
        desk.back()
        assert desk.sheet and desk.sheet.shown and desk.sheet.shown.id == first
        assert desk.comment() == "why so?[31m"
        desk.mark(first, 2)
        assert desk.sheet.marks[first].marks == 2
    assert [mark.marks for mark in store.marks()] == [1, 2], "both stay in the file"


def test_a_mark_by_another_text_of_the_rubric_says_so(store: MarkStore) -> None:
    with desk_on(store) as desk:
        sheet = opened(desk)
        for answer in sheet.answers:
            desk.mark(answer.id, 1)
    assert marked_by_another([ONE, TWO], CLASS, store.marks()) == []
    for other in (*(replace(ONE, **{name: "Other."}) for name in ("expects", "title", "scale")),):
        assert marked_by_another([other, TWO], CLASS, store.marks()) == [ONE.number]
        with desk_on(store, other, again=True) as desk:
            sheet = opened(desk)
            assert "It has 1, by another text of the rubric." in place_of(sheet)
        assert marked_by_another([other], [], store.marks()) == [], "of answers that are gone"
    with desk_on(store, other, again=True) as desk:
        sheet = opened(desk)
        for answer in sheet.answers:
            desk.mark(answer.id, 1)
        desk.back()
        assert desk.sheet and "It has 1." in place_of(desk.sheet)
    assert marked_by_another([other], CLASS, store.marks()) == []
    old = asdict(store.marks()[0])
    del old["rubric"]
    assert marked_by_another([other], CLASS, [Mark(**old)]) == [], "an older mark does not say it"


@pytest.mark.parametrize("marks", [-1, 3, 1.5, True, "2"])
def test_no_other_marks_are_taken(store: MarkStore, marks: int) -> None:
    with desk_on(store) as desk, pytest.raises(ValueError, match="0 to 2"):
        sheet = opened(desk)
        desk.mark(sheet.answers[0].id, marks)
    assert not store.marks()


def test_an_answer_of_another_question_is_refused_and_not_kept(store: MarkStore) -> None:
    with desk_on(store) as desk:
        desk.open_next()
        with pytest.raises(ValueError, match="not among"):
            desk.mark(id_of("Two"), 2)
    assert not store.marks()


def test_work_that_was_interrupted_goes_on_where_it_was(store: MarkStore) -> None:
    with desk_on(store) as desk:
        sheet = opened(desk)
        desk.mark(sheet.answers[0].id, 2)
    with desk_on(store) as desk:
        sheet = opened(desk)
        assert sheet.question == ONE and sheet.at == 1 and sheet.left == 1
        desk.mark(sheet.answers[1].id, 0)
        assert desk.sheet and desk.sheet.shown is None
    with desk_on(store) as desk:
        sheet = opened(desk)
        assert sheet.question == TWO, "what is done is not opened again"
    with desk_on(store, ONE, again=True) as desk:
        assert desk.open_next(), "unless it is asked for"


def test_the_totals_are_the_gradebooks_and_leave_out_who_lacks_a_mark(store: MarkStore) -> None:
    with desk_on(store) as desk:
        while sheet := desk.open_next():
            for answer in sheet.answers:
                if answer.text != "Due":
                    desk.mark(answer.id, 2 if len(answer.students) == 2 else 1)
    assert store.write_totals((ONE, TWO), CLASS) == 1
    points = json.loads((store.grades / "answers.json").read_text())
    assert points == {
        "ada": {"19": {"points": 3, "of": 4}},
        "bob": {"19": {"points": 2, "of": 4}},
        "dan": {"19": {"points": 0, "of": 4}},
    }, "cleo lacks a mark, and eve's answers were not read"
    assert store.answer_hashes()["bob"]["19"] == {"1": id_of("it stopped."), "2": ""}
    other = Question("20", 1, "", "")
    store.write_totals((other,), CLASS[:1])
    assert "19" in json.loads((store.grades / "answers.json").read_text())["bob"]
    everything = "".join(file.read_text() for file in store.grades.rglob("*") if file.is_file())
    assert "stopped" not in everything, "an answer's text leaves its place nowhere"


def test_a_changed_answer_has_no_mark(store: MarkStore) -> None:
    with desk_on(store, ONE) as desk:
        sheet = opened(desk)
        for answer in sheet.answers:
            desk.mark(answer.id, 2)
    changed = (HandIn("ada", {1: "It stopped, because of the cap."}), *CLASS[1:])
    assert store.write_totals((ONE,), changed) == 1


def test_nobody_elses_result_has_the_name_of_the_totals(tmp_path: Path) -> None:
    file = result_file(Submission("Answers", tmp_path), tmp_path)
    assert file.name != "Answers.json"


HOLD = """
import sys
from g2c.classroom.answers.store import MarkStore
from g2c.classroom.answers.marking import Question, Mark
from pathlib import Path
store = MarkStore(Path(sys.argv[1]))
with store.hold(Question("19", 1, "", "")):
    print("held", flush=True)
    sys.stdin.readline()
"""
WRITE = """
import sys
from g2c.classroom.answers.store import MarkStore
from g2c.classroom.answers.marking import Mark
from pathlib import Path
store, n = MarkStore(Path(sys.argv[1])), 0
while True:
    store.add(Mark("19", 1, f"{n:04}", n % 3, "é" * 500, sys.argv[2], "t"))
    print(n, flush=True)
    n += 1
"""
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(store: MarkStore) -> Iterator[Start]:
    running: list[subprocess.Popen[str]] = []

    def begin(code: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, str(store.grades), *arguments]
        pipe = subprocess.PIPE
        running.append(subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True))
        return running[-1]

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_the_next_grader_gets_the_question_that_nobody_holds(
    store: MarkStore, start: Start
) -> None:
    other = start(HOLD)
    assert line_of(other) == "held"
    with desk_on(store) as desk:
        sheet = opened(desk)
        assert sheet.question == TWO
        assert desk.open_next() is None and desk.with_others == [1]
    other.send_signal(signal.SIGKILL)
    other.wait()
    with desk_on(store) as desk:
        sheet = opened(desk)
        assert sheet.question == ONE, "a grader who died holds nothing"


def test_killed_graders_lose_at_most_the_mark_that_was_being_written(
    store: MarkStore, start: Start
) -> None:
    """Two processes write at once, and both are killed."""
    writers = {name: start(WRITE, name) for name in ("kim", "lee")}
    told = {name: -1 for name in writers}
    for _ in range(20):
        for name, process in writers.items():
            told[name] = int(line_of(process))
    for process in writers.values():
        process.send_signal(signal.SIGKILL)
        process.wait()
    for name in writers:
        kept = [mark.answer for mark in store.marks() if mark.grader == name]
        assert kept == [f"{n:04}" for n in range(len(kept))], "each whole, and none twice"
        assert len(kept) > told[name], "what was kept when it said so is there"


def test_after_a_torn_line_marks_are_read_and_added(store: MarkStore) -> None:
    whole = Mark("19", 1, "aa", 1, "", "kim", "t")
    store.add(whole)
    file = store.grades / "answers/marks.jsonl"
    other = json.dumps({**asdict(whole), "answer": []}).encode()
    for torn in (b'{"module": "19", "ques', b'{"comment": "\xc3', b"[1]\n", b"7\n", other):
        with file.open("ab") as opened:
            opened.write(torn)
        store.add(whole)
    assert store.marks() == [whole] * 6


# What is read.


def notebook_with(answers: dict[int, str]) -> str:
    """A notebook with these answers."""
    cells = [
        {"cell_type": "markdown", "source": f"### Answer {number}\n\n{text}"}
        for number, text in answers.items()
    ]
    return json.dumps({"cells": cells})


def hand_in(folder: Path, name: str, notebook: str | None) -> None:
    exercise = load_exercises()[0]
    file = folder / name / exercise.file
    file.parent.mkdir(parents=True)
    file.write_text("", "utf-8")
    if notebook is not None:
        (folder / name / "work").mkdir()
        (folder / name / "work/19-agent.ipynb").write_text(notebook, "utf-8")


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    folder = tmp_path / "submissions"
    hand_in(folder, "ada", notebook_with({1: "It <b>stopped</b>.\x1b[2J", 2: "*Write here.*"}))
    hand_in(folder, "bob", notebook_with({1: "it <b>STOPPED</b>.\x1b[2J", 2: "Two."}))
    hand_in(folder, "cleo", None)
    hand_in(folder, "dan", "no notebook")
    (folder / "eve.rar").write_bytes(b"Rar!")
    return folder


def in_this_process(files: object) -> list[object]:
    return [answers_in(file) for file in files]  # type: ignore[attr-defined]


def hand_ins_in(submissions: Path, read: Callable[..., Any] = in_this_process) -> dict[str, HandIn]:
    found = read_hand_ins(submissions_in(submissions), "19", read)
    return {hand_in.name: hand_in for hand_in in found}


def test_each_hand_in_has_its_answers_or_why_not(submissions: Path) -> None:
    found = hand_ins_in(submissions)
    assert found["ada"].answers == {1: "It <b>stopped</b>.[2J"}, "nothing steers the terminal"
    assert found["cleo"] == HandIn("cleo", {}), "who has no notebook has written nothing"
    assert "not a notebook" in found["dan"].why and "not a zip" in found["eve.rar"].why


CATALOGUE = """# How my agent fails

### It <b>guessed</b>

Run: `run1`

> Step 1

#### Hypothesis

The example has that form.

#### Mitigation

Tried: `run2`

*Write here.*
"""


def test_the_catalogue_is_marked_with_the_question_that_asks_for_it(submissions: Path) -> None:
    """The rubric's row for question 9 is about the failures, which do not stand in the notebook."""
    for name, text in (("ada", CATALOGUE), ("bob", "# How my agent fails\n"), ("cleo", CATALOGUE)):
        file = submissions / name / "docs/agent-failure-modes.md"
        file.parent.mkdir()
        file.write_text(text, "utf-8")
    (submissions / "ada/work/19-agent.ipynb").write_text(notebook_with({9: "The form."}), "utf-8")
    found = hand_ins_in(submissions)
    catalogue = (
        "The catalogue of failures:\n\n1. It <b>guessed</b>\n"
        "Hypothesis: The example has that form.\nMitigation: not written\nTried in: run2\n\n"
        "1. Transcript of run1\nStep 1"
    )
    assert found["ada"].answers == {9: f"The form.\n\n{catalogue}"}
    assert 9 not in found["bob"].answers, "as shipped it says nothing"
    assert found["cleo"].answers == {9: catalogue}


def test_notebooks_under_another_name_are_named_if_nothing_else_is_written(
    submissions: Path,
) -> None:
    empty = notebook_with({1: "<!-- TODO -->"})
    for name, own in (("ada", None), ("bob", empty), ("cleo", None)):
        work = submissions / name / "work"
        work.mkdir(exist_ok=True)
        (work / "19-agent-Copy1.ipynb").write_text(notebook_with({1: "It stopped."}), "utf-8")
        if own:
            (work / "19-agent.ipynb").write_text(own, "utf-8")
    found = {name: own.beside for name, own in hand_ins_in(submissions).items()}
    says = "Not read: work/19-agent-Copy1.ipynb."
    assert found == {"ada": "", "bob": says, "cleo": says, "dan": "", "eve.rar": ""}


@pytest.mark.slow
def test_a_process_with_limits_reads_them_and_a_bad_one_costs_only_itself(
    submissions: Path,
) -> None:
    (submissions / "dan/work/19-agent.ipynb").write_text(notebook_with({1: "é" * 10**5}))
    read = with_limits(Conditions(seconds=30))
    found = hand_ins_in(submissions, read)
    assert found["bob"].answers[2] == "Two."
    assert found["dan"].answers[1].endswith("[... and 90,000 characters more]")
    assert len(found["dan"].answers[1]) < MAX_ANSWER_CHARS + 50
    many = {n: "\U0001f600" * 7000 for n in range(1, 60)}  # more than a report may have
    (submissions / "dan/work/19-agent.ipynb").write_text(notebook_with(many))
    found = hand_ins_in(submissions, read)
    assert found["dan"].why and found["bob"].answers[2] == "Two."


class Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("module", sorted({exercise.module for exercise in load_exercises()}))
def test_each_question_of_the_course_has_a_row_of_the_rubric(module: str) -> None:
    questions = questions_of(module)
    assert questions and rubric_of(module).scale.startswith("Each answer gets 0, 1 or 2.")
    for question in questions:
        assert "*Should contain" in question.expects and "\n#" not in question.expects
        html = Balanced()
        html.feed(to_html(question.expects))
        assert not html.open, question


@pytest.mark.parametrize("module", ["../19", "99", ""])
def test_another_module_is_refused(module: str) -> None:
    with pytest.raises(ValueError, match="no rubric"):
        questions_of(module)


@pytest.mark.slow
def test_the_command_writes_the_totals_and_opens_no_page_if_nothing_is_left(
    submissions: Path, tmp_path: Path
) -> None:
    grades = tmp_path / "grades"
    questions = questions_of("19")
    hand_ins = list(read_hand_ins(submissions_in(submissions), "19", in_this_process))
    store = MarkStore(grades)
    with Desk(store, questions, hand_ins, seed=1, grader="kim", clock=lambda: NOON) as desk:
        for marks in (2, 1):
            sheet = opened(desk)
            assert sheet.shown
            desk.mark(sheet.shown.id, marks)
        assert not desk.open_next()
    command = ["class", "mark", str(submissions), "--out", str(grades), "--module", "19"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "No question is left for you." in done.output
    assert "3 of 5 students have points" in done.output
    assert "not read: dan" in done.output and "not read: eve.rar" in done.output
    points = json.loads((grades / "answers.json").read_text())
    assert points == {
        "ada": {"19": {"points": 2, "of": 26}},
        "bob": {"19": {"points": 3, "of": 26}},
        "cleo": {"19": {"points": 0, "of": 26}},
    }
    again = CliRunner().invoke(app, [*command, "--totals"])
    assert again.exit_code == 0 and "3 of 5" in again.output
    wrong = CliRunner().invoke(app, [*command, "--question", "70"])
    assert "has questions 1 to 13" in str(wrong.exception)
