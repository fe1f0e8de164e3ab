"""Values as a student reads them: short enough for a screen, and only what matters.

A dataclass is shown without the fields that have their default value. Where two were compared,
only the fields that differ are shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

MOST_CHARS = 400
MOST_LINES = 6

_ADDRESS = re.compile(r"(?: object)? at 0x[0-9A-Fa-f]+(?=>)")


def describe(value: object) -> str:
    """A value as Python writes it, in at most about `MOST_CHARS` characters, and without addresses
    in memory.

    >>> describe([object(), len])
    '[<object>, <built-in function len>]'
    >>> describe("1" * 5000)[-22:]
    "11' (5,000 characters)"
    """
    if is_dataclass(value) and not isinstance(value, type):
        return describe_fields(value, [f for f in fields(value) if not _is_default(f, value)])
    text = repr(value) if isinstance(value, str) else _ADDRESS.sub("", repr(value))
    if len(text) <= MOST_CHARS:
        return text
    size = f" ({len(value):,} characters)" if isinstance(value, str) else ""
    return f"{text[: MOST_CHARS // 2]}...{text[-MOST_CHARS // 4 :]}{size}"


def describe_fields(value: object, shown: list[Field[Any]]) -> str:
    """A dataclass with some of its fields."""
    parts = (f"{field.name}={describe(getattr(value, field.name))}" for field in shown)
    return f"{type(value).__name__}({', '.join(parts)})"


def _is_default(field: Field[Any], value: object) -> bool:
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return bool(getattr(value, field.name) == default)


def sides(op: str, left: object, right: object) -> tuple[str, str]:
    """What a comparison that failed expected, and what it got.

    >>> sides("==", 3, 4)
    ('4', '3')
    >>> sides("in", "a", "bcd")
    ("something with 'a' in it", "'bcd'")
    """
    if op == "==" and is_dataclass(right) and type(left) is type(right):
        differing = [
            field
            for field in fields(right)
            if getattr(left, field.name) != getattr(right, field.name)
        ]
        return describe_fields(right, differing), describe_fields(left, differing)
    match op:
        case "==" | "is":
            return describe(right), describe(left)
        case "in":
            return f"something with {describe(left)} in it", describe(right)
        case "not in":
            return f"nothing with {describe(left)} in it", describe(right)
        case _:
            return f"{op} {describe(right)}", describe(left)


def describe_call(name: str, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> str:
    """How an exercise's function was called. If its first argument is an object of the course that
    only holds things, such as an agent or a log, its contents are told, or it is left out.

    >>> describe_call("parse", ("Action: x",), {})
    "parse('Action: x')"
    """
    steps = queued = None
    own, *others = arguments or (None,)
    if _is_holder(own):
        arguments = tuple(others)
        steps = getattr(own, "steps", None)
        queued = getattr(getattr(own, "backend", None), "queued", None)
    values = [*map(describe, arguments), *(f"{k}={describe(v)}" for k, v in options.items())]
    call = f"{name}({', '.join(values)})"
    if steps is not None:
        cap = getattr(own, "max_chars", None)
        of = f"{call} of {len(steps)} step{'s' * (len(steps) != 1)}"
        return _with_lines(of if cap is None else f"{of}, max_chars {cap}", map(describe, steps))
    if queued is not None:
        return _with_lines(f"{call}, and the model says", map(describe, queued))
    return call


def _is_holder(value: object) -> bool:
    """Whether it is an agent, a runner, a log or the like, whose `repr` would tell nothing."""
    kinds = type(value).__mro__
    return any(
        kind.__name__.startswith("Base") and kind.__module__.startswith("g2c.") for kind in kinds
    )


def _with_lines(head: str, lines: Any) -> str:
    listed = list(lines)
    rest = [f"... and {len(listed) - MOST_LINES} more"] if len(listed) > MOST_LINES else []
    return "\n  ".join([head, *listed[:MOST_LINES], *rest])
