"""Tool calls from a model that was never taught to make them.

What to take away: a tool call is only text in an agreed form. A sampler that may choose no token
outside that form gets a well-formed call from any model; whether it is a wise one is another
matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from g2c.inference.base import Message, ToolCallDict, ToolSchema
from g2c.inference.errors import BackendError

Schema = Mapping[str, Any]

_FORMS = """\
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
    functions = [tool["function"] for tool in tools]
    forms = [
        {"tool": {"const": f["name"]}, "arguments": {"$ref": f"#/$defs/{f['name']}"}}
        for f in functions
    ]
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": form,
                "required": list(form),
                "additionalProperties": False,
            }
            for form in [*forms, {"answer": {"type": "string"}}]
        ],
        "$defs": {f["name"]: _moved(f["parameters"], f"#/$defs/{f['name']}") for f in functions},
    }


def _moved(schema: Schema, to: str) -> Any:
    """`schema` as it must read at `to` in another: its references start there."""
    return json.loads(json.dumps(schema).replace('"$ref": "#', f'"$ref": "{to}'))


def plain_messages(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> list[Message]:
    """Write a conversation with tools in roles that every chat template has.

    The tools stand in the system message, calls are JSON as the model is to write them, results
    come from the user. Neighbours of one role are joined: many templates insist on turns.

    >>> plain_messages([{"role": "tool", "tool_name": "clock", "content": "noon"}], [])[-1]
    {'role': 'user', 'content': 'Result of clock: noon'}
    """
    listed = "\n".join(_describe(tool["function"]) for tool in tools)
    plain: list[dict[str, str]] = [{"role": "system", "content": _FORMS.format(tools=listed)}]
    for message in messages:
        role, content = _plain(message)
        if plain[-1]["role"] == role:
            plain[-1]["content"] += "\n\n" + content
        else:
            plain.append({"role": role, "content": content})
    return list(plain)


def _plain(message: Message) -> tuple[str, str]:
    content = message.get("content") or ""
    match message["role"]:
        case "tool":
            return "user", f"Result of {message.get('tool_name', 'the tool')}: {content}"
        case "assistant":
            calls = [call["function"] for call in message.get("tool_calls") or ()]
            lines = [json.dumps({"tool": c["name"], "arguments": c["arguments"]}) for c in calls]
            return "assistant", "\n".join(lines) or json.dumps({"answer": content})
        case role:
            return role, content


def _describe(function: Mapping[str, Any]) -> str:
    arguments = {
        name: prop.get("description") or prop.get("type", "any")
        for name, prop in function["parameters"].get("properties", {}).items()
    }
    return f"- {function['name']}: {function.get('description', '')} Arguments: {json.dumps(arguments)}"


def read_turn(text: str, call_id: str) -> tuple[str, tuple[ToolCallDict, ...]]:
    """Read a reply that `turn_schema` shaped, as its text and its calls.

    >>> read_turn('{"answer": "It is noon."}', "call_1")
    ('It is noon.', ())
    >>> read_turn('{"tool": "clock", "arguments": {}}', "call_1")
    ('', ({'name': 'clock', 'arguments': {}, 'call_id': 'call_1'},))
    """
    try:
        turn = json.loads(text)
    except ValueError:
        return text, ()  # cut off: what there is of it
    if "answer" in turn:
        return turn["answer"], ()
    return "", (ToolCallDict(name=turn["tool"], arguments=turn["arguments"], call_id=call_id),)


def as_grammar(schema: Schema) -> dict[str, Any]:
    """`schema` as llama.cpp's sampler is to read it.

    Between tokens of JSON it allows one form of white space, since a small model that may write
    newlines writes them for ever. Keywords that it cannot enforce are left to `check_json`.
    """
    rules = {
        "whitespace_flexible": False,
        "item_separator": ", ",
        "key_separator": ": ",
        "lenient": True,
        "coerce_one_of": True,
    }
    return {**schema, "x-guidance": rules}


def check_json(text: str, schema: Schema) -> None:
    """Raise `BackendError` unless `text` is JSON that matches `schema`: llama.cpp drops a schema
    that it cannot read without a word."""
    from jsonschema import Draft202012Validator

    try:
        error = next(Draft202012Validator(schema).iter_errors(json.loads(text)), None)
        why = error.message if error else None
    except ValueError as error:
        why = str(error)
    if why:
        raise BackendError(f"{why}: {text[:80]!r}")
