"""Functions that a model may call: what they are, and how a call is carried out.

A `Tool` is a function together with the text that lets a model use it: a name, a description and a
JSON schema of its arguments. A model only ever *writes* a call. This module decides whether it
happens, and whatever goes wrong comes back as a sentence for the model to read.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from g2c.foreign_json import find_unreadable
from g2c.inference.structured.arguments import argument_lines, list_arguments
from g2c.text import named_reason, one_line
from g2c.tools.failing import Effect, FailureKind
from g2c.tools.schema import FindProblems, compile_schema
from g2c.tracing import is_logged, traced
from g2c.wanted import check_wanted

ERROR_MARK = "[error] "
"""The mark before the text of an error that the model reads."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ToolError(Exception):
    """A tool could not be made or could not do what was asked; the message says what to do.

    `kind` says how a call failed. If a service named a time, it wants no call for `retry_after`
    seconds.
    """

    def __init__(
        self, *message: object, kind: FailureKind = "refused", retry_after: float | None = None
    ) -> None:
        super().__init__(*message)
        self.kind, self.retry_after = kind, retry_after


def check_limits(**limits: float) -> None:
    """Refuse the limits of a tool that cannot be kept, when it is made and not when it is called.

    Raises:
        ToolError: one is not a finite number above 0, or a `max_...`, which counts, is not whole.
    """
    for name, limit in limits.items():
        if not isinstance(limit, int | float) or not 0 < limit < math.inf:
            raise ToolError(f"{name} must be a finite number above 0, got {limit!r}.")
        if name.startswith("max_") and not isinstance(limit, int):
            raise ToolError(f"{name} must be a whole number, got {limit!r}.")


@dataclass(frozen=True)
class ExampleStep:
    """A step in a worked example: a call of any tool, and its result."""

    tool: str
    thought: str
    arguments: Mapping[str, Any]
    observation: str


@dataclass(frozen=True)
class ToolExample:
    """One worked use of a tool, from the question to the answer; small models copy it.

    `before` are the steps that led to this one, such as a call that failed. `conclusion` is what
    the agent then thinks of the observation.
    """

    question: str
    thought: str
    arguments: Mapping[str, Any]
    observation: str
    answer: str
    before: tuple[ExampleStep, ...] = ()
    conclusion: str = "I can answer."


@dataclass(frozen=True)
class Tool:
    """A function that a model may call.

    `name` is 1 to 64 letters, digits, `_` or `-`; `parameters` is a JSON schema whose type is
    `object`; `func` is called with the arguments as keywords. `example` may be given as a mapping
    with a `ToolExample`'s fields. A small model copies a form that it has seen three times, but
    hardly one that it has seen once: this is what `more_examples` are for. `meant` returns the
    arguments in a form that can be compared, such as a resolved path; None if they need no change.
    `folder` is where its argument `path` begins, and `effect` what a call changes.

    Raises:
        ToolError: a name that no model could write on one line, an empty description, parameters
            that describe no object, a `func` that cannot be called, or an example with other
            fields.

    >>> Tool("shout", "Write louder.", {"type": "object"}, str.upper).name
    'shout'
    >>> Tool("a b", "Write louder.", {"type": "object"}, str.upper)
    Traceback (most recent call last):
    g2c.tools.tool.ToolError: 'a b' cannot be a tool's name; use 1 to 64 letters, digits, _ or -.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    func: Callable[..., Any]
    example: ToolExample | None = None
    more_examples: tuple[ToolExample, ...] = ()
    meant: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    folder: Path | None = None
    effect: Effect = "once"

    @property
    def examples(self) -> tuple[ToolExample, ...]:
        """All worked examples, `example` first."""
        return (self.example, *self.more_examples) if self.example else self.more_examples

    def without_examples(self) -> Tool:
        """The same tool without worked examples: a prompt has only name, description and
        arguments."""
        return replace(self, example=None, more_examples=())

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ToolError(
                f"{self.name!r} cannot be a tool's name; use 1 to 64 letters, digits, _ or -."
            )
        if not isinstance(self.description, str) or not self.description.strip():
            raise ToolError(
                f"The description of {self.name} must be a text that tells a model what the tool "
                f"does, got {self.description!r}."
            )
        if (
            not isinstance(self.parameters, Mapping)
            or self.parameters.get("type") != "object"
            or not isinstance(self.parameters.get("properties", {}), Mapping)
        ):
            raise ToolError(
                f"The parameters of {self.name} must be a JSON schema of an object: "
                '{"type": "object", "properties": {...}}.'
            )
        if not callable(self.func):
            raise ToolError(f"The func of {self.name} must be a function, got {self.func!r}.")
        if isinstance(self.example, Mapping):
            try:
                object.__setattr__(self, "example", ToolExample(**self.example))
            except TypeError as error:
                raise ToolError(
                    f"The example of {self.name} must have exactly question, thought, arguments, "
                    "observation and answer."
                ) from error

    @cached_property
    def text(self) -> str:
        """The tool as a prompt has it: a few short lines."""
        lines = [f"{self.name}: {one_line(self.description)}", *argument_lines(self.parameters)]
        return "\n".join(lines)

    @cached_property
    def definition(self) -> Mapping[str, Any]:
        """The tool as a chat API takes it."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }
        return {"type": "function", "function": function}

    @cached_property
    def find_problems(self) -> FindProblems:
        """The check of arguments for faults; compiled from `parameters` when first needed."""
        try:
            return compile_schema(self.parameters)
        except ValueError as error:
            message = f"The parameters of {self.name} are not a JSON schema: {error}"
            raise ToolError(message) from error


@dataclass(frozen=True)
class ToolCall:
    """A call as a model wrote it; nobody has checked `name` and `arguments` yet."""

    name: str
    arguments: Any
    call_id: str = ""


@dataclass(frozen=True)
class ToolResult:
    """The result of a call. With `is_error`, `output` is a sentence that says what went wrong."""

    call_id: str
    name: str
    output: str
    is_error: bool = False

    @property
    def text(self) -> str:
        """The result as the model reads it."""
        return ERROR_MARK + self.output if self.is_error else self.output


class ToolRegistry:
    """The tools that one model may call, in the order in which they were registered.

    >>> registry = ToolRegistry([Tool("shout", "Write louder.", {"type": "object"}, str.upper)])
    >>> "shout" in registry, registry.names()
    (True, ['shout'])
    >>> registry
    ToolRegistry(['shout'])
    >>> registry.get("whisper")
    Traceback (most recent call last):
    g2c.tools.tool.ToolError: There is no tool 'whisper'. The tools are: shout.
    """

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def __repr__(self) -> str:
        return f"ToolRegistry({self.names()})"

    def register(self, tool: Tool) -> None:
        """Add `tool`; a name that is taken, or something that is not a `Tool`, is a `ToolError`."""
        if not isinstance(tool, Tool):
            raise ToolError(f"{tool!r} is not a Tool; make one with Tool(...) or @tool.")
        if tool.name in self._tools:
            raise ToolError(f"There is already a tool {tool.name!r}; give one of them a new name.")
        self._tools[tool.name] = tool

    def get(self, name: str) -> Tool:
        """Return the tool of that name; a `ToolError` for an unknown one lists the known."""
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            known = f"The tools are: {', '.join(self._tools)}." if self._tools else "There is none."
            raise ToolError(f"There is no tool {name!r:.80}. {known}")
        return tool

    def names(self) -> list[str]:
        return list(self._tools)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(self._tools.values())

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._tools


MAX_ARGUMENTS_DEPTH = 32
"""A record has a call's arguments some levels down, and must be readable."""


def validate_arguments(tool: Tool, arguments: Any) -> None:
    """Raise a `ToolError` that says what is wrong with `arguments` and what `tool` takes.

    >>> name = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    >>> validate_arguments(Tool("greet", "Say hello.", name, print), {"name": 7})
    Traceback (most recent call last):
    g2c.tools.tool.ToolError: Bad arguments for greet: 'name' must be string, not 7. \
It takes: name (string).
    """
    if isinstance(arguments, dict):
        problems = tool.find_problems(arguments)
        if unreadable := find_unreadable(arguments, MAX_ARGUMENTS_DEPTH):
            problems = [unreadable]
    else:
        problems = [f"they must be a JSON object, not a {type(arguments).__name__}"]
    if problems:
        takes = ", ".join(f"{name} ({kind})" for name, kind, _ in list_arguments(tool.parameters))
        raise ToolError(
            f"Bad arguments for {tool.name}: {'; '.join(problems)}. It takes: {takes or 'nothing'}."
        )


def dispatch_tool_call(registry: ToolRegistry, call: ToolCall) -> ToolResult:
    """Carry out `call` and return the result; nothing that a model does makes it raise.

    An unknown tool, bad arguments, any `Exception` of the function, an exit, and a coroutine or an
    iterator in place of a result come back with `is_error=True`: a `ToolError`'s text as it is,
    any other as `TypeName: text`. Output that is not a string becomes JSON, or `str(output)` if
    JSON cannot represent it.

    >>> def divide(a, b): return a / b
    >>> numbers = {"type": "object", "properties": {"a": {"type": "number"}}}
    >>> registry = ToolRegistry([Tool("divide", "Divide a by b.", numbers, divide)])
    >>> dispatch_tool_call(registry, ToolCall("divide", {"a": 1, "b": 4})).output
    '0.25'
    >>> dispatch_tool_call(registry, ToolCall("divide", {"a": 1, "b": 0})).output
    'ZeroDivisionError: division by zero'
    """
    check_wanted()
    if not is_logged():
        return _carried_out(registry, call)
    with traced("tool", call.name, call.arguments) as ending:
        result = _carried_out(registry, call)
        ending.text = result.output
        ending.error = "tool_error" if result.is_error else ""
    return result


def _carried_out(registry: ToolRegistry, call: ToolCall) -> ToolResult:
    try:
        tool = registry.get(call.name)
        validate_arguments(tool, call.arguments)
        return ToolResult(call.call_id, call.name, _as_text(tool.func(**call.arguments)))
    except ToolError as error:
        reason = str(error)
    except (Exception, SystemExit) as error:  # a tool that exits is broken, and nothing else is
        reason = named_reason(error)
    return ToolResult(call.call_id, call.name, _as_text(reason), is_error=True)


_as_json = json.JSONEncoder(ensure_ascii=False).encode


def _as_text(output: Any) -> str:
    if isinstance(output, str):
        text = output
    elif type(output) is int:
        text = str(output)  # as JSON has it, and found ten times as fast
    else:
        try:
            text = _as_json(output)
        except (TypeError, ValueError):
            if isinstance(output, (Awaitable, Iterator, AsyncIterator)):
                if hasattr(output, "close"):
                    output.close()  # else Python warns that nobody awaited it
                raise ToolError(
                    f"The tool gave a {type(output).__name__}, which nobody runs; it has to be a "
                    "plain function that returns its result."
                ) from None
            text = str(output)
    # A lone surrogate is valid in a Python string, but can be neither sent nor saved.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
