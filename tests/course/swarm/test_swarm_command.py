"""`g2c swarm` with real processes and the real model, which are killed."""

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from checkout import Checkout
from command import g2c
from ollama_server import Answer
from openai_server import CHAT, MODEL, OpenAIServer

from g2c.cli import run_swarm
from g2c.files import locked
from g2c.inference import Backend, BackendUnreachableError, ScriptedBackend, patient
from g2c.loop.core.folder import exclusive
from g2c.memory import MemoryStore
from g2c.processes import process_is_alive
from g2c.swarm.app.folder import Found, Posted, SwarmFiles
from g2c.swarm.app.note import keep_note
from g2c.swarm.app.order import Order, keep_order
from g2c.swarm.core.reports import Claim

ROOMS = ("attic", "garden", "kitchen", "mill")
FILLER = "Nobody has counted the chairs since the party. The windows are cleaned twice a year. " * 2


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number, room in enumerate(ROOMS):
        code = f"The code of the {room} is {1204 + number}."
        (folder / f"{room}.txt").write_text(f"{FILLER}{code} {FILLER}\n")
    return folder


def swarm(root: Path, *arguments: str) -> Any:
    return g2c("swarm", *arguments, root=root, reference="all")


def found_in(root: Path) -> Path:
    return root / ".g2c/home/swarms/main"


def record_of(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (found_in(root) / "record.jsonl").open()]


class Started:
    """A swarm in a process of its own, in a folder, and what it says while errands end."""

    def __init__(self, root: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "g2c", "swarm", *arguments],
            env=os.environ | {"G2C_ROOT": str(root), "G2C_REFERENCE": "all"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=root,
        )

    def lines(self) -> Iterator[str]:
        assert self.process.stderr
        return (line for line in self.process.stderr if "ended" in line)


@pytest.mark.slow
def test_whatever_is_killed_it_goes_on_and_looks_for_nothing_twice(
    tmp_path: Path, notes: Path
) -> None:
    order = ("the code of the mill", "--files", str(notes), "--model", "embedded")
    started = Started(tmp_path, "start", *order)
    ended = started.lines()
    next(ended)
    worker = next(event for event in record_of(tmp_path) if event["what"] == "started")
    os.kill(worker["process"], signal.SIGKILL)
    next(ended)
    started.process.kill()
    started.process.wait()
    assert "nobody; g2c swarm resume goes on" in swarm(tmp_path, "status").stdout
    before = [event for event in record_of(tmp_path) if event["what"] == "kept"]
    assert before, "something was found before the kill"

    done = swarm(tmp_path, "resume")
    assert done.returncode == 0 and "1207" in done.stdout, done.stdout + done.stderr
    events = record_of(tmp_path)
    kept = Counter(event["errand"] for event in events if event["what"] == "kept")
    assert set(kept.values()) == {1}, "each errand counts once"
    assert kept.keys() == {file.stem for file in (found_in(tmp_path) / "errands").glob("*.json")}
    last = max(place for place, event in enumerate(events) if event["what"] == "asked")
    again = {event["errand"] for event in events[last:] if event["what"] == "claimed"}
    assert not again & {event["errand"] for event in before}, (
        "what was found is not looked for again"
    )


@pytest.mark.slow
def test_a_supervisor_that_dies_is_run_again(tmp_path: Path, notes: Path) -> None:
    ordered(tmp_path, notes, about="the code of the mill", tokens=90_000, reads_well=800)
    started = Started(tmp_path, "supervise")
    next(started.lines())
    [first] = {event["process"] for event in record_of(tmp_path) if event["what"] == "asked"}
    os.kill(first, signal.SIGKILL)
    assert started.process.wait() == 0
    asked = [event["process"] for event in record_of(tmp_path) if event["what"] == "asked"]
    assert len(asked) == 2 and asked[0] == first != asked[1]
    assert "1207" in swarm(tmp_path, "status").stdout


@pytest.mark.parametrize(
    ("after", "code", "runs"), [("an answer", 0, 3), ("a stop", 1, 3), ("nothing", 3, 6)]
)
def test_a_supervisor_goes_on_after_errands_that_failed(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch, after: str, code: int, runs: int
) -> None:
    files, ran = SwarmFiles(ordered(tmp_path, notes)), []
    files.stop.touch()  # of an earlier run

    class Resumed:
        def __init__(self, command: Sequence[str]) -> None:
            assert not files.stop.exists()
            ran.append(command)
            files.keep_result("one", Found("w", error="BackendError: gone"))
            if len(ran) == 3 and after == "an answer":
                files.answer.write_text('{"answer": "1204", "tokens": 9}')
            if len(ran) == 3 and after == "a stop":
                files.stop.touch()

        def wait(self) -> None: ...
        def terminate(self) -> None: ...

    monkeypatch.setattr(subprocess, "Popen", Resumed)
    monkeypatch.setattr("g2c.cli.swarm.wait", lambda seconds, is_over: None)
    done = swarm(tmp_path, "supervise")
    assert (done.returncode, len(ran)) == (code, runs), done.stderr


def test_a_worker_waits_for_a_server_that_is_away_as_it_begins(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = SwarmFiles(tmp_path / "swarm")
    keep_order(files, Order("the code", "fact", str(notes), 1, 9, "", str(tmp_path / "memory")))
    loads = [BackendUnreachableError("Nothing answers."), ScriptedBackend([])]

    def load(*_: object) -> Backend:
        loaded = loads.pop(0)
        if isinstance(loaded, Backend):
            return loaded
        raise loaded

    monkeypatch.setattr(run_swarm, "load", load)
    monkeypatch.setattr(run_swarm, "POLL_S", 0)
    monkeypatch.setattr(patient, "GROWING_PAUSES_S", (0,))
    run_swarm.run_worker(files.root, "worker-1")
    said = [
        event["why"] for event in map(json.loads, files.record.open()) if event["what"] == "waits"
    ]
    assert said == ["It waits for its model: Nothing answers."] and not loads


def test_a_worker_that_waits_hears_a_stop(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = SwarmFiles(tmp_path / "swarm")
    keep_order(files, Order("the code", "fact", str(notes), 1, 9, "", str(tmp_path / "memory")))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.setenv("G2C_BACKEND", "llama3.2:3b")
    with exclusive(files.lock):
        files.stop.touch()
        with pytest.raises(BackendUnreachableError):
            run_swarm.run_worker(files.root, "worker-1")


@pytest.mark.slow
def test_sigterm_ends_all_processes_of_a_swarm(tmp_path: Path, notes: Path) -> None:
    ordered(tmp_path, notes, about="the code of the mill", tokens=90_000, reads_well=800, workers=2)
    started = Started(tmp_path, "supervise")
    next(started.lines())
    numbers = {event["process"] for event in record_of(tmp_path) if "process" in event}
    started.process.terminate()
    assert started.process.wait() == 128 + signal.SIGTERM
    assert len(numbers) == 3 and not [number for number in numbers if process_is_alive(number)]


@pytest.mark.slow
def test_failed_errands_stop_nobody_and_a_stop_before_it_begins_is_heard(
    tmp_path: Path, notes: Path
) -> None:
    with OpenAIServer() as server:
        server.on(CHAT, Answer((b"{}",), 400))
        model = f"openai:{server.url}/v1#{MODEL}"
        folder = ordered(tmp_path, notes, model=model, tokens=90_000)
        done = swarm(tmp_path, "resume")
        assert "asks again what failed" in done.stdout, done.stderr
        assert not (folder / "stop").exists(), "a supervisor would take it for a person's"
        (folder / "stop").touch()
        done = swarm(tmp_path, "resume", "--supervised")
    assert "stopped; g2c swarm resume goes on" in done.stdout, done.stderr
    assert (folder / "stop").exists()


@pytest.mark.slow
def test_every_turn_says_whose_it_is_and_the_note_has_its_sources(
    tmp_path: Path, notes: Path
) -> None:
    home = tmp_path / ".g2c/home"
    home.mkdir(parents=True)
    (home / "agent.toml").write_text("[model]\nseed = 7\n")
    done = swarm(
        tmp_path, "start", "the code of the mill", "--files", str(notes), "--model", "embedded"
    )
    assert done.returncode == 0 and "1207" in done.stdout, done.stdout + done.stderr
    [day] = (home / "memory/transcripts").glob("*.jsonl")
    turns = [json.loads(line) for line in day.open()]
    assert {turn["agent_id"] for turn in turns} == {"supervisor", "worker-1", "worker-2"}
    assert turns[-1]["agent_id"] == "supervisor" and "1207" in turns[-1]["content"]
    [note] = (tmp_path / ".g2c/home/memory/topics").glob("*swarm*.md")
    assert "the code of the mill is 1207 (mill.txt)" in note.read_text()
    shown = swarm(tmp_path, "log", "-n", "100").stdout
    assert "worker-1" in shown and "answered" in shown
    order = json.loads((found_in(tmp_path) / "order.json").read_text())
    assert (order["reads_well"], order["options"]) == (800, {"seed": 7})
    summary = " ".join(g2c("runs", "--summary", root=tmp_path).stdout.split())
    assert re.search(r"swarm 1 [1-9][\d,]+ answered 1", summary), summary
    refused = swarm(tmp_path, "start", "the key", "--files", str(notes))
    assert refused.returncode == 1 and "g2c swarm resume" in refused.stderr

    mill = notes / "mill.txt"
    mill.write_text(mill.read_text().replace("1207", "1399"))
    done = swarm(tmp_path, "resume")
    assert done.returncode == 0 and "1399" in done.stdout and "1207" not in done.stdout
    assert "1207" not in note.read_text(), "what the file said before is not reported as found"


@pytest.mark.slow
def test_a_linked_answer_is_looked_for_in_two_steps(tmp_path: Path) -> None:
    notes = tmp_path / "short"
    notes.mkdir()
    said = ("The keeper of the mill is Ada.", "The telephone of Ada is 5512.") * 2
    for number, text in enumerate((*said, "The telephone of Bela is 7777.")):
        (notes / f"{number}.txt").write_text(f"It rained all day. {text} Bring bread.\n")
    order = ("the keeper of the mill", "--kind", "linked", "--then", "the telephone of {}")
    done = swarm(tmp_path, "start", *order, "--files", str(notes), "--model", "embedded")
    assert done.returncode == 0 and "5512" in done.stdout, done.stdout + done.stderr
    [note] = (tmp_path / ".g2c/home/memory/topics").glob("*swarm*.md")
    assert "looked for the telephone of the keeper of the mill" in note.read_text()


def test_only_a_linked_question_has_a_second_step(tmp_path: Path, notes: Path) -> None:
    for more, says in (
        (("--kind", "linked"), "needs --then with {} in it"),
        (("--kind", "linked", "--then", "the room"), "needs --then with {} in it"),
        (("--then", "the room of {}"), "--then is for --kind linked"),
    ):
        done = swarm(tmp_path, "start", "the keeper", "--files", str(notes), *more)
        assert done.returncode == 1 and says in done.stderr, done.stderr
        assert not (found_in(tmp_path) / "order.json").exists()


def test_a_missing_swarm_is_one_sentence(tmp_path: Path) -> None:
    for arguments, says in (
        (("status",), "g2c swarm start begins one"),
        (("resume",), "g2c swarm start begins one"),
        (("start", "the key", "--files", "nowhere"), "nowhere is not a folder"),
        (("start", " ", "--files", "."), "Say what to look for"),
        (("status", "--name", "../x"), "is not a name for a swarm"),
    ):
        done = swarm(tmp_path, *arguments)
        assert done.returncode == 1 and says in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_a_swarm_that_has_not_ended_can_be_stopped(tmp_path: Path, notes: Path) -> None:
    folder = ordered(tmp_path, notes)
    assert "It stops when" in swarm(tmp_path, "stop").stdout
    (folder / "stop").unlink()
    (folder / "answer.json").write_text('{"answer": "1204", "tokens": 9}')
    assert "nothing to stop" in swarm(tmp_path, "stop").stdout
    assert not (folder / "stop").exists()


def ordered(root: Path, notes: Path, **more: Any) -> Path:
    """Begin a swarm that nobody leads."""
    folder = found_in(root)
    folder.mkdir(parents=True, exist_ok=True)
    asked = {"about": "the key", "kind": "fact", "folder": str(notes), "workers": 1, "tokens": 9}
    model = {"model": "embedded", "memory": str(root / "memory")}
    (folder / "order.json").write_text(json.dumps(asked | model | more))
    return folder


@pytest.mark.parametrize(
    "order",
    [
        *("", "[]", '{"about": "the key"}', {"workers": "two"}, {"kind": "odd"}, {"model": 7}),
        *({"options": {"seed": "x"}}, {"options": 3}),
    ],
)
def test_an_order_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, notes: Path, order: str | dict[str, object]
) -> None:
    if isinstance(order, str):
        (ordered(tmp_path, notes) / "order.json").write_text(order)
    else:
        ordered(tmp_path, notes, **order)
    for command in ("status", "resume", "log"):
        done = swarm(tmp_path, command)
        assert done.returncode == 1 and "cannot be read; delete" in done.stderr, done.stderr


def test_foreign_lines_of_a_record_and_a_foreign_answer_are_passed_over(
    tmp_path: Path, notes: Path
) -> None:
    folder = ordered(tmp_path, notes)
    lines = ('{"at": 1e300}', "[7]", '{"at": 1, "agent": {}, "what": []}', "torn")
    last = '{"at": 1, "agent": "w", "what": "kept"}'
    (folder / "record.jsonl").write_text("\n".join((*lines, last, "")))
    log = swarm(tmp_path, "log")
    assert log.returncode == 0 and "kept" in log.stdout, log.stderr
    (folder / "answer.json").write_text('{"answer": 7}')
    shown = swarm(tmp_path, "status")
    assert shown.returncode == 0 and "nobody; it has answered" in shown.stdout, shown.stderr


def test_a_folder_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    ordered(tmp_path, tmp_path / "gone")
    done = swarm(tmp_path, "resume")
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "gone" in done.stderr


def test_a_second_supervisor_is_told_of_the_swarm(tmp_path: Path, notes: Path) -> None:
    folder = ordered(tmp_path, notes)
    with locked(folder / ".lock"):
        (folder / "stop").touch()
        done = swarm(tmp_path, "resume")
    assert done.returncode == 1 and "g2c swarm stop." in done.stderr, done.stderr
    assert (folder / "stop").exists(), "the one that is asked to stop still is"


def test_a_model_that_is_not_there_is_one_sentence(tmp_path: Path, notes: Path) -> None:
    model = str(tmp_path / "no-such.gguf")
    done = swarm(tmp_path, "start", "the key", "--files", str(notes), "--model", model)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "no-such.gguf" in done.stderr and not (found_in(tmp_path) / "order.json").exists()
    ordered(tmp_path, notes, model=model, tokens=90_000)  # it was there when the swarm began
    done = swarm(tmp_path, "resume")
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "There is no file" in done.stderr and "no-such.gguf" in done.stderr


@pytest.mark.slow
def test_it_does_not_begin_on_an_exercise_that_is_not_written_or_broken(
    tmp_path: Path, notes: Path
) -> None:
    course = Checkout(tmp_path / "course")
    start = ("swarm", "start", "the key", "--files", str(notes))
    for make, says in (
        (lambda text: text, "A swarm needs 24.1 write_brief: not started"),
        (lambda text: f"{text}\ndef (", "g2c/swarm/write_brief.py, line 40: SyntaxError"),
    ):
        file = course.folder / "g2c/swarm/write_brief.py"
        file.write_text(make(file.read_text()))
        done = course.g2c(*start)
        assert done.returncode == 1 and says in done.stderr, done.stderr
        assert "There is no swarm" in course.g2c("swarm", "status").stderr, "nothing was begun"


def test_a_note_of_very_much_is_cut_and_the_answer_not_lost(tmp_path: Path) -> None:
    files = SwarmFiles(tmp_path / "main")
    for number in range(100):
        claim = Claim("the code", f"{number}" * 1_000, ("a.txt",))
        files.keep_result(f"{number}", Found("w", (claim,)))
    store, sought = MemoryStore(tmp_path / "memory"), "the code " * 3_000
    keep_note(store, sought, "1204", files.results(), date(2026, 4, 21))
    [note] = (tmp_path / "memory/topics").glob("*swarm*.md")
    assert "It answered: 1204" in note.read_text()


def test_work_of_a_dead_supervisor_is_given_out_again(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordered(tmp_path, notes, scheduler="tcp://nowhere:1", tokens=100_000)
    begun: list[Posted] = []

    def begin(files: SwarmFiles, posted: Sequence[Posted]) -> None:
        if posted and not begun:
            begun.extend(posted)
            raise ValueError("it died")
        for task in posted:
            files.keep_result(task.name, Found("w"))

    monkeypatch.setattr(
        "g2c.course.swarm_workers.on_cluster",
        lambda scheduler, files, read, model: partial(begin, files),
    )
    assert "it died" in swarm(tmp_path, "resume").stderr
    again = swarm(tmp_path, "resume")
    assert "Nobody can tell" in again.stdout, again.stderr
    assert {task.name for task in begun} <= {
        f.stem for f in (found_in(tmp_path) / "found").iterdir()
    }
