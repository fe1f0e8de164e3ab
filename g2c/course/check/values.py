"""Values for a student: short enough for a screen, and only the relevant parts.

A dataclass is shown without fields that have their default value. For a comparison of two, only the
fields that differ are shown.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

MAX_CHARS = 400
MAX_CALL_CHARS = 1_200
"""The most characters of an argument that is a dataclass: a failure may depend on any of its
texts."""
MAX_LIST_CHARS = 2_400
"""The most characters of a list of dataclasses."""
MIN_CHARS = 60
"""The fewest characters for a field of a dataclass, however many fields there are."""

MAX_LINES = 6

_ADDRESS = re.compile(r"(?: object)? at 0x[0-9A-Fa-f]+(?=>)")
_RUN = re.compile(r"(\\?.)\1{20,}")


def describe(value: object, most_chars: int = MAX_CHARS) -> str:
    """A value as Python writes it, in at most about `most_chars` characters, and without addresses
    in memory. In a text, a character that is repeated often is shown six times.

    >>> describe([object(), len])
    '[<object>, <built-in function len>]'
    >>> describe("n = " + "[" * 5000)
    "'n = [[[...[[[' (5,004 characters)"
    >>> from g2c.agent import Action, ParsedStep
    >>> step = ParsedStep("I think that " * 50, Action("echo", {}))
    >>> print(describe(step, 100))  # doctest: +NORMALIZE_WHITESPACE
    ParsedStep(thought='I think that I think that I t... I think that ' (650 characters),
    action=Action(tool='echo', arguments={}))
    """
    if is_dataclass(value) and not isinstance(value, type):
        shown = [field for field in fields(value) if not _is_default(field, value)]
        return describe_fields(value, shown, most_chars)
    if isinstance(value, list | tuple) and any(map(is_dataclass, value)):
        for most in (most_chars, max(most_chars // len(value), MIN_CHARS)):
            items = ", ".join(describe(item, most) for item in value)
            if len(items) <= most_chars:
                break
        if len(items) > MAX_LIST_CHARS:
            items = f"{_cut(items, MAX_LIST_CHARS)}, {len(value):,} in all"
        if isinstance(value, list):
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    if not isinstance(value, str):
        return _cut(_ADDRESS.sub("", repr(value)), most_chars)
    whole = repr(value)
    text = _cut(_RUN.sub(r"\1\1\1...\1\1\1", whole), most_chars)
    return text if text == whole else f"{text} ({len(value):,} characters)"


def _cut(text: str, most_chars: int) -> str:
    if len(text) <= most_chars:
        return text
    return f"{text[: most_chars // 2]}...{text[-most_chars // 4 :]}"


def describe_fields(value: object, shown: list[Field[Any]], most_chars: int = MAX_CHARS) -> str:
    """A dataclass with some of its fields. If they are too long together, each gets a share of the
    space, so that all are visible."""
    for most in (most_chars, max(most_chars // max(len(shown), 1), MIN_CHARS)):
        parts = [f"{field.name}={describe(getattr(value, field.name), most)}" for field in shown]
        text = f"{type(value).__name__}({', '.join(parts)})"
        if len(text) <= most_chars:
            break
    return text


def _is_default(field: Field[Any], value: object) -> bool:
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return bool(getattr(value, field.name) == default)


def sides(op: str, left: object, right: object) -> tuple[str, str]:
    """The two sides, expected and got, of a failed comparison.

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
    """How an exercise's function was called. If its first argument is one of the course's container
    objects, such as an agent or a log, its contents are shown, or it is left out. Empty if it is
    another object that cannot be described.

    >>> describe_call("parse", ("Action: x",), {})
    "parse('Action: x')"
    >>> describe_call("commit", (object(), []), {})
    ''
    """
    steps = queued = None
    own, *others = arguments or (None,)
    if _is_holder(own):
        arguments = tuple(others)
        steps = getattr(own, "steps", None)
        queued = getattr(getattr(own, "backend", None), "queued", None)
    elif repr(own) == object.__repr__(own):
        return ""
    values = [*map(_argument, arguments), *(f"{k}={_argument(v)}" for k, v in options.items())]
    call = f"{name}({', '.join(values)})"
    if steps is not None:
        cap = getattr(own, "max_chars", None)
        of = f"{call} of {len(steps)} step{'s' * (len(steps) != 1)}"
        return _with_lines(of if cap is None else f"{of}, max_chars {cap}", map(describe, steps))
    if queued is not None:
        return _with_lines(f"{call}, and the model says", map(describe, queued))
    return call


def _argument(value: object) -> str:
    return describe(value, MAX_CALL_CHARS if is_dataclass(value) else MAX_CHARS)


def _is_holder(value: object) -> bool:
    """Whether it is an agent, a runner, a log or the like, whose `repr` is not help."""
    kinds = type(value).__mro__
    return any(
        kind.__name__.startswith("Base") and kind.__module__.startswith("g2c.") for kind in kinds
    )


def _with_lines(head: str, lines: Any) -> str:
    listed = list(lines)
    rest = [f"... and {len(listed) - MAX_LINES} more"] if len(listed) > MAX_LINES else []
    return "\n  ".join([head, *listed[:MAX_LINES], *rest])
