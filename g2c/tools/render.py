"""Showing tools to a model: as text in a prompt, or as definitions for a chat API.

The text is all that a model knows of a tool. It renders the schema in as few words as possible: a
small model pays for every token twice, in time and in attention.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from g2c.tools.tool import Tool


def render_tools_for_prompt(tools: Iterable[Tool]) -> str:
    """Return a few short lines a tool.

    >>> word = {"type": "string", "description": "what to write"}
    >>> schema = {"type": "object", "properties": {"word": word}}
    >>> print(render_tools_for_prompt([Tool("shout", "Write louder.", schema, print)]))
    shout: Write louder.
      word (string, optional): what to write
    """
    return "\n".join(tool.text for tool in tools)


def render_tools_for_chat(tools: Iterable[Tool]) -> list[Mapping[str, Any]]:
    """Return the definitions that `chat_with_tools` takes, in Ollama's and OpenAI's shape.

    >>> render_tools_for_chat([Tool("shout", "Write louder.", {"type": "object"}, print)])
    [{'type': 'function', 'function': {'name': 'shout', 'description': 'Write louder.', \
'parameters': {'type': 'object'}}}]
    """
    return [tool.definition for tool in tools]
