"""What reads a model's, a server's or a student's text takes time in proportion to its length.

To have another function asked, add it to `TABLE`: a name, the function, and the texts that could
hurt it. A text is a function from a size to a text of about that size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from growth import MOST, growth
from ollama import ShowResponse

from g2c.agent.core.result import _fenced
from g2c.exercises.e19_1_parse_react_step.solution import parse_react_step
from g2c.exercises.e19_2_extract_plan.solution import extract_plan
from g2c.exercises.e21_1_parse_critique.solution import parse_critique
from g2c.foreign_json import load_json
from g2c.inference import BackendError
from g2c.inference.recording import _first_difference
from g2c.inference.served._ollama_address import base_url_from
from g2c.inference.served._openai_shapes import CHUNK, MODELS
from g2c.inference.served._served import read_calls
from g2c.inference.served._transport import printable
from g2c.inference.served.ollama import _own_stops
from g2c.inference.structured.constrained import plain_messages, read_turn
from g2c.inference.structured.json_forms import find_fault, read_object
from g2c.inference.structured.thinking import split_thinking
from g2c.inference.structured.written_calls import find_written_calls
from g2c.loop.app.evolution import parse_edits
from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.state import _Fault, _parse
from g2c.memory.app.recall import read_choice
from g2c.memory.core.heads import find_head
from g2c.memory.core.index import pointer_of
from g2c.memory.core.paragraphs import excerpt, split_paragraphs
from g2c.memory.core.plan import parse_plan
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import slugify
from g2c.memory.core.transcripts import turn_of as read_turn_of
from g2c.text import one_line, without_citations
from g2c.tools import (
    ToolCall,
    ToolError,
    ToolRegistry,
    dispatch_tool_call,
    make_calculator,
    make_read_file,
    make_web_search,
)
from g2c.tools.decorator import _read_docstring

pytestmark = pytest.mark.slow

MakeText = Callable[[int], str]


def repeated(unit: str, before: str = "", after: str = "") -> MakeText:
    return lambda size: before + unit * (size // len(unit)) + after


def shown(parameters: str) -> ShowResponse:
    """What Ollama shows of a model with these parameters."""
    return ShowResponse(model_info={}, parameters=parameters)


TEXTS: dict[str, MakeText] = {
    "letters": repeated("a"),
    "spaces": repeated(" ", "x", "x"),
    "line ends": repeated("\n", "x", "x"),
    "spaces after a fence": repeated(" ", "```", "x"),
    "spaces in a fence": repeated(" ", "```", "x```"),
    "letters after a fence": repeated("a", "```", " "),
    "fences": repeated("```"),
    "fences with line ends": repeated("```\n", "", "x"),
    "open brackets": repeated("["),
    "open objects": repeated('{"a":'),
    "nested arrays": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "many arrays": repeated("[],", "[", "[]]"),
    "many objects": repeated('{"a": {}},', '{"b": [', "{}]}"),
    "many keys": lambda size: json.dumps({f"k{number}": 1 for number in range(size // 10)}),
    "open quotes": repeated('"'),
    "backslashes": repeated("\\", '{"a": "'),
    "escapes": repeated("\\ud83d", '{"a": "', '"}'),
    "digits": repeated("9"),
    "digits in an object": repeated("9", '{"a": ', "}"),
    "combining marks": repeated("\u0301", "a"),
    "colons": repeated(":"),
    "headings": repeated("Args:\n"),
    "heading without an end": repeated("a", "Args:\n    "),
    "arguments": repeated("    a: b\n", "Args:\n"),
    "arguments without a colon": repeated("    a\n", "Args:\n"),
    "indents": repeated("\n    ", "Args:\n    a: b"),
    "stops": repeated('stop "a"\n'),
    "open stops": repeated('stop "\n'),
    "spaces after stop": repeated(" ", "stop", "x"),
    "escapes in a stop": repeated("\\x41", 'stop "', '"'),
    "escape sequences": repeated("\x1b[2J"),
    "places": repeated("(a.md:1)"),
    "places and words": repeated(" (a.md:1)x"),
    "paths": repeated("a/"),
    "paths upwards": repeated("../"),
}
"""Texts for whatever reads text."""

UNITS = (
    *("<tool_call>", "<tool_call>{}", "[TOOL_CALLS]", "<function=a>", "</function>", "call:a{"),
    *("<parameter=a>", "<arg_key>a</arg_key>", "to=a ", "<|tool_call_begin|>a", "\n[", "\n{"),
    *("\na {", "\n<a>", "a(", "~~~", "Action: a\nAction Input:", "<think>", "\n<think>x</think>"),
    *("</think>", "\n</think>\n", "\n[THINK]", "\n<reasoning>", "> "),
)
MARKED = {
    f"{unit!r} after {start!r}": repeated(unit, start)
    for unit in UNITS
    for start in ("", "<function=a>", "<think>")
}
"""What a server leaves in a model's text."""

CALLED = {"function": {"name": "a", "parameters": {"properties": {"a": {"type": "string"}}}}}

LOOKING = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^a"}}}


def quietly(function: Callable[[str], object]) -> Callable[[str], None]:
    """`function`, whose refusal is as good as an answer."""

    def call(text: str) -> None:
        with suppress(ValueError, KeyError, ToolError, BackendError):
            function(text)

    return call


HERE = Path(__file__).parent
"""A folder of few names: a name that is missing is compared with all there are."""


def call_tools(text: str) -> None:
    registry = ToolRegistry([make_calculator(), make_read_file(HERE)])
    for call in (
        ToolCall("calculator", {"expression": text}),
        ToolCall("calculator", {text: text}),
        ToolCall("read_file", {"path": text}),
        ToolCall(text, {"path": text}),
    ):
        dispatch_tool_call(registry, call)


def messages(text: str) -> list[dict[str, Any]]:
    call = {"id": "1", "function": {"name": text, "arguments": {"a": text}}}
    return [{"role": "assistant", "content": text, "tool_calls": [call]}] * 3


INPUTS = {
    f"{before!r}, then {unit!r}": repeated(unit, f"Action: a\nAction Input: {before}", after)
    for before in ("", "```", "```json", "{")
    for unit in (" ", "`", "\n")
    for after in ("", "x")
}
MARKS = {"marks": repeated("a" + "\u0301\u0323"), "marks in a row": repeated("\u0301\u0323", "a")}
SECRETS = {
    unit: repeated(unit)
    for unit in ("eyJ-", "a.", "token:", "password ", "sk-", "a://b:", "bearer ")
}
STATE = """---
goal: x
status: running
tick: %s
budget: {}
spent: {}
started: 2026-04-21 12:00:00+00:00
updated: 2026-04-21 12:00:00+00:00
---
"""


def read_tick(text: str) -> None:
    with suppress(_Fault):
        _parse(STATE % text)


SCRIPTS = {
    unit: repeated(unit) for unit in ("日", "हि", "กิ", "ي\u064e", "日a ", "\u0130", "a\u200c")
}
TABLE: list[tuple[str, Callable[[str], object], dict[str, MakeText]]] = [
    ("read_object", read_object, TEXTS),
    ("load_json", load_json, TEXTS),
    ("read_turn", lambda text: read_turn(text, "call_1"), TEXTS),
    ("find_fault of a line", lambda text: find_fault(load_json(text), CHUNK), TEXTS),
    ("find_fault of a list", lambda text: find_fault({"data": [text] * 9}, MODELS), TEXTS),
    (
        "stops of a model",
        lambda text: _own_stops(ShowResponse(model_info={}, parameters=text)),
        TEXTS,
    ),
    (
        "arguments of a call",
        lambda text: read_calls([{"function": {"name": "a", "arguments": text}}], []),
        TEXTS,
    ),
    ("a server's words", printable, TEXTS),
    ("an address", base_url_from, TEXTS),
    ("a docstring", _read_docstring, TEXTS),
    ("calls of tools", call_tools, TEXTS),
    ("hits of a search", lambda text: make_web_search(lambda _: [text] * 3).func("a"), TEXTS),
    ("a chat in plain roles", lambda text: plain_messages(messages(text), []), TEXTS),
    ("one line", one_line, TEXTS),
    ("text without places", without_citations, TEXTS),
    ("where two prompts differ", lambda text: _first_difference(text, text + "x"), TEXTS),
    ("a step", parse_react_step, TEXTS | INPUTS),
    ("thinking", split_thinking, TEXTS | MARKED),
    ("calls in a text", lambda text: find_written_calls(text, [CALLED]), TEXTS | MARKED),
    ("a plan", lambda text: extract_plan(text, "What?"), TEXTS),
    ("a critique", parse_critique, TEXTS),
    ("a block of code", _fenced, TEXTS),
    ("a dream's plan", lambda text: parse_plan(text, {"a"}), TEXTS),
    ("a choice", lambda text: read_choice(text, 5), TEXTS),
    ("a turn", lambda text: read_turn_of(text.encode("utf-8", "surrogatepass")), TEXTS),
    ("a topic's name", slugify, TEXTS | MARKS),
    ("terms", extract_terms, TEXTS | MARKS),
    ("terms of any script", extract_terms, SCRIPTS),
    ("an excerpt", lambda text: excerpt(text, "日本", 30), SCRIPTS),
    ("a topic's head", lambda text: find_head(f"---\n{text}\n---"), TEXTS),
    ("paragraphs", lambda text: list(split_paragraphs(text)), TEXTS),
    ("a pointer", pointer_of, TEXTS),
    ("credentials", find_credentials, TEXTS | SECRETS),
    ("edits", parse_edits, TEXTS),
    ("a state", read_tick, {unit: repeated(unit) for unit in ("1:", "9", "a ", "*a ")}),
]


@pytest.mark.parametrize(
    ("function", "make_text"),
    [
        pytest.param(function, make_text, id=f"{name}: {text}")
        for name, function, texts in TABLE
        for text, make_text in texts.items()
    ],
)
def test_four_times_the_text_takes_at_most_six_times_as_long(function, make_text):
    assert growth(quietly(function), make_text) <= MOST


def test_a_name_that_is_missing_is_not_compared_with_all_there_are(tmp_path):
    def make_folder(size: int) -> Path:
        folder = tmp_path / str(size)
        if not folder.exists():
            folder.mkdir()
            for number in range(size):
                (folder / f"{number:06}{'name' * 50}").touch()
        return folder

    def read(folder: Path) -> None:
        with pytest.raises(ToolError, match=r"There is no file .* Try "):
            make_read_file(folder).func(path="name" * 50)

    assert growth(read, make_folder, start=500, largest=500) <= MOST


class TestGrowth:
    """The measure itself."""

    def test_it_tells_a_square_and_a_cube_from_a_line(self):
        cubic = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL)
        # Of what is not a line, all measurements are made: from a size at which they are short.
        assert growth(cubic.fullmatch, repeated(" ", "```", "x"), start=100) > MOST
        assert growth(re.compile(r"^(\w+)[^:]*:").match, repeated("a")) > MOST
        assert growth(str.split, repeated("a ")) <= MOST

    def test_what_takes_no_time_does_not_grow(self):
        assert growth(len, repeated("a")) == 0
