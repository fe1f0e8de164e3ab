"""A tool from a plain Python function: its type hints and its docstring already say everything.

The docstring is not a comment here, it is part of the program: it is all that the model reads
before it decides to call the function.
"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, overload

from g2c.text import one_line
from g2c.tools.tool import Tool, ToolError, ToolExample

# `++` and `*+` do not backtrack, so a long line without a colon is read once.
_HEADING = re.compile(r"^(\w++):[ \t]*+$", re.MULTILINE)
_ARGUMENT = re.compile(r"^(\w++)[^:\n]*+:(.*(?:\n[ \t]++.*)*)", re.MULTILINE)


@overload
def tool(func: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    example: ToolExample | Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    func: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    example: ToolExample | Mapping[str, Any] | None = None,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a `Tool` of the function below, as `@tool` or `@tool(name=...)`.

    Unless they are given, the name is the function's, and the description is its docstring before
    the first section. The arguments' descriptions come from a Google-style `Args:`. The tool's
    `func` is the function, with arguments converted to the types that it declares.

    Raises:
        ToolError: a parameter without a type hint, or that cannot be given by name; a type that
            has no JSON schema; a coroutine; neither docstring nor description.

    >>> @tool
    ... def repeat(word: str, times: int = 2) -> str:
    ...     '''Say a word several times.
    ...
    ...     Args:
    ...         word: what to say
    ...     '''
    ...     return " ".join([word] * times)
    >>> repeat.description, repeat.parameters["properties"]["word"]
    ('Say a word several times.', {'type': 'string', 'description': 'what to say'})
    >>> repeat.func(word="so", times=3)
    'so so so'
    """
    if func is None:
        return lambda func: _make_tool(func, name, description, example)
    return _make_tool(func, name, description, example)


def _make_tool(
    func: Callable[..., Any],
    name: str | None,
    description: str | None,
    example: ToolExample | Mapping[str, Any] | None,
) -> Tool:
    _check_signature(func)
    summary, described = _read_docstring(inspect.getdoc(func) or "")
    if not (description or summary):
        raise ToolError(
            f"{func.__name__} needs a docstring, or description=...: it is all that a model knows "
            "of a tool."
        )
    schema, call = _compile(func)
    for argument, text in described.items():
        if argument in schema["properties"]:
            schema["properties"][argument].setdefault("description", text)
    return Tool(name or func.__name__, description or summary, schema, call, example)  # type: ignore[arg-type]


def _check_signature(func: Callable[..., Any]) -> None:
    if inspect.iscoroutinefunction(func):
        raise ToolError(f"{func.__name__} is a coroutine; a tool is a plain function.")
    for parameter in inspect.signature(func).parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise ToolError(
                f"{func.__name__} has the parameter {str(parameter)!r}, but a call gives every "
                "argument by its own name; spell the parameters out."
            )
        if parameter.annotation is parameter.empty:
            raise ToolError(
                f"{func.__name__} has the parameter {parameter.name!r} without a type hint; write "
                f"one, such as {parameter.name}: str."
            )


def _compile(func: Callable[..., Any]) -> tuple[dict[str, Any], Callable[..., Any]]:
    from pydantic import PydanticUserError, TypeAdapter, ValidationError
    from pydantic_core import ArgsKwargs

    try:
        adapter = TypeAdapter[Any](func)  # type: ignore[arg-type]
        schema = adapter.json_schema()
    except (PydanticUserError, NameError) as error:
        reason = str(error).partition("\n")[0]
        raise ToolError(f"{func.__name__} has a type hint with no JSON schema: {reason}") from error
    for value in schema["properties"].values():
        value.pop("title", None)  # the argument's name again
    validated = adapter.validator.validate_python

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return validated(ArgsKwargs(args, kwargs))  # converts them, and calls the function
        except ValidationError as error:
            problems = (
                f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
                for problem in error.errors()
            )
            raise ToolError(f"Bad arguments for {func.__name__}: {'; '.join(problems)}.") from error

    return schema, call


def _read_docstring(doc: str) -> tuple[str, dict[str, str]]:
    """Return the text before the first section, and the arguments that `Args:` describes."""
    summary, *sections = _HEADING.split(doc)
    body = dict(zip(sections[::2], sections[1::2], strict=True)).get("Args", "")
    arguments = _ARGUMENT.findall(inspect.cleandoc(body))
    return (summary.partition(">>>")[0].strip(), {name: one_line(text) for name, text in arguments})
