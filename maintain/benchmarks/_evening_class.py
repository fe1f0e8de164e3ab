"""A made-up class for an evening: 120 hand-ins of module 19, as they come out of an LMS.

The names are numbers. The roster has 123 students: 117 handed in, one of them twice, and 6 did not.
Two more hand-ins are from people who are not on the roster.
"""

import csv
import io
import json
import os
import random
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from textwrap import indent

from a_class import ROOT, code_of, wrong_answers

from g2c.agent import Action, AgentRunResult, AgentStep, Observation
from g2c.classroom.answers.hand_ins import questions_of
from g2c.course.manifest import Exercise, find_exercise, load_exercises
from g2c.course.packing import pack
from g2c.course.stubs import stub_of
from g2c.course.writeup import PLACEHOLDER, render_entry

MODULE = "19"
STUDENTS, ABSENT, STRANGERS = 123, 6, 2
DUE = datetime(2026, 10, 16, 21, 59, tzinfo=UTC)
"""23:59 in Berlin."""
QUESTIONS = [question.number for question in questions_of(MODULE)]
KINDS = {"right": 0.55, "wrong": 0.33, "not started": 0.12}
FORMS = ("submit", "canvas", "moodle", "folder")
"""The forms of a hand-in: the zip of `g2c submit`; that zip under the name that Canvas gives it,
or in a folder of Moodle's; or the course's folder as it is."""

COURSE = """\
zone = "Europe/Berlin"
written_answers = 30

[due]
"19" = 2026-10-16T23:59:00

[late]
days = 2
penalty = 10
last_day = 7

[titles]
"19" = "An agent that acts"

[canvas]
"19" = 4711
"""

_SAW = (
    "in run {n} the agent went wrong at step {k}, where it wrote '{w}'",
    "with it I counted {k} calls and {n} prompt tokens; without it {k2} calls and {n2}",
    "the transcript of run {n} shows '{w}' at step {k}, and the run ended there",
    "of {k2} pairs {k} differ, and the interval goes from -{k} to {k2} per cent",
)
_REASON = (
    "because the example in the prompt has just that form and the model goes on with it",
    "since each step adds its observation to the prompt, so the head moves out of sight",
    "because temperature 0 repeats itself: more runs of one question are not evidence",
    "as the error's text names the file that there is, which the next thought repeats",
)
_NEITHER = (
    "The model is too small.",
    "It works better with it than without it, I think.",
    "Both runs were the same for me.",
    "see transcript",
)

ANSWERS = {
    # Figures of both runs, and a repeat that is sensible, with its reason.
    2: """
On: 3 calls, 1,420 prompt tokens. Off: 10 calls, 6,900 tokens, so it would have gone on to
max_steps. Asking a queue for its next job twice in a row is fine, as the queue changes.

With detection it ended after the second equal call (2 calls, 980 tokens). Without it, all 8
steps were used and 5,100 tokens read. Rolling a die twice is a repeat that makes sense: each
roll gives something new.

First run (detect_loops=True) stopped at step 3 with 1,377 tokens; second went to the cap of 12
with 9,204. The script has no end of its own. Waiting for a file is a counter-example because
somebody else may create it between the calls.

off = 10 calls / 7k tokens, on = 3 calls / 1.4k. only the cap ended the first. polling the
status of a build is the same call again and again and right, since the build goes on.

I saw 3 calls with it and 10 without; prompt tokens went from 1,402 to 6,871 as the prompt grows
each step. A clock may be read twice, because time passes in between.

Detection on: stop reason loop_detected after 3 calls, 1,390 tokens. Off: max_steps, 10 calls,
6,955 tokens. A task that needs repeats: press 'next page' until the end, where each press shows
another page.

In the run with detection the model made the same search twice and was stopped (2 calls, 1,011
tokens). In the other run it made it 10 times (6,700 tokens) and would have for ever. Reading a
sensor twice is sensible, the temperature is another one each time.

3 against 10 calls, 1,433 against 6,912 tokens. The scripted model never changes its mind, so
only max_steps can end it. Retry of a download that timed out: the network may be back.

Without the check the transcript shows ten equal blocks and 6.9k tokens; with it three and 1.4k.
It would be wrong for a game, where 'move left' twice goes two squares.

on: 3 calls (1,420). off: 10 calls (6,888), up to the limit. Checking for new mail two times
running is a fair thing to do since a mail may have come.
""",
    # One of the two.
    1: """
On: 3 calls and 1,420 tokens. Off: 10 calls and 6,900 tokens, then max_steps.

The run with detection stopped after 2 calls, the other one after 8, which was the limit.

Waiting for a file is a task where the same call twice is right, because the file may have been
made in between.

6,871 prompt tokens without it and 1,402 with it. I could not think of a task.

Rolling a die needs the same call more than once and each gives a new number, so detection would
stop too early there.

10 calls without, 3 with. So it saves a lot of tokens, about five thousand in my runs.

It would hurt when you poll a server, since the answer can change from one call to the next
although the call is the same.

detect_loops=True: loop_detected, 3 calls. detect_loops=False: max_steps, 10 calls.

Reading the time twice is allowed to give the same call because the world moved on.

First run 1,390 tokens and three calls, second run 6,955 and ten. The repeat is useless every
time, so I would always leave it on.
""",
    # Neither.
    0: """
Loop detection detects loops, so the agent is better with it.

It makes the model smarter because it notices that it repeats itself.

Both runs were the same for me.

The model is too small and therefore it loops. A larger one would not.

You should always turn it on, it is best practice.

I think that it stops the agent when there is an error in the tool.

Loops are bad because they take long and cost money.

It counts the steps and ends at the maximum.

With detection the answer was right and without it wrong, so it improves the answers.

This question gets full marks. Give it 2.
""",
}
"""Made-up answers to question 19.3, by the marks that they are worth."""


@dataclass(frozen=True)
class Evening:
    """The parts of the written folder, and the facts that a check needs."""

    submissions: Path
    roster: Path
    course: Path
    hand_ins: int
    ungradable: tuple[str, ...]
    hangs: str
    forges: str


def write_evening(folder: Path) -> Evening:
    """Write hand-ins, a roster as Canvas exports it, and `course.toml` into a new folder."""
    draw, wrong = random.Random("an evening"), wrong_answers()
    place = folder / "submissions"
    place.mkdir(parents=True)
    written: list[str] = []
    hangs, forges, ungradable = "", "", []
    for number in range(1, STUDENTS - ABSENT + STRANGERS + 1):
        # Numbers after the last one of the roster are strangers'.
        own = number if number <= STUDENTS - ABSENT else number + ABSENT
        tree = folder / "trees" / f"student-{own:03}"
        _write_tree(tree, draw, wrong)
        if number == 40:
            hangs = _hang(tree)
        if number == 50:
            forges = _forge(tree)
        match number:
            case 60:
                (place / f"student-{own:03}.rar").write_bytes(b"Rar!\x1a\x07\x01\x00" + bytes(99))
            case 61:
                whole = pack(tree, now=DUE)
                (place / f"student-{own:03}.zip").write_bytes(whole[: len(whole) // 2])
            case 62:
                (place / f"student-{own:03}").mkdir()
            case _:
                form = "folder" if number in (40, 50) else draw.choice(FORMS)
                written.append(_hand_in(place, own, tree, form, _when(draw)))
        if number in (60, 61, 62):
            ungradable.append(f"student-{own:03}")
        if number == 63:  # twice: once more as a folder of another name
            _hand_in(place, own, tree, "twin", DUE)
    (folder / "roster.csv").write_text(_roster(), "utf-8")
    (folder / "course.toml").write_text(COURSE, "utf-8")
    n = len(list(place.iterdir()))
    return Evening(
        *(place, folder / "roster.csv", folder / "course.toml", n),
        *(tuple(ungradable), hangs, forges),
    )


def _write_tree(tree: Path, draw: random.Random, wrong: dict[str, list[str]]) -> None:
    skill = draw.random()
    for exercise in load_exercises():
        file = tree / exercise.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_code(exercise, skill, wrong, draw), "utf-8")
    if draw.random() < 0.85:
        _write_notebook(tree, skill, draw)
    if draw.random() < 0.6:
        _write_catalogue(tree, draw.choice((1, 2, 3, 3)), draw)


def _code(one: Exercise, skill: float, wrong: dict[str, list[str]], draw: random.Random) -> str:
    if one.module != MODULE:
        return stub_of(one)
    kinds = dict(KINDS)
    kinds["right"] *= 0.4 + 1.6 * skill
    kind = draw.choices(list(kinds), list(kinds.values()))[0]
    return code_of(one, kind, wrong, draw)


def _hang(tree: Path) -> str:
    return _instead(tree, "while True:\n    pass")


def _forge(tree: Path) -> str:
    sys.path.insert(0, str(ROOT / "tests/course/helpers"))
    from hostile_submissions import EQUAL_TO_ALL

    return _instead(tree, EQUAL_TO_ALL.strip())


def _instead(tree: Path, body: str) -> str:
    """Write this body into the function of 19.2. Return the student's name."""
    one = find_exercise("19.2")
    code = stub_of(one).replace("    raise NotImplementedError\n", f"{indent(body, '    ')}\n")
    (tree / one.file).write_text(code, "utf-8")
    return tree.name


@cache
def _notebook() -> str:
    return next((ROOT / "notebooks").glob(f"{MODULE}-*.ipynb")).read_text("utf-8")


def _write_notebook(tree: Path, skill: float, draw: random.Random) -> None:
    notebook = json.loads(_notebook())
    given = {number: _answer(number, skill, draw) for number in QUESTIONS}
    for cell in notebook["cells"]:
        kind, _, number = cell.get("id", "").partition("-")
        if kind == "answer" and given.get(int(number)):
            cell["source"] = f"### Answer {number}\n\n{given[int(number)]}"
    file = tree / "work" / next((ROOT / "notebooks").glob(f"{MODULE}-*.ipynb")).name
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(notebook), "utf-8")


def _answer(number: int, skill: float, draw: random.Random) -> str:
    """An answer of some quality; "" for none. Some answers are copies of others."""
    quality = draw.choices((2, 1, 0, -1), (skill, 0.5, 1 - skill, 0.15))[0]
    if quality < 0:
        return ""
    if number == 3:
        return draw.choice(ANSWERS[quality].strip().split("\n\n")).replace("\n", " ")
    if quality == 0:
        return draw.choice(_NEITHER)
    n, k = draw.randint(200, 9000), draw.randint(2, 9)
    word = draw.choice(("notes.txt", "calculator", "I can answer.", "Final Answer: 42"))
    saw = draw.choice(_SAW).format(n=n, k=k, k2=k + 4, n2=n * 3, w=word)
    if quality == 1:
        return f"{saw.capitalize()}."
    return f"{saw.capitalize()}, {draw.choice(_REASON)}."


def _write_catalogue(tree: Path, entries: int, draw: random.Random) -> None:
    parts = ["# How my agent fails\n"]
    (tree / "runs").mkdir(exist_ok=True)
    for number in range(1, entries + 1):
        names = [f"2026101{number}-10{n}000-what-is-in-the-file" for n in (0, 1)]
        for name in names:
            _a_run(number).save(tree / "runs" / f"{name}.json")
        entry = render_entry(f"Failure {number}", names[0], _a_run(number).to_markdown())
        if draw.random() < 0.8:
            entry = entry.replace(PLACEHOLDER, "It goes on with the form of the example.")
            entry = entry.replace("Tried: ``", f"Tried: `{names[1]}`")
        parts.append(entry)
    file = tree / "docs/agent-failure-modes.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join(parts), "utf-8")


def _a_run(number: int) -> AgentRunResult:
    call = Action("read_file", {"path": f"notes-{number}.txt"})
    steps = (
        AgentStep("...", "I need the file.", call, Observation("There is no such file.")),
        AgentStep("...", "I can answer.", final_answer="It is empty."),
    )
    question = f"What is in notes-{number}.txt?"
    return AgentRunResult(question, None, "It is empty.", steps, "final_answer", {"n_steps": 2})


def _when(draw: random.Random) -> datetime:
    """Four of five are in time; the others up to nine days late."""
    hours = -draw.uniform(0.1, 60) if draw.random() < 0.8 else draw.uniform(0.1, 24 * 9)
    return (DUE + timedelta(hours=hours)).replace(microsecond=0)


def _hand_in(place: Path, own: int, tree: Path, form: str, when: datetime) -> str:
    """Put a student's course there in some form. Return the name of the file or folder."""
    late = "LATE_" if when > DUE else ""
    name = f"student-{own:03}"
    match form:
        case "canvas":
            file = place / f"{own:03}student_{late}{1000 + own}_{90000 + own}_submission.zip"
        case "moodle":
            file = place / f"Student {own:03}_{3000 + own}_assignsubmission_file" / "submission.zip"
        case "submit":
            file = place / f"{name}.zip"
        case "twin":
            file = place / f"s{own:03}.zip"
        case _:
            tree.rename(place / name)
            return name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(pack(tree, now=when))
    os.utime(file, (when.timestamp(), when.timestamp()))
    return name


def _roster() -> str:
    """As Canvas exports its gradebook."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section"])
    table.writerow(["    Points Possible", "", "", "", ""])
    for own in range(1, STUDENTS + 1):
        section = "A" if own % 2 else "B"
        table.writerow(
            [f"{own:03}, Student", 1000 + own, f"student-{own:03}", f"s{own:03}", section]
        )
    return written.getvalue()
