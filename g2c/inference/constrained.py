"""Tool calls, and JSON, from a model that was never taught to write them.

The idea to take away: a tool call is only text in an agreed form. A sampler that may choose no
token outside the form gets a well-formed call from any model; whether it is a wise one is another
matter, and with a very small model it often is not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from g2c.inference.base import Message, ToolCallDict, ToolSchema
from g2c.inference.errors import BackendError
from g2c.inference.json_forms import closed_object

Schema = Mapping[str, Any]

_SYSTEM = """\
You can use these tools:
{tools}

Reply with one line of JSON. To use a tool:
{{"tool": "its name", "arguments": {{...}}}}
When you know the answer:
{{"answer": "the answer"}}"""


def turn_schema(tools: Sequence[ToolSchema]) -> dict[str, Any]:
    """The JSON schema of one reply: a call of one of `tools`, or an answer.

    >>> clock = {"function": {"name": "clock", "parameters": {"type": "object"}}}
    >>> call, answer = turn_schema([clock])["anyOf"]
    >>> call["properties"]
    {'tool': {'const': 'clock'}, 'arguments': {'$ref': '#/$defs/clock'}}
    >>> answer["required"]
    ['answer']
    """
    parameters = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    forms: list[dict[str, Any]] = [
        {"tool": {"const": name}, "arguments": {"$ref": f"#/$defs/{name}"}} for name in parameters
    ]
    forms.append({"answer": {"type": "string"}})
    return {
        "anyOf": [closed_object(**form) for form in forms],
        "$defs": {name: _moved(schema, f"#/$defs/{name}") for name, schema in parameters.items()},
    }


def plain_messages(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> list[Message]:
    """Write a conversation with tools in the roles that every chat template has.

    The tools stand in the system message, calls are the JSON that the model is to write, results
    come from the user. Neighbours of one role are joined, as many templates insist on turns.

    >>> plain_messages([{"role": "tool", "tool_name": "clock", "content": "noon"}], [])[-1]
    {'role': 'user', 'content': 'Result of clock: noon'}
    """
    listed = "\n".join(_describe(tool["function"]) for tool in tools) or "(none)"
    plain = [{"role": "system", "content": _SYSTEM.format(tools=listed)}]
    for message in messages:
        role, content = _plain(message)
        if role == plain[-1]["role"]:
            plain[-1]["content"] += "\n\n" + content
        else:
            plain.append({"role": role, "content": content})
    return list(plain)


def read_turn(text: str, call_id: str) -> tuple[str, tuple[ToolCallDict, ...]]:
    """Read a reply in the form of `turn_schema` as its text and its calls.

    Of a reply that was cut off, the text is what there is of the answer.

    >>> read_turn('{"answer": "It is noon."}', "call_1")
    ('It is noon.', ())
    >>> read_turn('{"answer": "It is no', "call_1")
    ('It is no', ())
    >>> read_turn('{"tool": "clock", "arguments": {}}', "call_1")
    ('', ({'name': 'clock', 'arguments': {}, 'call_id': 'call_1'},))
    """
    try:
        turn = json.loads(text)
    except ValueError:
        return text.removeprefix('{"answer": "'), ()
    if "answer" in turn:
        return turn["answer"], ()
    return "", (ToolCallDict(name=turn["tool"], arguments=turn["arguments"], call_id=call_id),)


def as_grammar(schema: Schema) -> str:
    """`schema` as a grammar for llama.cpp's sampler.

    White space has one form, since a small model that may write newlines can write them for ever.
    Keywords that the sampler cannot enforce are left to `check_json`.
    """
    from xllamacpp import json_schema_to_grammar

    rules = {
        "whitespace_flexible": False,
        "item_separator": ", ",
        "key_separator": ": ",
        "lenient": True,
        "coerce_one_of": True,
    }
    grammar: str = json_schema_to_grammar({**schema, "x-guidance": rules})
    return grammar


def check_schema(schema: Schema) -> None:
    """Raise `ValueError` unless `schema` is a JSON schema."""
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"schema must be a JSON schema: {error.message}") from None


def check_json(text: str, schema: Schema) -> None:
    """Raise `BackendError` unless `text` is JSON that matches `schema`.

    It cannot be taken for granted: llama.cpp drops a schema that it cannot read without a word.
    """
    from jsonschema import Draft202012Validator

    try:
        Draft202012Validator(schema).validate(json.loads(text))
    except Exception as error:  # of JSON, of the schema, of its references, of its patterns
        raise BackendError(
            "llama.cpp could not hold the model to this JSON schema; use a simpler one. The model "
            f"wrote {text[:80]!r}: {str(error).splitlines()[0]}"
        ) from error


def _moved(schema: Schema, to: str) -> Any:
    """`schema` as it must read at `to` in another one, for its references to still hold."""
    return json.loads(json.dumps(schema).replace('"$ref": "#', f'"$ref": "{to}'))


def _plain(message: Message) -> tuple[str, str]:
    content = message.get("content") or ""
    match message["role"]:
        case "tool":
            return "user", f"Result of {message['tool_name']}: {content}"
        case "assistant":
            calls = [call["function"] for call in message.get("tool_calls") or ()]
            lines = [json.dumps({"tool": c["name"], "arguments": c["arguments"]}) for c in calls]
            return "assistant", "\n".join(lines) or json.dumps({"answer": content})
        case role:
            return role, content


def _describe(function: Mapping[str, Any]) -> str:
    # Only the arguments' names: a small model copies what is said of them into the call.
    arguments = ", ".join(function["parameters"].get("properties", {}))
    return f"- {function['name']}({arguments}): {function.get('description', '')}"
