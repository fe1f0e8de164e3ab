"""The log of what a program does, and the files that commands leave."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from g2c.agent import Agent
from g2c.course.traces import (
    SUFFIX,
    ends_of,
    find_trace,
    leaves_trace,
    list_traces,
    read_events,
    tracing_to_file,
)
from g2c.evaluation.build_spans import build_spans
from g2c.inference import BackendError, RecordingBackend, ScriptedBackend
from g2c.loop.core.delegate import make_delegate
from g2c.loop.core.types import Budget
from g2c.tools import ToolRegistry, make_calculator
from g2c.tracing import MAX_TEXT_CHARS, Event, EventLog, environment_of_child, logging_to, traced

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CALL = ' Work.\nAction: calculator\nAction Input: {"expression": "23 * 17"}'
BAD_CALL = ' Work.\nAction: calculator\nAction Input: {"expression": "23 *"}'
ASK = ' Ask.\nAction: research\nAction Input: {"question": "What is 23 * 17?"}'
ANSWER = " I know.\nFinal Answer: 391"


@pytest.fixture
def events() -> Iterator[list[Event]]:
    heard: list[Event] = []
    ticking = iter(range(10_000))
    with logging_to(EventLog(heard.append, clock=lambda: float(next(ticking)), began=0.0)):
        yield heard


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    return tmp_path


def agent_of(*said: str, more: ToolRegistry | None = None) -> Agent:
    tools = ToolRegistry([make_calculator(), *(more or ())])
    return Agent(ScriptedBackend([*said]), tools, plan=False)


def test_a_run_is_a_tree_of_calls_and_tools(events: list[Event]) -> None:
    agent_of(CALL, ANSWER).run("What is 23 * 17?")
    spans = build_spans(events, with_text=True)
    assert [(span.kind, span.parent) for span in spans] == [
        ("agent", None),
        ("model", 1),
        ("tool", 1),
        ("model", 1),
    ]
    assert spans[0].outcome == "final_answer"
    assert (spans[2].name, spans[2].output) == ("calculator", "391")
    assert [span.error for span in spans] == [""] * 4
    assert spans[1].input_tokens is not None, "a model's tokens are its span's"


def test_a_tools_error_is_the_tools(events: list[Event]) -> None:
    agent_of(BAD_CALL, ANSWER).run("What is 23 * 17?")
    errors = {span.kind: span.error for span in build_spans(events) if span.error}
    assert errors == {"tool": "tool_error"}


def test_a_delegates_run_hangs_below_its_call_and_the_tokens_add_up(events: list[Event]) -> None:
    helper = make_delegate(
        lambda tools: agent_of(CALL, ANSWER), "research", Budget(ticks=3), now=lambda: NOON
    )
    result = agent_of(ASK, ANSWER, more=ToolRegistry([helper])).run("Find out.")
    spans = {span.id: span for span in build_spans(events)}
    kinds = [span.kind for span in spans.values()]
    assert kinds == ["agent", "model", "tool", "agent", "model", "tool", "model", "model"]
    asked = next(span for span in spans.values() if span.name == "research")
    inner = [span for span in spans.values() if span.kind == "agent"][1]
    assert inner.parent == asked.id
    own = sum(
        span.input_tokens or 0
        for span in spans.values()
        if span.kind == "model" and span.parent != inner.id
    )
    assert own == result.metadata["prompt_tokens"], "the delegate's calls are not the asker's"


def test_a_call_that_is_handed_on_is_one_call(events: list[Event], tmp_path: Path) -> None:
    RecordingBackend(ScriptedBackend(["Hello."]), tmp_path / "tape.jsonl").complete("Say hello.")
    assert [event.what for event in events] == ["begin", "end"], "a recording is not a second model"


def test_an_exception_is_an_error_of_all_that_it_passes_through(events: list[Event]) -> None:
    with pytest.raises(BackendError):
        agent_of().run("What is 23 * 17?")
    assert {span.kind: span.error for span in build_spans(events)} == {
        "agent": "ScriptExhaustedError",
        "model": "ScriptExhaustedError",
    }


def test_each_thread_is_a_worker(events: list[Event]) -> None:
    def work() -> None:
        with traced("tool", "inner"):
            pass

    with traced("command"):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert [event.worker for event in events] == [0, 1, 1, 0]
    assert build_spans(events)[1].parent == 1


def test_texts_are_bounded(events: list[Event]) -> None:
    with traced("tool", text="x" * 9_999) as ending:
        ending.text = "y" * 9_999
    assert [len(event.text) for event in events] == [MAX_TEXT_CHARS] * 2


def test_without_a_log_nothing_is_told() -> None:
    with traced("tool") as ending:
        ending.outcome = "done"
    assert agent_of(ANSWER).run("What is 23 * 17?").final_answer == "391"
    assert not list_traces()


def test_a_command_leaves_its_events_and_how_it_ended(home: Path) -> None:
    with tracing_to_file("chat", NOON):
        agent_of(CALL, ANSWER).run("What is 23 * 17?")
    [path] = list_traces()
    assert path == home / "runs" / f"20260301-120000-chat{SUFFIX}"
    spans = build_spans(read_events(path))
    assert [span.kind for span in spans] == ["command", "agent", "model", "tool", "model"]
    assert spans[0].name == "chat"


def test_a_command_that_does_nothing_leaves_nothing(home: Path) -> None:
    with tracing_to_file("chat", NOON):
        pass
    assert not (home / "runs").exists()


def test_two_in_one_second_have_two_files() -> None:
    for _ in range(2):
        with tracing_to_file("chat", NOON):
            agent_of(ANSWER).run("What is 23 * 17?")
    names = [path.name.removesuffix(SUFFIX) for path in list_traces()]
    assert names == ["20260301-120000-chat-2", "20260301-120000-chat"]


CHILD = """
import time
time.time = lambda: 0.0  # somebody has set the clock since the parent began
from g2c.course.traces import tracing_to_file
from g2c.inference import ScriptedBackend
with tracing_to_file("work"):
    ScriptedBackend(["four words of tokens"]).complete("a prompt of the child")
"""


def test_the_calls_of_a_child_process_are_in_the_trace_of_its_parent() -> None:
    with tracing_to_file("swarm", NOON):
        for _ in range(2):
            environment = os.environ | environment_of_child()
            subprocess.run([sys.executable, "-c", CHILD], env=environment, check=True)
    [path] = list_traces()
    whole, *others = build_spans(read_events(path))
    assert [span.kind for span in others] == ["command", "model"] * 2
    assert {span.parent for span in others if span.kind == "command"} == {whole.id}
    read, written = others[1].input_tokens, others[1].output_tokens
    assert read and written
    assert whole.start <= others[0].start <= others[1].end <= whole.end
    [ends], _ = ends_of([path])
    assert ends.tokens == {"scripted": (2 * read, 2 * written)}


class Exit(RuntimeError):
    """As typer's."""

    exit_code = 1


def test_an_exit_code_is_not_an_error_and_an_exception_is_one() -> None:
    @leaves_trace("refine")
    def command(error: Exception) -> None:
        with traced("draft"):
            pass
        raise error

    for error in (Exit(), ValueError("no")):
        with pytest.raises(type(error)):
            command(error)
    assert sorted(build_spans(read_events(path))[0].error for path in list_traces()) == [
        "",
        "ValueError",
    ]


def test_a_torn_file_is_read_up_to_the_tear(tmp_path: Path) -> None:
    with tracing_to_file("chat", NOON):
        agent_of(CALL, ANSWER).run("What is 23 * 17?")
    [path] = list_traces()
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:20])
    assert len(read_events(path)) == 3
    [end], unreadable = ends_of([path])
    assert end.outcomes == (("killed", 1),) and not unreadable


def test_no_sum_leaves_out_a_call_or_a_file_without_a_word(tmp_path: Path) -> None:
    def begin(at: float, id: int, kind: str, name: str) -> str:
        event = {"at": at, "worker": 0, "id": id, "what": "begin", "kind": kind, "name": name}
        return json.dumps(event) + "\n"

    killed = tmp_path / "killed.events.jsonl"
    child = begin(5.0, 10**9, "command", "functions") + begin(6.0, 10**9 + 1, "model", "m")
    killed.write_text(child + begin(9.0, 1, "command", "swarm") + begin(9.5, 2, "model", "m"))
    empty, torn, odd = (tmp_path / f"{name}.events.jsonl" for name in ("empty", "torn", "odd"))
    empty.touch()
    torn.write_text('{"at": 1.0, "wor')
    odd.write_bytes(b"\xff\xfe\x00")
    [ends], unreadable = ends_of([killed, empty, torn, odd])
    assert (ends.command, ends.runs, ends.untold) == ("swarm", 1, 2)
    for file, why in zip((empty, torn, odd), unreadable, strict=True):
        assert str(file) in why


@pytest.mark.parametrize(
    "line", ['{"at": "noon"}', "[]", '{"at": 1, "worker": 0, "id": true, "what": "end"}', "{", "12"]
)
def test_another_file_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    good = json.dumps({"at": 1.0, "worker": 0, "id": 1, "what": "begin"})
    file = tmp_path / "x.jsonl"
    file.write_text(f"{line}\n{good}\n")
    with pytest.raises(ValueError, match="line 1, is not an event of a run"):
        read_events(file)


def test_a_trace_is_found_by_its_name_and_leads_nowhere_else(home: Path) -> None:
    with pytest.raises(ValueError, match="No run has left a trace yet"):
        find_trace("last")
    with tracing_to_file("chat", NOON):
        agent_of(ANSWER).run("What is 23 * 17?")
    (home / f"other{SUFFIX}").write_text("")
    [path] = list_traces()
    for name in ("last", "1", "20260301", path.name, str(path)):
        assert find_trace(name) == path
    for name in ("7", "other", "../other", "", "chat"):
        with pytest.raises(ValueError, match="There is no trace"):
            find_trace(name)
