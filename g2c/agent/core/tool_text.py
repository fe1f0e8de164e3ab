"""The text that a model reads about a function, as data, and the tool made of both."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.tools import Tool, ToolExample

MAX_EXAMPLES = 4
"""The most worked examples that a `ToolText` may have."""

MAX_PROMPT_CHARS = 4000
"""The longest system prompt that a `ToolText` may lead to, in characters."""


@dataclass(frozen=True)
class Parameter:
    """A parameter as the model sees it. `stands_for` is the parameter's name in the function."""

    name: str
    stands_for: str
    description: str = ""


@dataclass(frozen=True)
class ToolText:
    """All that a model reads about a function whose parameters are texts.

    The parameters may have any order. In the examples, the arguments have the names that the model
    sees.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    examples: tuple[ToolExample, ...] = ()


def make_tool(text: ToolText, function: Callable[..., str]) -> Tool:
    """The tool that shows the model `text` and calls `function`.

    Raises:
        ToolError: the name is not a valid tool name, or there is no description.
    """
    meant = {parameter.name: parameter.stands_for for parameter in text.parameters}

    def call(**arguments: Any) -> str:
        return function(**{meant[name]: value for name, value in arguments.items()})

    schema = object_schema(
        **{
            parameter.name: text_schema(about=parameter.description)
            for parameter in text.parameters
        }
    )
    return Tool(text.name, text.description, schema, call, more_examples=text.examples)
