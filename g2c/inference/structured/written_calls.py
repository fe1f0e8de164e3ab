"""Reads tool calls that came as text, as a model's own template writes them.

A server that does not know the template passes such a call on as if it were the model's answer. It
is not an answer: it is read, or else it goes back to the model as an error. Text that an answer
quotes is not a call, and neither is text in the arguments of one.
"""

import ast
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from g2c.foreign_json import json_at, load_json
from g2c.inference.structured.thinking import is_fenced

MAX_WRITTEN_CALLS = 100
_MAX_PLACES = 200
"""The most places at which calls are looked for in a text. A failed attempt takes time proportional
to the text before it."""

_MAX_PYTHON = 4_000
_MAX_TAG = 40
"""The longest name in a closing tag, with its end."""

_NAME = r"(?:functions\.)?([\w.-]{1,100})"
_BAR = r"[|\uff5c]"  # DeepSeek's is full-width
_NOT_QUOTED = r"(?<![`'\"])"

_NAMED = "|".join(
    (
        rf"<function(?:=|\ name=\"){_NAME}\"?>\s*(?=\{{)",  # Llama 3
        rf"to={_NAME}[^{{\n]{{0,80}}<\|message\|>\s*",  # gpt-oss
        r"\bto=functions\.([\w.-]{1,100})[^{\n]{0,40}(?=\{)",  # the same, without special tokens
        rf"<{_BAR}tool▁call▁begin{_BAR}>(?:function<{_BAR}tool▁sep{_BAR}>)?{_NAME}\s*"
        rf"(?:<{_BAR}tool▁sep{_BAR}>)?\s*(?:```json)?\s*(?=\{{)",  # DeepSeek
        rf"\[TOOL_CALLS\]\s*{_NAME}(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?=\{{)",  # Mistral
        rf"<\|tool_call_begin\|>\s*{_NAME}(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*",  # Kimi
        rf"\bcall:{_NAME}\s*(?=\{{)",  # Gemma
    )
)
_MARKS = "|".join(
    (
        r"<(?:\w{1,20}[_:])?tool_(?:calls?|use|code)(?: [^>\n]{0,80})?>",  # Hermes, Qwen, LongCat
        r"<(?:tool name=|use_mcp_tool>)",
        rf"<{_BAR}DSML{_BAR}\w",  # DeepSeek 3.2
        r"✿FUNCTION✿",  # Qwen 2
        r"<\|tool_call(?:_start)?(?:\|>|>)",  # Granite, Phi, LFM
        r"<\|python_(?:tag|start)\|>",  # Llama 3, 4
        r"\[TOOL_(?:CALLS|REQUEST)\]",  # Mistral, LM Studio
        r"\bfunctools(?=\[)",
        r"<\|START_ACTION\|>",  # Command R
        r"<\|tools_prefix\|>",  # Apertus
        r"<\|action_start\|>(?:<\|plugin\|>)?",  # InternLM
        r"<(?:\w{1,20}:)?function_?calls?(?: [^>\n]{0,80})?>",
        r"```tool_(?:code|call)s?\b",  # Gemma
    )
)
_TAGS = "|".join(
    (
        rf"<function={_NAME}>",  # Qwen's coder
        rf"<(?:\w{{1,20}}:)?invoke name=[\"']{_NAME}[\"']>",
        rf"<tool_call>\s*{_NAME}\s*(?=<arg_key>)",  # GLM
    )
)
_FLAGS = re.MULTILINE
_NAMED_CALL = re.compile(_NOT_QUOTED + f"(?:{_NAMED})", _FLAGS)
_TAGGED_CALL = re.compile(_NOT_QUOTED + f"(?:{_TAGS})", _FLAGS)
_MARK = re.compile(_NOT_QUOTED + f"(?:{_MARKS})", _FLAGS)
_ANY = re.compile(_NOT_QUOTED + f"(?:{_NAMED}|{_TAGS}|{_MARKS})", _FLAGS)
# A value ends at the last closing tag before the next opening one, since it may contain such a tag.
_VALUE = r"((?:(?!<(?:\w{1,20}:)?parameter[ =]|<arg_key>).)*)"
_ARGUMENT = re.compile(
    rf"<(?:\w{{1,20}}:)?parameter(?: name=[\"']|=)([\w.-]{{1,100}})[\"']?>{_VALUE}"
    r"</(?:\w{1,20}:)?parameter>"
    rf"|<arg_key>([\w.-]{{1,100}})</arg_key>\s*<arg_value>{_VALUE}</arg_value>",
    re.DOTALL,
)
_CLOSING = r"\s*</(?:function|(?:\w{1,20}:)?invoke|tool_call)>"
_END_OF_TAGS = re.compile(rf"(?:</(?:\w{{1,20}}:)?parameter>|</arg_value>){_CLOSING}")
_NO_ARGUMENTS = re.compile(_CLOSING)
_NOTHING_MORE = re.compile(r"(?:\s|`|;|\)|</?[\w|]*>|<\|\w*\|>|&lt;/?\w*&gt;|\[/?END\w*\])*")
_LINE_WITH_JSON = re.compile(
    r"^[ \t]{0,3}(?:<\|?\w{1,30}\|?>|&lt;\w{1,30}&gt;)?[ \t]{0,20}(?=[{\[])", _FLAGS
)
# The text protocol of module 19.
_ACTION = r"(?:\*\*)?Action:(?:\*\*)?[ \t]*[\w.-]{1,100}[ \t]*\n(?:\*\*)?Action Input:"
_LABEL = r"(?i:(?:tool|function|call|calling|using|action)s?(?:[ _](?:tool|call))?[ \t:*`]{1,5})?"
_WITH = (
    r"(?i:[ \t]{0,9}(?:with )?(?:the )?(?:tool |action )?(?:arguments?|args|parameters|input)?"
    r"[ \t:*]{0,5}\n?(?:```(?:json)?\n)?)[ \t]{0,9}\{"
)
# `tool: add`, and on the next line `arguments:`
_KEY = (
    r"\s{0,9}(?:```\w{0,9}\n)?\**(?i:(?:tool|function|name|action)(?:[ _](?:call|name))?)"
    r"[:*`\"' \t]{1,8}"
)
_ARGUMENTS_WORD = r"(?i:arguments?|args|parameters|input|(?:tool|action)[ _]input)[*]{0,2}:"
_ARGUMENTS_KEY = re.compile(r"""["'](?:arguments|parameters)["']\s*:""")
_BEFORE_JSON = re.compile(r"[\s;,]*(?:```(?:json)?\s*)?")
_END_OF_FENCE = re.compile(r"\s*```(?!\w)")
_CODE = re.compile(r"\s*```(?:python|py)?\s*\n(.*?)\n?```\s*", re.DOTALL)
_SPECIAL = re.compile(r"<\|[\w ]{1,30}\|>(?:commentary|final)?")
_NAME_KEYS = ("name", "tool_name", "function_name", "recipient_name", "tool", "action", "command")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input")


@dataclass(frozen=True)
class WrittenCall:
    """A call as it was written; the arguments are not checked."""

    name: str
    arguments: Any


Calls = tuple[WrittenCall, ...]
Types = Mapping[str, Mapping[str, Any]]
"""For each tool the JSON type of each of its parameters."""


@dataclass(frozen=True)
class WrittenCalls:
    """The text before the first call, and the calls. An empty `calls` means a call that cannot be
    read."""

    before: str
    calls: Calls


def find_written_calls(text: str, tools: Iterable[Mapping[str, Any]]) -> WrittenCalls | None:
    """The calls in `text`; None if it is an answer.

    Without a template's mark, a text counts as a call only if it begins or ends with one of `tools`
    and its arguments. It is read if it is JSON or Python. The time is linear.

    >>> written = 'I add.\\n<tool_call>\\n{"name": "add", "arguments": {"n": 1}}\\n</tool_call>'
    >>> find_written_calls(written, ())
    WrittenCalls(before='I add.', calls=(WrittenCall(name='add', arguments={'n': 1}),))
    >>> find_written_calls("<tool_call>add 1", ())
    WrittenCalls(before='', calls=())
    >>> find_written_calls("Write <tool_call> before it.", ()) is None
    True
    """
    types = _types_of(tools)
    return (
        (_at_the_start(text, types) if types else None)
        or _marked(text, types)
        or (_at_the_end(text, types) if types else None)
    )


def _types_of(tools: Iterable[Mapping[str, Any]]) -> Types:
    types = {}
    for tool in tools:
        function = tool.get("function", tool)
        properties = (function.get("parameters") or {}).get("properties")
        types[function["name"]] = {
            name: of_name.get("type")
            for name, of_name in (properties.items() if isinstance(properties, Mapping) else ())
            if isinstance(of_name, Mapping)
        }
    return types


def _marked(text: str, types: Types) -> WrittenCalls | None:
    """The calls behind marks outside of code fences and of other calls."""
    calls: list[WrittenCall] = []
    first: int | None = None
    at, fenced, last_tag = 0, False, text.rfind("</") + 2 + _MAX_TAG
    for _ in range(_MAX_PLACES):
        mark = _ANY.search(text, at)
        if mark is None or len(calls) >= MAX_WRITTEN_CALLS:
            break
        fenced ^= is_fenced(text, at, mark.start())
        read = None if fenced else _read(text, mark.start(), last_tag, types)
        if read:
            calls += read[0]
        # Within a line, a mark without a call is a quotation.
        if first is None and not fenced and (read or _is_at_line_start(text, mark.start())):
            first = mark.start()
        at = read[1] if read else mark.end()
    if first is None:
        return None
    return WrittenCalls(_SPECIAL.sub("", text[:first]).strip(), tuple(calls))


def _is_at_line_start(text: str, at: int) -> bool:
    before = text[max(0, at - 20) : at].rstrip(" \t")
    return before.endswith("\n") or (not before and at <= 20)


def _read(text: str, start: int, last_tag: int, types: Types) -> tuple[Calls, int] | None:
    """The calls of the mark at `start`, and where they end; None if there is none. No tag closes
    after `last_tag`."""
    named = _NAMED_CALL.match(text, start)
    if named and (read := _json_at(text, named.end())):
        return (WrittenCall(_group(named), read[0]),), read[1]
    tagged = _TAGGED_CALL.match(text, start)
    if tagged and (
        end := _NO_ARGUMENTS.match(text, tagged.end())
        or _END_OF_TAGS.search(text, tagged.end(), last_tag)
    ):
        name = _group(tagged)
        given = _ARGUMENT.findall(text[tagged.end() : end.end()])
        known = types.get(name, {})
        pairs = ((key or other, value or more) for key, value, other, more in given)
        arguments = {key: _value(_unwrapped(value), known.get(key)) for key, value in pairs}
        return (WrittenCall(name, arguments),), end.end()
    if mark := _MARK.match(text, start):
        values, at = _json_series(text, mark.end())
        calls = _as_calls(values)
        if not calls:
            more = text[mark.end() : mark.end() + _MAX_PYTHON].lstrip()
            calls = _python_calls(re.split(r"<|```|\n\n", more, maxsplit=1)[0])
        if calls:
            return calls, at
    return None


def _group(found: re.Match[str]) -> str:
    return str(next(filter(None, found.groups())))


def _unwrapped(value: str) -> str:
    """The value without a template's line ends around it."""
    return value.removeprefix("\n").removesuffix("\n")


def _value(text: str, kind: Any) -> Any:
    if kind == "string":
        return text
    try:
        return load_json(text)
    except ValueError:
        return text


def _at_the_start(text: str, types: Types) -> WrittenCalls | None:
    """Calls of known tools in JSON, or in Python, with which the text begins."""
    inside = code[1] if (code := _CODE.fullmatch(text)) else text
    calls = _python_calls(inside)
    if calls and all(call.name in types for call in calls):
        return WrittenCalls("", calls)
    values, end = _json_series(text, 0)
    calls = _as_calls(values)
    is_only_that = bool(_NOTHING_MORE.fullmatch(text, end)) and all(map(_is_only_a_call, values))
    if calls and (_are_known(calls, types) or is_only_that):
        return WrittenCalls("", calls)
    if values and all(_is_by_tools(value, types) for value in values):
        return WrittenCalls("", ())
    names = "|".join(map(re.escape, types))
    if re.match(
        rf"(?:\**Thought:(?s:.*?)\n)?{_KEY}(?:{names})[\"'`]?[ \t]*\n[ \t*]*{_ARGUMENTS_WORD}", text
    ):
        return WrittenCalls("", ())
    is_torn = not values and text.lstrip("` \njson").startswith("{")
    if is_torn and _ARGUMENTS_KEY.search(text, 0, _MAX_PYTHON):
        return WrittenCalls("", ())
    return None


def _at_the_end(text: str, types: Types) -> WrittenCalls | None:
    """Calls of known tools with which the text ends, after words. Those in JSON are read."""
    for line in itertools.islice(_LINE_WITH_JSON.finditer(text), _MAX_PLACES):
        values, end = _json_series(text, line.end())
        calls = _as_calls(values)
        if calls and _are_known(calls, types):
            is_last = bool(_NOTHING_MORE.fullmatch(text, end))
            return WrittenCalls(_before(text, line.start()), calls) if is_last else None
        if values:
            break
    names = "|".join(map(re.escape, types))
    within = rf"{_NOT_QUOTED}\[?\{{\s*\"(?:{'|'.join(_NAME_KEYS)})\"\s*:\s*\"(?:{names})\""
    for begun in itertools.islice(re.finditer(within, text), _MAX_PLACES):
        values, end = _json_series(text, begun.start())
        calls = _as_calls(values)
        if calls and _are_known(calls, types) and _NOTHING_MORE.fullmatch(text, end):
            return WrittenCalls(_before(text, begun.start()), ())
    # `add {"n": 1}`, `Call: add with {"n": 1}`, `Action: add`, `<add><n>1</n></add>`, `add(1)`,
    # perhaps behind other marks
    named = re.search(
        rf"^[ \t]*(?:<[^<>\n]{{1,60}}>|>>>){{0,2}}\[?(?:call:)?"
        rf"(?:{_LABEL}[*@/`#]{{0,4}}(?:{names})(?:\[ARGS\]|[^\w\n{{]{{0,5}})\n?{_WITH}"
        rf"|{_ACTION}|<(?:{names})(?:\s[^<>\n]{{0,200}})?/?>"
        rf"|(?:print\(|@|\w{{1,30}} ?= ?)?(?:\w{{1,20}}\.)?(?:{names})[ \t]*\()",
        text,
        _FLAGS,
    )
    is_last = text.rstrip(" \n`*").endswith(("}", ">", ")"))
    return WrittenCalls(_before(text, named.start()), ()) if named and is_last else None


def _before(text: str, end: int) -> str:
    return text[:end].rstrip().removesuffix("```json").strip(" `\n")


def _are_known(calls: Calls, types: Types) -> bool:
    return all(call.name in types and call.arguments is not None for call in calls)


def _is_only_a_call(data: Any) -> bool:
    """Whether JSON has exactly the form of a call."""
    first = data[0] if isinstance(data, list) and data else data
    function = first.get("function", first) if isinstance(first, dict) else None
    return (
        isinstance(function, dict)
        and {"name", "arguments"} <= function.keys() <= {"name", "arguments", "id", "type"}
        and isinstance(function["arguments"], dict)
    )


def _is_by_tools(data: Any, types: Types) -> bool:
    """Whether JSON has arguments by the tools' names, or by no name: `{"add": {"n": 1}}`,
    `{"tool_call": {"n": 1}}`."""
    return (
        isinstance(data, dict)
        and bool(data)
        and data.keys() <= {*types, "tool_call", "function_call"}
        and all(isinstance(value, dict) for value in data.values())
    )


def _json_series(text: str, at: int) -> tuple[list[Any], int]:
    """The JSON values that begin there, one after the other, and where they end."""
    values: list[Any] = []
    while len(values) < MAX_WRITTEN_CALLS and (read := _json_at(text, at)):
        values.append(read[0])
        at = read[1]
        if closing := _END_OF_FENCE.match(text, at):
            at = closing.end()
    return values, at


def _as_calls(values: Sequence[Any]) -> Calls:
    """The calls in JSON values; none if any part of them is something else. A call without
    arguments has None for them."""
    parts: list[Any] = []
    for value in values:
        several = value.get("tool_calls", value.get("tool_uses")) if isinstance(value, dict) else 0
        value = several if isinstance(several, list) else value
        parts += value if isinstance(value, list) else [value]
    calls = [_as_call(part) for part in parts[:MAX_WRITTEN_CALLS]]
    return tuple(call for call in calls if call) if all(calls) else ()


def _as_call(part: Any) -> WrittenCall | None:
    if not isinstance(part, dict):
        return None
    function = part.get("function", part.get("function_call", part))
    if isinstance(function, str):  # {"function": "add", "arguments": ...}
        function = {**part, "name": function}
    if not isinstance(function, dict):
        return None
    name = next((function[key] for key in _NAME_KEYS if key in function), None)
    if not isinstance(name, str) or not name:
        return None
    given = next((function[key] for key in _ARGUMENT_KEYS if key in function), None)
    arguments = _value(given, None) if isinstance(given, str) else given
    return WrittenCall(name.removeprefix("functions."), arguments)


def _python_calls(text: str) -> Calls:
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
    """Raises ValueError or TypeError for anything but a call of a name with JSON values."""
    match node:
        case ast.Call(ast.Name("print"), [inner], []):
            return _python_call(inner)
        case ast.Call(ast.Name(name), [], keywords):
            given = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in keywords}
            return WrittenCall(name, json.loads(json.dumps(given, allow_nan=False)))
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
