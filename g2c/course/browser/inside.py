"""The functions in the tab's Python that the page calls from a worker.

Arguments and results are JSON. The page keeps the student's files, and sends them with each call,
by their paths in the course. For a file that is as shipped, the reference replaces its function.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2c.course.manifest import Exercise, find_exercise, load_exercises
from g2c.exercise import REFERENCE_VARIABLE
from g2c.files import open_file, read_text
from g2c.paths import project_root

if TYPE_CHECKING:
    from g2c.agent import AgentStep
    from g2c.inference.embedded.engine import Engine
    from g2c.tools import ToolRegistry

Tell = Callable[[str], None]
"""Gets each event of a running call, as JSON."""

NOT_HERE = {
    "19.5": "An agent measures it in a process of its own. Write this one on a laptop.",
    "20.6": "A lock stands between processes, and a tab has one. Write this one on a laptop.",
    "21.7": "It runs drafts, each in a process of its own. Write this one on a laptop.",
}
"""The exercises that a tab cannot run, and why."""

MAX_DEPTH = 400
"""The recursion limit. Calls through C, as in `sorted(key=...)`, use the browser's stack, which has
room for fewer than a thousand; an overflow ends the interpreter."""

RECORDING = "tests/course/answers/demo.jsonl"
"""The model's recorded answers to these questions, which are those of `g2c demo`."""

MODEL_FILES = {"meeting.txt": "The meeting is on Tuesday at 10 in room 4.\n"}
QUESTIONS = (
    "What is 23 * 17?",
    "When is the meeting in meeting.txt?",
    "When is the meeting in diary.txt?",
)

_STANDING_ON_STUDENTS = (
    "agent",
    "memory",
    "critic",
    "loop",
    "home",
    "evaluation",
    "swarm",
    "guard",
    "exercises",
)
_MAX_FILE_BYTES = 2**20


def prepare() -> None:
    """Make this interpreter ready, and import what is slow to import."""
    # The C scanner recurses on the browser's own stack, and JSON that is nested 5,000 deep would
    # end the interpreter. Python's stops with a RecursionError.
    json.scanner.make_scanner = json.scanner.py_make_scanner  # type: ignore[attr-defined]
    json.decoder.scanner.make_scanner = json.scanner.py_make_scanner  # type: ignore[attr-defined]
    json._default_decoder = json.JSONDecoder()  # type: ignore[attr-defined]
    sys.setrecursionlimit(MAX_DEPTH)
    sys.dont_write_bytecode = True  # or a file that changes within a second looks unchanged
    os.chdir(project_root())
    run_tests("{}", load_exercises()[0].id, lambda event: None)
    import g2c.agent  # noqa: F401


def exercises() -> str:
    """The data that the page shows of each exercise, in the course's order."""
    return json.dumps(
        [
            {
                "id": exercise.id,
                "title": exercise.title,
                "name": exercise.function,
                "file": exercise.file,
                "lesson": exercise.lesson,
                "hints": exercise.hints,
                "text": _shipped(exercise),
                "not_here": NOT_HERE.get(exercise.id, ""),
            }
            for exercise in load_exercises()
        ]
    )


def run_tests(files: str, exercise_id: str, tell: Tell) -> str:
    """Run the exercise's tests on the student's files; `tell` gets each test's id when it begins.

    The result is a `TestRun` whose results have `sentence`, `passed` and `rows` besides.
    """
    import pytest

    from g2c.course.check.results import read_events

    exercise = find_exercise(exercise_id)
    _take(json.loads(files), besides=exercise)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        events = Path(folder, "events.jsonl")
        report = ["-p", "g2c.course.check.reporter", "--report-to", str(events)]
        options = ["-q", "-p", "no:cacheprovider", "--no-summary", *report]
        pytest.main([*options, *exercise.test_ids], plugins=[_Teller(tell)])
        run = read_events(read_text(events) if events.exists() else "")
    trouble = run.trouble or ("" if run.collected else out.getvalue())
    results = [
        {"sentence": result.sentence, "passed": result.passed, "rows": result.rows()}
        for result in run.results
    ]
    return json.dumps({"passed": run.passed, "trouble": trouble, "results": results})


def run_agent(files: str, question: str, plan: bool, engine: Engine, tell: Tell) -> str:
    """Answer `question` with the student's functions; `tell` gets each step when it is over."""
    return json.dumps(_run(json.loads(files), [question], plan, engine, tell))


def instructions() -> str:
    """The part of the prompt that is the same for every question. The model can read it before it
    is asked the first one."""
    from g2c.agent import render_system_prompt

    return render_system_prompt(tuple(_tools(Path())))


def replay(files: str, tell: Tell) -> str:
    """Answer the questions of `g2c demo` with the student's functions, on the model's recorded
    answers. Fails if these functions ask the model something else."""
    from g2c.inference.embedded.recorded_engine import ReplayEngine

    path = project_root() / RECORDING
    with open_file(path, encoding="utf-8") as lines:
        model = json.loads(next(lines))["call"]
    try:
        ended = _run(json.loads(files), QUESTIONS, False, ReplayEngine(model, path), tell)
    except RuntimeError:
        ended = {
            "error": "Your functions write another prompt than the reference does, so the "
            "recording has no answer to it. The live model has."
        }
    return json.dumps(ended)


def pack(files: str) -> bytes:
    """The student's files as a zip, at their places in the course."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(json.loads(files).items()):
            archive.writestr(path, text)
    return packed.getvalue()


def unpack(packed: bytes) -> str:
    """The student's files in a zip of the course, in whatever folder they are; files as shipped are
    left out.

    Raises:
        ValueError: it is not a zip, or none of these files is in it.
    """
    from g2c.course.submission import read_member
    from g2c.course.submission_names import own_names

    known = {exercise.file: exercise for exercise in load_exercises()}
    files, seen = {}, False
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            names = own_names(archive.namelist())
            for entry in archive.infolist():
                path = names.get(entry.filename, "")
                if path in known and entry.file_size <= _MAX_FILE_BYTES:
                    seen = True
                    text = read_member(archive, entry, _MAX_FILE_BYTES).decode("utf-8")
                    if text != _shipped(known[path]):
                        files[path] = text
    except (zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise ValueError(f"This is not a zip of the course's files: {error}") from error
    if not seen:
        raise ValueError(f"This zip has none of the course's files, such as {next(iter(known))}.")
    return json.dumps(files)


def _run(
    files: Mapping[str, str], questions: Any, plan: bool, engine: Engine, tell: Tell
) -> dict[str, Any]:
    yours = _take(files)
    from g2c.agent import Agent
    from g2c.inference.embedded.browser import BrowserBackend

    def on_step(step: AgentStep) -> None:
        call = step.inference
        tell(
            json.dumps(
                {
                    "thought": step.thought,
                    "action": step.action
                    and f"{step.action.tool} {json.dumps(dict(step.action.arguments))}",
                    "observation": step.observation and step.observation.text,
                    "parse_error": step.parse_error,
                    "final_answer": step.final_answer,
                    "call": call and {"tokens": call.completion_tokens, **call.metadata},
                },
                default=str,
            )
        )

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in MODEL_FILES.items():
            (folder / file).write_text(text, "utf-8")
        settings: dict[str, Any] = {"plan": plan, "max_new_tokens": 120, "temperature": 0.0}
        agent = Agent(BrowserBackend(engine), _tools(folder), **settings, on_step=on_step)
        stopped = ""
        for question in questions:
            tell(json.dumps({"question": question}))
            stopped = agent.run(question).stopped_reason
    return {"stopped": stopped, "yours": yours}


def _tools(folder: Path) -> ToolRegistry:
    from g2c.tools import ToolRegistry, make_calculator, make_list_files, make_read_file

    return ToolRegistry([make_list_files(folder), make_calculator(), make_read_file(folder)])


def _take(files: Mapping[str, str], besides: Exercise | None = None) -> list[str]:
    """Write the student's files, so that the next import finds them; return the names of their
    functions. The reference replaces the others, except for `besides`."""
    yours, references = [], []
    for exercise in load_exercises():
        text = files.get(exercise.file, _shipped(exercise))
        (project_root() / exercise.file).write_text(text, "utf-8")
        if text != _shipped(exercise):
            yours.append(exercise.function)
        elif exercise != besides:
            references.append(exercise.id)
    os.environ[REFERENCE_VARIABLE] = ",".join(references)
    gone = {"cases", *(f"test_{name}" for name in _STANDING_ON_STUDENTS)}
    for name in list(sys.modules):
        top, _, rest = name.partition(".")
        if name in gone or (top == "g2c" and rest.split(".")[0] in _STANDING_ON_STUDENTS):
            del sys.modules[name]
    return yours


_first: dict[str, str] = {}


def _shipped(exercise: Exercise) -> str:
    """The exercise's whole file, as the page sent it."""
    if exercise.file not in _first:
        _first[exercise.file] = read_text(project_root() / exercise.file)
    return _first[exercise.file]


class _Teller:
    """The pytest plugin that reports which test begins: if it never ends, the page knows its
    name."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._tell(json.dumps({"test": nodeid}))
