"""JSON that somebody else wrote: a model, a server, a person, a file that a crash tore."""

import json
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")

MAX_DEPTH = 64
"""How deep JSON from outside, or a schema, may be nested: far more than any answer needs, and far
less than the thousand calls after which Python gives up."""


def load_json(text: str | bytes) -> Any:
    """The value that the JSON `text` holds, whoever wrote it; bytes are UTF-8, -16 or -32. An
    editor may have put a byte order mark before it.

    Raises:
        ValueError: it is not JSON (`NaN` and `Infinity` are not), or nested deeper than
            `MAX_DEPTH`.

    >>> load_json("[" * 65 + "]" * 65)
    Traceback (most recent call last):
    ValueError: it is nested more than 64 deep
    """
    text = text.removeprefix("\ufeff") if isinstance(text, str) else text
    if _brackets(text) <= MAX_DEPTH:  # then nothing in it is deeper
        return json.loads(text, parse_constant=_refuse)
    return _not_too_deep(lambda: json.loads(text, parse_constant=_refuse))


def dump_json(value: Any, *, indent: int | None = None) -> str:
    """The JSON of `value`, as `load_json` reads it; UTF-8 can hold it.

    Raises:
        ValueError: `load_json` would refuse it.
        TypeError: JSON cannot hold it.

    >>> dump_json({"n": float("inf")})
    Traceback (most recent call last):
    ValueError: Infinity is not JSON
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, as in the name of a file that is not UTF-8
        text = json.dumps(value, indent=indent)
    load_json(text)
    return text


def find_unreadable(value: object, depth: int = MAX_DEPTH) -> str:
    """Why `load_json` would refuse `value`, or "" if it would not. It may be `depth` deep.

    >>> find_unreadable({"n": [float("nan")]}), find_unreadable([[]], 1), find_unreadable([1.5])
    ('nan is not JSON', 'it is nested too deep', '')
    """
    if isinstance(value, float) and not isfinite(value):
        return f"{value} is not JSON"
    if not isinstance(value, (dict, list, tuple)):
        return ""
    if not depth:
        return "it is nested too deep"
    parts = value.values() if isinstance(value, dict) else value
    for part in parts:
        if not isinstance(part, str | int) and (reason := find_unreadable(part, depth - 1)):
            return reason
    return ""


def _brackets(text: str | bytes) -> int:
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")


def json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends; raises as `load_json` does.

    >>> json_at('{"n": 1} and so on', 0)
    ({'n': 1}, 8)
    """
    return _not_too_deep(lambda: _DECODER.raw_decode(text, start))


def _not_too_deep(read: Callable[[], T]) -> T:
    with suppress(RecursionError):
        data = read()
        if not is_deeper(data[0] if isinstance(data, tuple) else data, MAX_DEPTH):
            return data
    raise ValueError(f"it is nested more than {MAX_DEPTH} deep")


def is_deeper(data: object, depth: int) -> bool:
    """Whether lists and mappings are nested more than `depth` deep in `data`.

    >>> is_deeper({"a": [1]}, 2), is_deeper({"a": [[]]}, 2)
    (False, True)
    """
    level: list[Any] = [data]
    for _ in range(depth + 1):
        lists = [part for part in level if isinstance(part, list)]
        lists += [list(part.values()) for part in level if isinstance(part, dict)]
        if not lists:
            return False
        level = [child for part in lists for child in part]
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
