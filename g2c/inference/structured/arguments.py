"""A tool's arguments in the few words that a small model reads, from their JSON schema."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from g2c.text import one_line

_PLAIN_NAME = re.compile(r"[\w.$-]+")


def type_name(schema: Any) -> str:
    """Name the values that `schema` allows, in the few words that a small model reads.

    >>> type_name({"type": "array", "items": {"type": "string"}})
    'array of string'
    >>> type_name({"anyOf": [{"enum": ["up", "down"]}, {"type": "null"}]})
    '"up" or "down" or null'
    """
    if not isinstance(schema, Mapping):
        return "any"
    if "enum" in schema:
        return " or ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(type_name(option) for option in schema["anyOf"])
    kind = schema.get("type", "any")
    if kind == "array" and "items" in schema:
        return f"array of {type_name(schema['items'])}"
    return kind if isinstance(kind, str) else " or ".join(kind)


def list_arguments(schema: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return each argument that `schema` names, what it takes, and its description.

    >>> list_arguments({"properties": {"path": {"type": "string", "description": "a file"}}})
    [('path', 'string, optional', 'a file')]
    """
    required = schema.get("required", ())
    arguments = {
        name: _meant(value, schema) for name, value in schema.get("properties", {}).items()
    }
    return [
        (
            name,
            type_name(value) if name in required else f"{type_name(value)}, optional",
            value.get("description", "") if isinstance(value, Mapping) else "",
        )
        for name, value in arguments.items()
    ]


def _meant(value: Any, schema: Mapping[str, Any]) -> Any:
    """Resolve a reference to one of the schema's own definitions."""
    definitions = schema.get("$defs")
    if not isinstance(value, Mapping) or not isinstance(definitions, Mapping):
        return value
    return definitions.get(str(value.get("$ref")).removeprefix("#/$defs/"), value)


def argument_lines(schema: Mapping[str, Any], indent: str = "  ") -> list[str]:
    """Return a line for each argument and, indented below it, one for each field of an object.

    >>> size = {"type": "object", "properties": {"cm": {"type": "integer"}}, "required": ["cm"]}
    >>> print("\\n".join(argument_lines({"properties": {"size": size, "name": {}}})))
      size (object, optional)
        cm (integer)
      name (any, optional)
    """
    return list(_lines(schema, indent))


def _lines(schema: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, kind, description in list_arguments(schema):
        # A name may be any text, and so have a line that reads like one of the prompt's own.
        shown = name if _PLAIN_NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
        line = f"{indent}{one_line(f'{shown} ({kind})')}"
        yield f"{line}: {one_line(description)}" if description else line
        value = schema["properties"][name]
        fields = value.get("items", value) if isinstance(value, Mapping) else {}
        if isinstance(fields, Mapping) and isinstance(fields.get("properties"), Mapping):
            yield from _lines(fields, f"{indent}  ")
