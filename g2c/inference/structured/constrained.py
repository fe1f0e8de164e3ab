"""Tool calls, and JSON, from a model that was never taught to write them.

A tool call is only text in an agreed form. A sampler that chooses only tokens inside the form gets
a well-formed call from any model. The call need not be wise; with a very small model it often is
not.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from g2c.foreign_json import MAX_DEPTH, is_deeper, load_json
from g2c.inference.backend import InferenceResult, Message, ToolCallDict, ToolSchema
from g2c.inference.errors import UnusableAnswerError
from g2c.inference.structured.arguments import argument_lines, list_arguments
from g2c.inference.structured.grammars import Schema, close
from g2c.inference.structured.json_forms import object_schema, read_object

_SYSTEM = """\
You can use these tools:
{tools}

Reply with one line of JSON. To use a tool:
{{"tool": "its name", "arguments": {{...}}}}
When you know the answer:
{{"answer": "the answer"}}"""


def turn_schema(tools: Sequence[ToolSchema]) -> dict[str, Any]:
    """The JSON schema of one reply: a call of one of `tools`, or an answer.

    A call has no arguments that its tool does not name.

    >>> clock = {"function": {"name": "clock", "parameters": {"type": "object"}}}
    >>> call, answer = turn_schema([clock])["anyOf"]
    >>> call["properties"]
    {'tool': {'const': 'clock'}, 'arguments': {'$ref': '#/$defs/clock'}}
    >>> answer["required"]
    ['answer']
    """
    parameters = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    for name, schema in parameters.items():
        if is_deeper(schema, MAX_DEPTH):
            raise ValueError(f"the parameters of {name} are nested more than {MAX_DEPTH} deep")
    forms: list[dict[str, Any]] = [
        {"tool": {"const": name}, "arguments": {"$ref": f"#/$defs/{name}"}} for name in parameters
    ]
    forms.append({"answer": {"type": "string"}})
    return {
        "anyOf": [object_schema(**form) for form in forms],
        "$defs": {
            name: _moved(close(schema), f"#/$defs/{name}") for name, schema in parameters.items()
        },
    }


def plain_messages(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> list[Message]:
    """Write a conversation with tools in the roles that every chat template has.

    The tools are in the system message, calls are the JSON that the model must write, results come
    from the user. Adjacent messages of one role are joined, as many templates require alternating
    roles.

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

    If the reply was cut off, the text is the part of the answer that there is. A reply in another
    form is returned as text.

    >>> read_turn('{"answer": "It is noon."}', "call_1")
    ('It is noon.', ())
    >>> read_turn('{"answer": "It is no', "call_1")
    ('It is no', ())
    >>> read_turn('{"tool": "clock", "arguments": {}}', "call_1")
    ('', ({'name': 'clock', 'arguments': {}, 'call_id': 'call_1'},))
    """
    turn = read_object(text)
    if turn is None:
        return text.removeprefix('{"answer": "'), ()
    match turn:
        case {"answer": str(answer)}:
            return answer, ()
        case {"tool": str(name), "arguments": arguments}:
            return "", (ToolCallDict(name=name, arguments=arguments, call_id=call_id),)
    return text, ()


def check_schema(schema: Schema) -> None:
    """Raise `ValueError` unless `schema` is a JSON schema, nested at most `MAX_DEPTH` deep."""
    from g2c.json_schema import Draft202012Validator, SchemaError

    if is_deeper(schema, MAX_DEPTH):
        raise ValueError(f"schema must not be nested more than {MAX_DEPTH} deep")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ValueError(f"schema must be a JSON schema: {error.message}") from None


def check_json(answer: InferenceResult, schema: Schema, engine: str = "llama.cpp") -> None:
    """Raise `UnusableAnswerError` unless `answer` is JSON that matches `schema`.

    This is not guaranteed: llama.cpp silently drops a schema that it cannot read, and some servers
    ignore schemas. `engine` names the model's engine in the error.
    """
    from g2c.json_schema import Draft202012Validator

    try:
        Draft202012Validator(schema).validate(load_json(answer.completion))
    except Exception as error:  # from JSON, the schema, its references or its patterns
        raise UnusableAnswerError(
            f"{engine} could not hold the model to this JSON schema; use a simpler one. The model "
            f"wrote {answer.completion[:80]!r}: {str(error).splitlines()[0]}",
            answer,
        ) from error


def _moved(schema: Schema, to: str) -> Any:
    """`schema`, rewritten for the place `to` in another schema, so that its references still
    work."""
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
    """A tool as the system message lists it: with a line for each argument. For a single text
    argument its name is enough: a small model would copy anything more into the call."""
    schema, said = function["parameters"], function.get("description", "")
    arguments = list_arguments(schema)
    if not arguments or (len(arguments) == 1 and arguments[0][1].split(",")[0] == "string"):
        return f"- {function['name']}({', '.join(name for name, _, _ in arguments)}): {said}"
    return "\n".join([f"- {function['name']}: {said}", *argument_lines(schema, "    ")])
