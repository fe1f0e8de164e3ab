"""Makes an MCP server's names, descriptions, schemas and results fit for a small model.

All of it comes from a program that nobody here wrote. So it is shortened and simplified before it
becomes part of a prompt.
"""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from g2c.text import one_line, printable

MAX_ARGUMENTS = 20
MAX_ARGUMENT_CHARS = 120
MAX_DESCRIPTION_CHARS = 400
MAX_RESULT_CHARS = 4_000
MAX_DEPTH = 4
MAX_NODES = 200
_MAX_NAME = 64
_MAX_OPTIONS = 20
_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters")
_BESIDE = ("content", "structuredContent", "isError", "resultType", "_meta")
_KINDS = {"string", "integer", "number", "boolean", "array", "object", "null"}


def short(text: str, most: int) -> str:
    """`text` on one line of at most `most` characters, without control sequences of a terminal."""
    line = one_line(printable(text[: 10 * most]))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def tool_name(name: str, server: str, taken: Collection[str]) -> str:
    """A name that a model can write and that is not `taken`: the tool's own, else the server's and
    the tool's, else that with a number.

    >>> tool_name("get time", "mcp-time", ()), tool_name("now", "mcp-time", {"now"})
    ('get_time', 'time_now')
    """
    own = _plain(name)[:_MAX_NAME] or "tool"
    label = re.sub(r"^(?:mcp[-_])?(?:server[-_])?|[-_](?:mcp|server)$", "", _plain(server))[:20]
    first = own if own not in taken else f"{label or 'mcp'}_{own}"[:_MAX_NAME]
    number, found = 1, first
    while found in taken:
        number += 1
        found = f"{first[: _MAX_NAME - 4]}_{number}"
    return found


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name[:200]).strip("_")


def simple_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, without what a small model or our checks cannot
    handle.

    Types, enumerations, items, alternatives and required arguments stay, to a depth of `MAX_DEPTH`.
    References are replaced by their targets in the same schema. The server checks the rest: its
    patterns could take us for ever, and its references could make us contact other computers.

    Raises:
        ValueError: more than `MAX_ARGUMENTS` arguments, or an argument's name that a model cannot
            write; the message says which.
    """
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    if len(properties) > MAX_ARGUMENTS:
        raise ValueError(f"it has {len(properties)} arguments, and the most is {MAX_ARGUMENTS}")
    for name in properties:
        if not name or not name.isprintable() or len(name) > _MAX_NAME:
            raise ValueError(f"no model can write its argument {short(name, _MAX_NAME)!r}")
    return {"type": "object", **_Simplifier(schema).fields(schema, 0)}


class _Simplifier:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._left = MAX_NODES  # a reference may occur often and contain others

    def fields(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or depth == MAX_DEPTH:
            return {}
        shown = {
            name: self.value(value, depth + 1)
            for name, value in list(properties.items())[:MAX_ARGUMENTS]
        }
        required = schema.get("required")
        names = required if isinstance(required, list) else []
        return {"properties": shown, "required": [name for name in shown if name in names]}

    def value(self, schema: Any, depth: int) -> dict[str, Any]:
        self._left -= 1
        schema = self._resolved(schema)
        if not schema or self._left < 0:
            return {}
        simple: dict[str, Any] = {}
        if isinstance(text := schema.get("description"), str) and text.strip():
            simple["description"] = short(text, MAX_ARGUMENT_CHARS)
        if options := _options(schema):
            return {**simple, "enum": options}
        for word in ("anyOf", "oneOf"):
            either = schema.get(word)
            if isinstance(either, list) and 0 < len(either) <= _MAX_OPTIONS and depth < MAX_DEPTH:
                return {**simple, "anyOf": [self.value(option, depth + 1) for option in either]}
        kind = schema.get("type")
        if isinstance(kind, list):
            kinds = [name for name in kind if isinstance(name, str) and name in _KINDS]
            return {**simple, "type": kinds} if kinds else simple
        if not (isinstance(kind, str) and kind in _KINDS):
            return simple
        simple["type"] = kind
        if kind == "array" and "items" in schema and depth < MAX_DEPTH:
            simple["items"] = self.value(schema["items"], depth + 1)
        if kind == "object":
            simple |= self.fields(schema, depth)
        return simple

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        for _ in range(MAX_DEPTH):
            if not isinstance(schema, Mapping):
                return {}
            where = schema.get("$ref")
            if where is None:
                return schema
            found = re.fullmatch(r"#/(\$defs|definitions)/([^/]{1,200})", str(where)[:300])
            known = self._root.get(found[1]) if found else None
            schema = known.get(found[2]) if found and isinstance(known, Mapping) else None
        return {}


def _options(schema: Mapping[str, Any]) -> list[Any]:
    options = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(options, list) or len(options) > _MAX_OPTIONS:
        return []
    plain = all(
        (isinstance(option, str) and len(option) <= _MAX_NAME and option.isprintable())
        or isinstance(option, int | float | None)
        for option in options
    )
    return options if plain else []


def readable(result: Mapping[str, Any]) -> dict[str, Any]:
    """A server's answer to any request, in a form that the SDK can read. The SDK refuses a whole
    list if one tool in it breaks the protocol, and a whole result if one part does."""
    if "tools" in result:
        offers = [_offer(tool) for tool in _list_of(result["tools"])]
        return {**result, "tools": offers, "nextCursor": _text(result, "nextCursor") or None}
    if "protocolVersion" in result:
        said = result.get("serverInfo")
        me = {key: _text(said, key) for key in ("name", "version")}
        return {**result, "capabilities": {"tools": {}}, "serverInfo": me}
    kind = {"resultType": result["resultType"]} if "resultType" in result else {}
    if "capabilities" in result or kind.get("resultType", "complete") != "complete":
        return dict(result)
    text = {"type": "text", "text": _result_text(result)}
    return {**kind, "content": [text], "isError": result.get("isError") is True}


def _list_of(data: Any) -> list[Any]:
    return data if isinstance(data, list) else [] if data is None else [data]


def _text(data: Any, key: str) -> str:
    text = data.get(key) if isinstance(data, Mapping) else None
    return text if isinstance(text, str) else ""


def _offer(tool: Any) -> dict[str, Any]:
    texts = {key: _text(tool, key) for key in ("name", "title", "description")}
    known = tool if isinstance(tool, Mapping) else {}
    schema: Mapping[str, Any] = next(
        (known[key] for key in _SCHEMA_KEYS if isinstance(known.get(key), Mapping)), {}
    )
    maps = ("properties", "$defs", "definitions")
    kept = {
        key: {
            name: value if isinstance(value, Mapping) else {} for name, value in schema[key].items()
        }
        for key in maps
        if isinstance(schema.get(key), Mapping)
    }
    required = [name for name in _list_of(schema.get("required")) if isinstance(name, str)]
    return {**texts, "inputSchema": {"type": "object", **kept, "required": required}}


def _result_text(result: Mapping[str, Any]) -> str:
    """A result as a model reads it: its texts, and a sentence for each part that is not text."""
    parts = [_part(block) for block in _list_of(result.get("content"))[:100]]
    other = {key: value for key, value in result.items() if key not in _BESIDE}
    if not parts and (data := result.get("structuredContent") or other):
        parts = [json.dumps(data, ensure_ascii=False)]
    return _bounded(parts) or "(the tool gave nothing back)"


def _part(block: Any) -> str:
    match block:
        case str() as text:
            return text
        case {"type": ("image" | "audio") as kind}:
            return f"[{kind}, {short(_text(block, 'mimeType'), 40)}: it cannot be shown here]"
        case {"type": "resource_link"}:
            return f"[a link: {short(_text(block, 'uri'), 200)}]"
        case {"text": str(text)} | {"type": "resource", "resource": {"text": str(text)}}:
            return text
        case {"type": "resource", "resource": resource}:
            return f"[a file, {short(_text(resource, 'uri'), 200)}: it cannot be shown here]"
    return "[a part of a kind that cannot be shown here]"


def _bounded(parts: list[str]) -> str:
    text = printable("\n".join(part[: 2 * MAX_RESULT_CHARS] for part in parts)).strip()
    long = sum(map(len, parts))
    if len(text) <= MAX_RESULT_CHARS:
        return text
    return f"{text[:MAX_RESULT_CHARS]}\n[cut here; the tool gave {long:,} characters]"
