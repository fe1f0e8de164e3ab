"""Written JSON can be read again, whatever a model wrote."""

import ast
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import g2c
from g2c.agent import Agent, AgentRunResult
from g2c.foreign_json import MAX_DEPTH, dump_json, find_unreadable, load_json
from g2c.home.supervisor import Day, today
from g2c.inference import ScriptedBackend
from g2c.json_files import append_json, objects_in, record_of, replace_json
from g2c.loop.core import journal
from g2c.loop.core.progress import Progress, read_progress, write_progress
from g2c.loop.core.types import Budget, HealerNote, LoopState, Spent, TickRecord
from g2c.tools import Tool, ToolCall, ToolRegistry, dispatch_tool_call

PACKAGE = Path(g2c.__file__).parent
WRITERS = {"replace_text", "append_line", "keep_text", "replace_bytes"}
NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
DEEP: Any = json.loads('{"a":' * 62 + "1" + "}" * 62)
ODD = {
    "infinity": {"n": float("inf")},
    "not a number": {"n": [float("nan")]},
    "62 deep": DEEP,
    "900 deep": {"n": json.loads("[" * 900 + "]" * 900)},
    "a lone surrogate": {"n": "\udc80", "\udc80": 1},
}


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_a_record_of_anything_a_model_writes_can_be_read(tmp_path: Path, value: Any) -> None:
    file = tmp_path / "records.jsonl"
    for _ in range(2):
        append_json(file, {"step": {"action": {"arguments": value}}})
    assert len(list(objects_in(file))) == 2
    replace_json(file, [value], indent=1)
    assert isinstance(load_json(file.read_text("utf-8")), list)
    assert load_json(record_of({"text": "as it is", "n": 1.5})) == {"text": "as it is", "n": 1.5}


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
def test_find_unreadable_and_the_strict_writer_agree(value: Any) -> None:
    try:
        dump_json(value)
    except (ValueError, RecursionError):
        assert find_unreadable(value)
    else:
        assert find_unreadable(value, MAX_DEPTH) == ""


@pytest.mark.parametrize(
    "arguments",
    ['{"n": 1e400}', '{"n": -1e999}', json.dumps({"n": DEEP})],
    ids=["1e400", "-", "62"],
)
def test_a_call_that_no_record_could_hold_is_not_carried_out(
    tmp_path: Path, arguments: str
) -> None:
    paid: list[Any] = []
    schema = {"type": "object", "properties": {"n": {}}}
    pay = Tool("pay", "Pay n.", schema, lambda n: paid.append(n))
    found = dispatch_tool_call(ToolRegistry([pay]), ToolCall("pay", json.loads(arguments)))
    assert found.is_error and found.output.startswith("Bad arguments for pay: "), found.output
    completions = [f" Hm.\nAction: pay\nAction Input: {arguments}\n", " Hm.\nFinal Answer: No."]
    run = Agent(ScriptedBackend(completions), ToolRegistry([pay]), plan=False).run("Pay.")
    run.save(tmp_path / "run.json")
    assert AgentRunResult.load(tmp_path / "run.json").final_answer == "No." and not paid


def _note(file: Path) -> object:
    found = journal.read_note(file)
    journal.write_note(file, HealerNote("h1", NOON, "Look again."))
    return found


def _conversation(file: Path) -> object:
    found = journal.read_conversation(file)
    journal.write_conversation(file, [TickRecord(1, NOON, "continue")])
    return found or None


def _progress(file: Path) -> object:
    found = read_progress(file)
    write_progress(file, Progress(7, "m", 3, 2, 12, 50.0, NOON, "agent", NOON))
    return found


def _day(file: Path) -> object:
    state = LoopState("Tea.", "running", 0, Budget(), Spent(), NOON, NOON)
    return None if today(file, state, NOON) == Day("2026-04-21", 0) else "another day"


@pytest.mark.parametrize("make", [Path.mkdir, lambda file: file.write_text('{"id": "h1", "ts": ')])
@pytest.mark.parametrize("write", [_note, _conversation, _progress, _day])
def test_a_folder_or_a_cut_file_in_the_place_of_a_programs_own_holds_nothing_up(
    tmp_path: Path, write: Callable[[Path], object], make: Callable[[Path], object]
) -> None:
    file = tmp_path / "kept.json"
    make(file)
    assert write(file) is None
    assert file.is_file() and load_json(file.read_bytes())


def test_every_writer_of_json_writes_what_can_be_read() -> None:
    lax = []
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            called = ast.unparse(node) if isinstance(node, ast.Call) else ""
            if called.partition("(")[0] in WRITERS and "json.dumps" in called:
                lax.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert not lax, "use replace_json, append_json or keep_json of g2c.json_files"
