"""Reading a model's, a server's or a student's text takes time in proportion to its length.

To have another function asked, add it to `TABLE`: a name, the function, and those texts that could
hurt it, given what it looks for. A text is a function from a size to a text of about that size.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from growth import MAX_RATIO, growth
from ollama import ShowResponse

from g2c.agent import extract_plan, parse_react_step
from g2c.agent.core.result import _fenced
from g2c.critic import parse_critique
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


TEXTS: dict[str, MakeText] = {
    "letters": repeated("a"),
    "digits": repeated("9", '{"a": ', "}"),
    "spaces": repeated(" ", "x", "x"),
    "line ends": repeated("\n", "x", "x"),
    "spaces in a fence": repeated(" ", "```", "x"),
    "fences": repeated("```\n", "", "x"),
    "open objects": repeated('{"a":'),
    "nested arrays": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "many objects": repeated('{"a": {}},', '{"b": [', "{}]}"),
    "many keys": lambda size: json.dumps({f"k{number}": 1 for number in range(size // 10)}),
    "open quotes": repeated('"'),
    "backslashes": repeated("\\", '{"a": "'),
    "escapes": repeated("\\ud83d", '{"a": "', '"}'),
    "combining marks": repeated("\u0301", "a"),
    "several marks": repeated("a" + "\u0301\u0323"),
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


def chosen(*names: str) -> dict[str, MakeText]:
    """The texts that are dangerous to one reader."""
    return {name: TEXTS[name] for name in names}


JSON = chosen("digits", "open objects", "nested arrays", "many objects", "many keys", "backslashes")
IN_JSON = chosen("open objects", "many objects", "many keys", "escapes")
"""Texts for a reader that leaves the parsing to the one of `JSON`."""
BLANK = chosen("spaces", "line ends", "spaces in a fence", "fences")

CALLS = (
    *("<tool_call>", "<tool_call>{}", "[TOOL_CALLS]", "<function=a>", "</function>", "call:a{"),
    *("<parameter=a>", "<arg_key>a</arg_key>", "to=a ", "<|tool_call_begin|>a", "\n[", "\n{"),
    *("\na {", "\n<a>", "a("),
)
THOUGHTS = (
    *("<think>", "\n<think>x</think>", "</think>", "\n</think>\n", "\n[THINK]", "\n<reasoning>"),
    *("> ", "~~~"),
)


def after(start: str, *units: str) -> dict[str, MakeText]:
    """Texts that a server may leave in a model's text."""
    return {f"{unit!r} after {start!r}": repeated(unit, start) for unit in units}


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
    f"{before!r}, then {unit!r}": repeated(unit, f"Action: a\nAction Input: {before}", "x")
    for before in ("```json", "{")
    for unit in (" ", "`", "\n")
}
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
    ("read_object", read_object, JSON | chosen("open quotes", "spaces in a fence")),
    ("load_json", load_json, JSON | chosen("escapes")),
    ("read_turn", lambda text: read_turn(text, "call_1"), IN_JSON),
    ("find_fault of a line", lambda text: find_fault(load_json(text), CHUNK), IN_JSON),
    (
        "find_fault of a list",
        lambda text: find_fault({"data": [text] * 9}, MODELS),
        chosen("letters", "escape sequences"),
    ),
    (
        "stops of a model",
        lambda text: _own_stops(ShowResponse(model_info={}, parameters=text)),
        chosen("stops", "open stops", "spaces after stop", "escapes in a stop"),
    ),
    (
        "arguments of a call",
        lambda text: read_calls([{"function": {"name": "a", "arguments": text}}], []),
        IN_JSON,
    ),
    ("a server's words", printable, chosen("line ends", "escape sequences", "combining marks")),
    ("an address", base_url_from, chosen("colons", "open quotes", "paths", "spaces")),
    (
        "a docstring",
        _read_docstring,
        chosen("headings", "heading without an end", "arguments", "arguments without a colon")
        | chosen("indents"),
    ),
    ("calls of tools", call_tools, chosen("paths", "paths upwards", "nested arrays", "letters")),
    (
        "hits of a search",
        lambda text: make_web_search(lambda _: [text] * 3).func("a"),
        chosen("spaces", "line ends", "open stops"),
    ),
    (
        "a chat in plain roles",
        lambda text: plain_messages(messages(text), []),
        chosen("letters", "backslashes"),
    ),
    ("one line", one_line, chosen("spaces", "line ends", "escape sequences")),
    ("text without places", without_citations, chosen("places", "places and words", "line ends")),
    (
        "where two prompts differ",
        lambda text: _first_difference(text, text + "x"),
        chosen("letters", "line ends"),
    ),
    ("a step", parse_react_step, INPUTS | chosen("line ends", "open objects", "backslashes")),
    ("thinking", split_thinking, BLANK | after("", *THOUGHTS) | after("<think>", *THOUGHTS)),
    (
        "calls in a text",
        lambda text: find_written_calls(text, [CALLED]),
        BLANK
        | after("", *CALLS)
        | after("<function=a>", "<parameter=a>", "<arg_key>a</arg_key>", "</function>", "\n<a>"),
    ),
    ("a plan", lambda text: extract_plan(text, "What?"), BLANK),
    ("a critique", parse_critique, BLANK),
    ("a block of code", _fenced, BLANK),
    ("a dream's plan", lambda text: parse_plan(text, {"a"}), IN_JSON),
    ("a choice", lambda text: read_choice(text, 5), chosen("digits", "many keys")),
    ("a turn", lambda text: read_turn_of(text.encode("utf-8", "surrogatepass")), IN_JSON),
    ("a topic's name", slugify, chosen("letters", "spaces", "combining marks", "several marks")),
    ("terms", extract_terms, chosen("letters", "combining marks", "several marks", "paths")),
    ("terms of any script", extract_terms, SCRIPTS),
    ("an excerpt", lambda text: excerpt(text, "日本", 30), SCRIPTS),
    (
        "a topic's head",
        lambda text: find_head(f"---\n{text}\n---"),
        chosen("spaces", "line ends", "many keys"),
    ),
    ("paragraphs", lambda text: list(split_paragraphs(text)), BLANK | chosen("open stops")),
    ("a pointer", pointer_of, chosen("places", "letters")),
    ("credentials", find_credentials, SECRETS | chosen("letters", "spaces")),
    ("edits", parse_edits, IN_JSON),
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
def test_time_grows_with_the_length_of_the_text(function, make_text):
    assert growth(quietly(function), make_text) <= MAX_RATIO


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

    assert growth(read, make_folder, start=2000, largest=2000) <= MAX_RATIO


class TestGrowth:
    """The measure itself."""

    def test_it_tells_a_square_and_a_cube_from_a_line(self):
        cubic = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL)
        # Of what is not a line, all measurements are made: from a size at which they are short.
        assert growth(cubic.fullmatch, repeated(" ", "```", "x"), start=400) > MAX_RATIO
        assert growth(re.compile(r"^(\w+)[^:]*:").match, repeated("a")) > MAX_RATIO
        assert growth(str.split, repeated("a ")) <= MAX_RATIO

    def test_a_function_that_takes_no_time_does_not_grow(self):
        assert growth(len, repeated("a")) == 0
