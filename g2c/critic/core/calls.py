"""From a few example calls of a function to a JSON schema of calls like them.

An author's examples show which types of values a function is for. A model that may use only these
types cannot blame the function for a call that makes no sense.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from g2c.inference.structured.json_forms import find_fault, object_schema, read_object, text_schema

MAX_CALLS = 5
_MAX_TEXT = 16
_MAX_ITEMS = 5
_PLAIN: Mapping[type, Mapping[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": -999, "maximum": 9999},
    float: {"type": "integer", "minimum": -999, "maximum": 9999},
    str: text_schema(_MAX_TEXT),
}


def read_arguments(call: str) -> dict[str, Any]:
    """The arguments of a call by `a`, `b` and so on; empty if it has others than plain values.

    >>> read_arguments("f(1, ['x'])")
    {'a': 1, 'b': ['x']}
    >>> read_arguments("f(y)"), read_arguments("f(key=1)")
    ({}, {})
    """
    parsed = ast.parse(call, mode="eval").body
    if not isinstance(parsed, ast.Call) or parsed.keywords:
        return {}
    try:
        values = [ast.literal_eval(argument) for argument in parsed.args]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return {}
    return dict(zip(ascii_lowercase, values, strict=False))


def calls_schema(examples: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The JSON schema of calls with as many arguments as the shortest of `examples`, each of its
    type there. None if an argument's type differs between examples, or JSON has no such type."""
    shortest = min(examples, key=len, default={})
    kinds = {name: _kind([example[name] for example in examples]) for name in shortest}
    if not kinds or None in kinds.values():
        return None
    calls = {"type": "array", "items": object_schema(**kinds), "minItems": 3}
    return object_schema(calls=calls | {"maxItems": MAX_CALLS})


def calls_of(function: str, text: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """The calls in JSON text that matches `schema`; none in any other text.

    >>> schema = calls_schema([{"a": 1, "b": ""}])
    >>> some = '{"calls": [{"a": 0, "b": "x"}, {"a": 1, "b": ""}, {"a": 2, "b": "y"}]}'
    >>> list(calls_of("f", some, schema))
    ["f(0, 'x')", "f(1, '')", "f(2, 'y')"]
    """
    data = read_object(text)
    if data is None or find_fault(data, schema):
        return
    for arguments in data["calls"]:
        yield call_of(function, arguments)


def call_of(function: str, arguments: Mapping[str, Any]) -> str:
    """The call with these arguments, in their order.

    >>> call_of("f", {"a": 1, "b": "x"})
    "f(1, 'x')"
    """
    return f"{function}({', '.join(map(repr, arguments.values()))})"


def _kind(values: Sequence[Any]) -> dict[str, Any] | None:
    types = {type(value) for value in values}
    if types == {list}:
        items = [part for value in values for part in value]
        kind = _kind(items) if items else None
        return kind and {"type": "array", "items": kind, "maxItems": _MAX_ITEMS}
    if types == {int, float}:
        types = {float}
    return dict(_PLAIN[types.pop()]) if len(types) == 1 and types <= _PLAIN.keys() else None
