"""Files of JSON: what is written can be read again.

A model's arguments may hold `1e400`, which Python reads as infinity and writes as `Infinity`, or
lists nested a thousand deep. `load_json` refuses both, so a record that held them would be lost. A
record keeps them as text.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache
from math import isfinite
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from g2c.files import append_line, keep_text, read_bytes, read_text, replace_text
from g2c.foreign_json import MAX_DEPTH, dump_json, load_json

Record = TypeVar("Record")


def append_json(path: str | os.PathLike[str], value: Any) -> None:
    """Add `value` at the end of `path`, as `append_line` does. Raises as `record_of`."""
    append_line(path, record_of(value))


def replace_json(path: str | os.PathLike[str], value: Any, *, indent: int | None = None) -> None:
    """Replace the content of `path` with `value`, as `replace_text` does. Raises as `record_of`."""
    replace_text(path, record_of(value, indent=indent) + "\n")


def replace_own_json(path: Path, value: Any, *, indent: int | None = None) -> None:
    """As `replace_json`, for a file that only programs write. A folder in its place is moved aside,
    since it would hold up the work for ever."""
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}.{os.urandom(4).hex()}.aside"))
    replace_json(path, value, indent=indent)


def keep_json(path: Path, value: Any, *, indent: int | None = None) -> None:
    """As `replace_json`, for what can be made again; see `keep_text`."""
    keep_text(path, record_of(value, indent=indent) + "\n")


def read_object(file: Path) -> dict[str, Any]:
    """The object in that file; empty if there is none, it cannot be read, or holds no object."""
    try:
        data = load_json(read_bytes(file))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def objects_in(file: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects in a file of one a line. Lines that a kill tore, and somebody else's, are
    passed over; a file that is not there has none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        text = read_text(file, "utf-8", "backslashreplace")
    except FileNotFoundError:
        return
    for line in text.split("\n"):
        with suppress(ValueError):
            data = load_json(line)
            if isinstance(data, dict):
                yield data


def record_of(value: Any, *, indent: int | None = None) -> str:
    """The JSON of `value`, in which a time, and what `load_json` refuses, is a text.

    Raises:
        TypeError: JSON cannot hold it, as a set.

    >>> record_of({"n": float("inf"), "day": datetime(2026, 4, 21)})
    '{"n": "inf", "day": "2026-04-21T00:00:00"}'
    """
    try:
        return dump_json(value, indent=indent)
    except (ValueError, RecursionError, TypeError):
        return dump_json(_readable(value, MAX_DEPTH), indent=indent)


def record_from(data: Any, kind: type[Record]) -> Record | None:
    """The dataclass `kind` that `data` holds, as `record_of` wrote it. None if a field is missing
    or unknown, or its value is of another type; a time needs its zone.

    >>> from dataclasses import make_dataclass
    >>> note = make_dataclass("note", [("day", datetime), ("text", str)])
    >>> record_from({"day": "2026-04-21T00:00:00Z", "text": "Mind."}, note).day.year
    2026
    >>> record_from({"day": "2026-04-21", "text": "Mind."}, note)
    """
    try:
        found: Record = _typed(data, kind)
    except (ValueError, TypeError, KeyError):
        return None
    return found


def _typed(value: Any, kind: Any) -> Any:
    """`value` as the type `kind`, which a field is annotated with.

    Raises:
        ValueError, TypeError, KeyError: it is of another type.
    """
    if kind is Any or type(value) is kind or (kind is float and type(value) is int):
        return value
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        types = _types_of(kind)
        return kind(**{name: _typed(part, types[name]) for name, part in value.items()})
    if origin is UnionType:
        for part in parts:
            with suppress(ValueError, TypeError, KeyError):
                return _typed(value, part)
    if origin is tuple and isinstance(value, list | tuple):
        kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else parts
        return tuple(_typed(part, its) for part, its in zip(value, kinds, strict=True))
    if origin is Mapping and isinstance(value, dict):
        return {name: _typed(part, parts[1]) for name, part in value.items()}
    if origin is Literal and value in parts:
        return value
    if kind is datetime and (time := datetime.fromisoformat(value)).tzinfo:
        return time
    raise TypeError(f"{value!r:.80} is not of the type {kind}")


@cache
def _types_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _readable(value: Any, depth: int) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, (Mapping, list, tuple)):
        if not depth:
            return "nested too deep"
        if isinstance(value, Mapping):
            return {key: _readable(part, depth - 1) for key, part in value.items()}
        return [_readable(part, depth - 1) for part in value]
    return value
