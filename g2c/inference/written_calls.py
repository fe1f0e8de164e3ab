"""Calls of tools that came as text, as a model's own template writes them.

A server that does not know the template hands such a call on as if the model had spoken. It is no
answer: it is read, or else it goes back to the model as an error.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from g2c.inference.json_forms import json_at, load_json

MAX_WRITTEN_CALLS = 100
_MAX_PYTHON = 4_000

_NAME = r"(?:functions\.)?([\w.-]{1,100})"
_BAR = r"[|\uff5c]"  # DeepSeek's is full-width
_NOT_QUOTED = r"(?<![`'\"])"

_NAMED = "|".join(
    (
        rf"<function={_NAME}>\s*(?=\{{)",  # Llama 3
        rf"to={_NAME}[^{{\n]{{0,80}}<\|message\|>\s*",  # gpt-oss
        rf"<{_BAR}tool▁call▁begin{_BAR}>(?:function<{_BAR}tool▁sep{_BAR}>)?{_NAME}\s*"
        rf"(?:<{_BAR}tool▁sep{_BAR}>)?\s*(?:```json)?\s*(?=\{{)",  # DeepSeek
        rf"\[TOOL_CALLS\]\s*{_NAME}(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?=\{{)",  # Mistral
        rf"<\|tool_call_begin\|>\s*{_NAME}(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*",  # Kimi
        rf"\bcall:{_NAME}\s*(?=\{{)",  # Gemma
        rf"^Action:[ \t]*{_NAME}[ \t]*\nAction Input:\s*(?=\{{)",  # the text protocol of module 19
    )
)
_MARKS = "|".join(
    (
        r"<tool_calls?>",  # Hermes, Qwen
        r"<\|tool_call(?:_start)?(?:\|>|>)",  # Granite, Phi, LFM
        r"<\|python_tag\|>",  # Llama 3
        r"\[TOOL_CALLS\]",  # Mistral
        r"\bfunctools(?=\[)",
        r"<\|START_ACTION\|>",  # Command R
        r"<\|action_start\|>(?:<\|plugin\|>)?",  # InternLM
        r"<function_?call>",
        r"```tool_(?:code|call)s?\b",  # Gemma
    )
)
_TAGS = "|".join(
    (
        rf"<function={_NAME}>",  # Qwen's coder
        rf"<invoke name=\"{_NAME}\">",
        rf"<tool_call>\s*{_NAME}\s*(?=<arg_key>)",  # GLM
    )
)
_FLAGS = re.MULTILINE
_NAMED_CALL = re.compile(_NOT_QUOTED + f"(?:{_NAMED})", _FLAGS)
_TAGGED_CALL = re.compile(_NOT_QUOTED + f"(?:{_TAGS})", _FLAGS)
_MARK = re.compile(_NOT_QUOTED + f"(?:{_MARKS})", _FLAGS)
_ANY = re.compile(_NOT_QUOTED + f"(?:{_NAMED}|{_TAGS}|{_MARKS})", _FLAGS)
_VALUE = r"((?:(?!<parameter|<arg_).)*?)"
_ARGUMENT = re.compile(
    rf"<parameter(?: name=\"|=)([\w.-]{{1,100}})\"?>{_VALUE}</parameter>"
    rf"|<arg_key>([\w.-]{{1,100}})</arg_key>\s*<arg_value>{_VALUE}</arg_value>",
    re.DOTALL,
)
_END_OF_TAGS = re.compile(r"</function>|</invoke>|</tool_call>")
_NOTHING_MORE = re.compile(r"(?:\s|`|;|</?\w*>|<\|\w*\|>|&lt;/?\w*&gt;)*")
_BEFORE_JSON = re.compile(r"\s*(?:```(?:json)?\s*)?")
_LINE_WITH_JSON = re.compile(
    r"^[ \t]{0,20}(?:<\|?\w{1,30}\|?>|&lt;\w{1,30}&gt;)?[ \t]{0,20}\n?[ \t]{0,20}(?=[{\[])", _FLAGS
)
_MOST_LINES = 5
_END_OF_LINE = re.compile(r"(?:[ \t`;]|</?\w*>|<\|\w*\|>|&lt;/?\w*&gt;)*$", _FLAGS)
_TAG = re.compile(r"<(\w{1,100})>([^<]*)</\1>")
_SPECIAL = re.compile(r"<\|[\w ]{1,30}\|>(?:commentary|final)?")
_NAME_KEYS = ("name", "tool_name", "tool", "action")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input")
_OTHER_KEYS = ("id", "type", "index", "tool_call_id")


@dataclass(frozen=True)
class WrittenCall:
    """A call as it was written; nobody has checked the arguments."""

    name: str
    arguments: Any


@dataclass(frozen=True)
class WrittenCalls:
    """What stands before the first call, and the calls. Without calls, the text has one that cannot
    be read."""

    before: str
    calls: tuple[WrittenCall, ...]


def find_written_calls(text: str, tools: Iterable[Mapping[str, Any]]) -> WrittenCalls | None:
    """The calls that `text` holds; None if it is an answer.

    Without a mark of a template, a text is a call if it names one of `tools` as a call does, or is
    JSON that has the form of a call and of nothing else. The time is linear.

    >>> written = 'I add.\\n<tool_call>\\n{"name": "add", "arguments": {"n": 1}}\\n</tool_call>'
    >>> find_written_calls(written, ())
    WrittenCalls(before='I add.', calls=(WrittenCall(name='add', arguments={'n': 1}),))
    >>> find_written_calls("<tool_call>add 1", ())
    WrittenCalls(before='', calls=())
    >>> find_written_calls("Write `<tool_call>` before it.", ()) is None
    True
    """
    types = _types_of(tools)
    first = _first_mark(text)
    if first is None:
        return None if _ANY.search(text) else _bare(text, types)
    before = _SPECIAL.sub("", text[:first]).strip()
    readers = (_named(text, first), _tagged(text, first, types), _marked(text, first))
    return WrittenCalls(before, next(filter(None, map(tuple, readers)), ()))


Types = Mapping[str, Mapping[str, Any]]
"""For each tool the JSON type of each of its parameters."""


def _types_of(tools: Iterable[Mapping[str, Any]]) -> Types:
    types = {}
    for tool in tools:
        function = tool.get("function", tool)
        properties = (function.get("parameters") or {}).get("properties") or {}
        types[function["name"]] = {
            name: one.get("type") for name, one in properties.items() if isinstance(one, Mapping)
        }
    return types


def _first_mark(text: str) -> int | None:
    """Where the first mark stands that is not inside a code fence; a text may be about marks."""
    fenced, at = False, 0
    for found in _ANY.finditer(text):
        fenced ^= text.count("```", at, found.start()) % 2 == 1
        at = found.start()
        if not fenced:
            return found.start()
    return None


def _first(pattern: re.Pattern[str], text: str, start: int) -> Iterator[re.Match[str]]:
    return itertools.islice(pattern.finditer(text, start), MAX_WRITTEN_CALLS)


def _named(text: str, start: int) -> Iterator[WrittenCall]:
    for found in _first(_NAMED_CALL, text, start):
        name = next(filter(None, found.groups()))
        if (arguments := _json_at(text, found.end())) is not None:
            yield WrittenCall(name, arguments[0])


def _tagged(text: str, start: int, types: Types) -> Iterator[WrittenCall]:
    for found in _first(_TAGGED_CALL, text, start):
        name = next(filter(None, found.groups()))
        end = _END_OF_TAGS.search(text, found.end())
        stop = end.start() if end else len(text)
        arguments: dict[str, Any] = {}
        for key, value, other_key, other in _ARGUMENT.findall(text[found.end() : stop]):
            key, value = key or other_key, (value or other).strip("\n")
            arguments[key] = _value(value, types.get(name, {}).get(key))
        if arguments or end:
            yield WrittenCall(name, arguments)


def _value(text: str, kind: Any) -> Any:
    if kind == "string":
        return text
    try:
        return load_json(text)
    except ValueError:
        return text


def _marked(text: str, start: int) -> Iterator[WrittenCall]:
    for found in _first(_MARK, text, start):
        at: int | None = found.end()
        calls: tuple[WrittenCall, ...] = ()
        while at is not None and (read := _json_at(text, at)) is not None:
            data, end = read
            calls += _as_calls(data)
            at = end + 1 if text[end : end + 1] in (";", ",") else None
        yield from calls or _python_calls(_up_to_end(text, found.end()))


def _up_to_end(text: str, start: int) -> str:
    """The list that begins there, as far as it may be a call."""
    return re.split(r"<|```|\n\n", text[start : start + _MAX_PYTHON].lstrip(), maxsplit=1)[0]


def _bare(text: str, types: Types) -> WrittenCalls | None:
    """The calls that nothing marks, or nothing but the name of a tool."""
    if (calls := _python_calls(text)) and all(one.name in types for one in calls):
        return WrittenCalls("", calls)
    if types and (found := _by_name(text, types)):
        return found
    for line in itertools.islice(_LINE_WITH_JSON.finditer(text), _MOST_LINES):
        read = _json_at(text, line.end())
        calls = _as_calls(read[0]) if read else ()
        if read and calls and all(one.name in types for one in calls):
            if _END_OF_LINE.match(text, read[1]):
                return WrittenCalls(_before(text, line.start()), calls)
        elif read and calls and _NOTHING_MORE.fullmatch(text, read[1]):
            before = _before(text, line.start())
            return WrittenCalls("", calls) if not before and _is_only_a_call(read[0]) else None
    return None


def _before(text: str, end: int) -> str:
    return text[:end].removesuffix("```json\n").strip(" `\n")


def _by_name(text: str, types: Types) -> WrittenCalls | None:
    """A call as the name of a tool and its arguments: `add {"n": 1}`, `<add><n>1</n></add>`,
    `add(1)`; the last of these cannot be read, since arguments have names."""
    names = "|".join(map(re.escape, types))
    if found := re.search(
        rf"^[^\w\n]{{0,5}}({names})[^\w\n{{]{{0,5}}\n?[ \t]{{0,20}}(?=\{{)", text, _FLAGS
    ):
        if arguments := _json_at(text, found.end()):
            return WrittenCalls(
                _before(text, found.start()), (WrittenCall(found[1], arguments[0]),)
            )
    elif found := re.search(rf"^[ \t]*<({names})>", text, _FLAGS):
        inner = text[found.end() :].partition(f"</{found[1]}>")[0]
        tags = {key: _value(value, types[found[1]].get(key)) for key, value in _TAG.findall(inner)}
        arguments = _json_at(inner, 0) or (tags, 0)
        calls = (WrittenCall(found[1], arguments[0]),) if arguments[0] else ()
        return WrittenCalls(_before(text, found.start()), calls)
    elif len(text) < _MAX_PYTHON and re.fullmatch(rf"\W*({names})\s*\(.*\)\W*", text, re.DOTALL):
        return WrittenCalls("", ())
    return None


def _is_only_a_call(data: Any) -> bool:
    first = data[0] if isinstance(data, list) else data
    function = first.get("function", first)
    return (
        isinstance(function, dict)
        and function.keys() <= {*_NAME_KEYS, *_ARGUMENT_KEYS, *_OTHER_KEYS}
        and any(isinstance(function.get(key), dict) for key in _ARGUMENT_KEYS)
    )


def _as_calls(data: Any) -> tuple[WrittenCall, ...]:
    """The calls that JSON holds; none if any part of it is something else."""
    if isinstance(data, dict) and isinstance(data.get("tool_calls"), list):
        data = data["tool_calls"]
    calls = []
    for part in (data if isinstance(data, list) else [data])[:MAX_WRITTEN_CALLS]:
        function = part.get("function", part) if isinstance(part, dict) else None
        if isinstance(function, str):  # {"function": "add", "arguments": ...}
            function = {**part, "name": function}
        if not isinstance(function, dict):
            return ()
        name = next((function[key] for key in _NAME_KEYS if key in function), None)
        if not isinstance(name, str) or not name:
            return ()
        given = [function[key] for key in _ARGUMENT_KEYS if key in function] or [{}]
        arguments = _value(given[0], None) if isinstance(given[0], str) else given[0]
        calls.append(WrittenCall(name, arguments))
    return tuple(calls)


def _python_calls(text: str) -> tuple[WrittenCall, ...]:
    """`[add(n=1), now()]`, or one call without the brackets, with arguments by name alone."""
    if len(text) > _MAX_PYTHON or "(" not in text:
        return ()
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        parts = tree.elts if isinstance(tree, ast.List) else [tree]
        return tuple(map(_python_call, parts))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return ()


def _python_call(node: ast.expr) -> WrittenCall:
    """Raises ValueError for anything but a call of a name."""
    match node:
        case ast.Call(ast.Name("print"), [inner], []):
            return _python_call(inner)
        case ast.Call(ast.Name(name), [], keywords):
            given = {str(one.arg): ast.literal_eval(one.value) for one in keywords}
            return WrittenCall(name, given)
    raise ValueError("no call")


def _json_at(text: str, at: int) -> tuple[Any, int] | None:
    """The object or list that begins there, after white space and the beginning of a fence, and
    where it ends."""
    begins = _BEFORE_JSON.match(text, at)
    start = begins.end() if begins else at
    try:
        return json_at(text, start) if text[start : start + 1] in ("{", "[") else None
    except ValueError:
        return None
