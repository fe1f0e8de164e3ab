"""A suite from outside: what the page shows works, and what is wrong in a file is one sentence."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from suite_scripts import play, scripted, wrong_answer

from g2c.inference import ScriptedBackend
from g2c.suite.outside import KINDS
from g2c.suite.report import about_suite, to_markdown
from g2c.suite.runner import Attempt, run_suite
from g2c.suite.suite_file import load_suite_file
from g2c.suite.tasks import OutsideTask
from g2c.suite.verdicts import gives

PAGE = ROOT / "docs/modules/23-evaluation/suites.md"
EXAMPLE = ROOT / "docs/measuring-example.jsonl"
FUNCTION = {
    "name": "f",
    "description": "Do it.",
    "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
}


def test_the_example_on_the_page_is_the_file_and_can_be_solved() -> None:
    shown = re.findall(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    lines = [json.loads(line) for line in EXAMPLE.read_text("utf-8").splitlines()]
    assert all(json.loads(block) in lines for block in shown) and len(shown) >= 3
    tasks = load_suite_file(EXAMPLE)
    families = Counter(task.family for task in tasks)
    assert families == {"story": 1, "money": 1, "huts": 2, "notes": 1, "plain": 1} | dict.fromkeys(
        ("bookings", "bookings_native"), 2
    )
    for task in tasks:
        outcome = play(task, scripted(task))
        assert outcome.verdict.success, f"{task}: {outcome.verdict.why}"
        assert not play(task, scripted(task, wrong_answer(task))).verdict.success, task


def test_the_page_names_all_kinds_and_their_fields() -> None:
    page = PAGE.read_text("utf-8")
    for name, kind in KINDS.items():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{name}`")), "")
        missing = [field for field in (*kind.required, *kind.optional) if f"`{field}`" not in row]
        assert not missing, f"the page's row of {name} lacks {missing}"


def loaded(tmp_path: Path, *lines: dict[str, Any] | str) -> Any:
    file = tmp_path / "own.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts), "utf-8")
    return load_suite_file(file)


STORY = {"kind": "story", "question": "How many?", "expected": 5}
CALL = {
    "kind": "call",
    "question": "Do it with 5.",
    "functions": [FUNCTION],
    "expected": "f",
    "arguments": {"n": [5]},
}
AGENT = {"kind": "agent", "question": "How many?", "expected": 5, "tools": []}
WRONG_LINES: tuple[tuple[dict[str, Any] | str, str], ...] = (
    ("{", "it is not JSON"),
    ("[1]", "write an object with a kind"),
    ({"question": "?"}, "there is no kind None; there are agent, story, call"),
    ({**STORY, "kind": []}, "there is no kind []"),
    ({**STORY, "family": {}}, "family: {} is not of type 'string'"),
    ({**STORY, "kind": "riddle"}, "there is no kind 'riddle'"),
    ({**STORY, "family": "recovery"}, "the fixed suite has the family 'recovery'"),
    ({**STORY, "family": "my_native"}, "give yours another name"),
    ({"kind": "story", "question": "How many?"}, "'expected' is a required property"),
    ({**STORY, "expected": "five"}, "expected: 'five' is not of type 'number'"),
    ({**STORY, "answer": 5}, "'answer' was unexpected"),
    ({**STORY, "question": ""}, "question: '' should be non-empty"),
    ({**AGENT, "tools": ["telescope"]}, "tools.0"),
    ({**AGENT, "tools": [FUNCTION]}, "tools.0"),
    ({**AGENT, "tools": [{**FUNCTION, "name": "a b", "result": 1}]}, "cannot be a tool's name"),
    ({**AGENT, "tools": ["calculator"] * 2}, "already a tool 'calculator'"),
    ({**AGENT, "files": {"../a.txt": ""}}, "cannot be a file's name"),
    ({**CALL, "expected": "g"}, "expected is none of the functions; it is one of f"),
    ({**CALL, "arguments": {}}, "f requires n"),
    ({**CALL, "arguments": {"n": [5], "m": [1]}}, "f has no parameter 'm'"),
    ({**CALL, "arguments": {"n": ["5"]}}, "f does not accept a right value of n"),
    ({**CALL, "functions": [FUNCTION, FUNCTION]}, "two functions have one name"),
    ({**CALL, "expected": ""}, "leave arguments out"),
    (
        {"kind": "choice", "question": "?", "notes": ["a", "b"], "expected": "c"},
        "none of the notes",
    ),
    ({"kind": "home", "question": "?", "expected": "", "keeps": True}, "what the memory must keep"),
    (
        {"kind": "tick", "question": "?", "expected": "a", "file": "/etc/x"},
        "cannot be a file's name",
    ),
    ({"kind": "instruction", "question": "?", "expected": "x", "check": "lines"}, "write a number"),
    ({**STORY, "id": "one"}, "there is another task 'one'"),
)


@pytest.mark.parametrize(("line", "says"), WRONG_LINES, ids=[says for _, says in WRONG_LINES])
def test_an_error_in_a_file_is_a_sentence_with_its_line(
    line: dict[str, Any] | str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError) as refused:
        loaded(tmp_path, {**STORY, "id": "one"}, "", line)
    message = str(refused.value)
    assert "own.jsonl, line 3: " in message and says in message, message
    assert message.endswith("suites.md has the format and an example.") and len(message) < 600


def test_a_file_without_a_task_or_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no task"):
        loaded(tmp_path, "", " ")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not UTF-8 text"):
        load_suite_file(tmp_path / "binary.jsonl")
    with pytest.raises(ValueError, match="has no family 'cooking'; it has story"):
        (tmp_path / "one.jsonl").write_text(json.dumps(STORY), "utf-8")
        load_suite_file(tmp_path / "one.jsonl", ["cooking"])


def test_numbers_are_compared_as_numbers() -> None:
    right = ("It is 1,250.50 coins.", "$1250.5", "**1250.500**", "So 1250.5.")
    assert all(gives(text, "1250.5") for text in right)
    assert not any(gives(text, "1250.5") for text in ("1250", "-1250.5", "1250.55", "11,250.5"))
    assert gives("minus: -7", "-7") and gives("12 of them", "12.0") and not gives("x12", "12")
    assert gives("The answer is Maren.", "maren")


def test_without_a_solution_the_answer_alone_counts(tmp_path: Path) -> None:
    (free,) = loaded(tmp_path, {**AGENT, "tools": ["calculator"]})
    bound = loaded(tmp_path, {**AGENT, "tools": ["calculator"], "solution": []})[0]
    assert isinstance(free, OutsideTask) and free.any_way and not bound.any_way
    looked_up = ' Hm.\nAction: calculator\nAction Input: {"expression": "2 + 3"}\n'
    said = [looked_up, "I know.\nFinal Answer: 5"]
    assert play(free, ScriptedBackend(said)).verdict.success
    assert play(free, ScriptedBackend(said[1:])).verdict.success
    assert not play(bound, ScriptedBackend(said)).verdict.success, "no tool was needed"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"n": 5}, ""),
        ({"n": 5.0}, ""),
        ({"n": "5"}, "n is '5'"),
        ({"n": 6}, "n is 6"),
        ({}, "n is missing"),
        ({"n": 5, "k": None}, "k was not asked for"),
    ],
)
def test_a_call_is_judged_by_its_arguments(
    arguments: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    text, native = loaded(tmp_path, CALL)
    line = f" I call it.\nAction: f\nAction Input: {json.dumps(arguments)}\n"
    chat = {"tool_calls": [{"name": "f", "arguments": arguments}]}
    for outcome in (
        play(text, ScriptedBackend([line])),
        play(native, ScriptedBackend(chats=[chat])),
    ):
        assert (outcome.verdict.success, outcome.verdict.why) == (not fault, fault)


def test_two_calls_are_not_one(tmp_path: Path) -> None:
    _, native = loaded(tmp_path, CALL)
    one = {"name": "f", "arguments": {"n": 5}}
    outcome = play(native, ScriptedBackend(chats=[{"tool_calls": [one, one]}]))
    assert outcome.verdict.why == "more than one call" and "f" in outcome.completion


def test_the_report_has_the_families_of_the_file_and_no_group_of_the_fixed_suite() -> None:
    tasks = load_suite_file(EXAMPLE)
    outcomes: tuple[Attempt, ...] = ()
    for task in tasks:
        outcomes += run_suite(scripted(task), [task])
    text = to_markdown({"mine": outcomes}, about_suite(tasks, "of my.jsonl"))
    assert f"{len(tasks)} tasks of my.jsonl." in text and "| huts " in text
    assert [line for line in text.splitlines() if line.startswith("| =")] == [
        line for line in text.splitlines() if line.startswith("| = all")
    ]
