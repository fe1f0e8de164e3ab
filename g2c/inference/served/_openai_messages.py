"""Converts the course's messages to OpenAI's form, and a stream's pieces back to tool calls.

The course uses Ollama's form. In OpenAI's, the arguments of a call are JSON text, each call and
each result has an id, and a call is streamed in pieces.
"""

import json
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from g2c.foreign_json import json_at
from g2c.inference.backend import Message
from g2c.inference.errors import BrokenStreamError, UnusableAnswerError
from g2c.inference.served._served import MAX_CALLS
from g2c.inference.structured.json_forms import read_object


def as_openai(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as `/v1/chat/completions` takes it.

    Calls without an id are numbered, and results without one belong to the oldest call that has no
    result yet.

    >>> call = {"function": {"name": "now", "arguments": {"zone": "UTC"}}}
    >>> said = [{"role": "assistant", "content": "", "tool_calls": [call]},
    ...         {"role": "tool", "tool_name": "now", "content": "noon"}]
    >>> call, result = as_openai(said)
    >>> call["tool_calls"][0]["id"], call["tool_calls"][0]["function"]["arguments"]
    ('call_1', '{"zone": "UTC"}')
    >>> result
    {'role': 'tool', 'content': 'noon', 'tool_call_id': 'call_1'}
    """
    waiting: deque[str] = deque()
    count = 0
    sent = []
    for message in messages:
        plain: dict[str, Any] = {"role": message["role"], "content": message.get("content") or ""}
        if calls := message.get("tool_calls"):
            plain["tool_calls"] = []
            for call in calls:
                count += 1
                call_id = call.get("id") or f"call_{count}"
                waiting.append(call_id)
                plain["tool_calls"].append(_call(call_id, call["function"]))
        elif message["role"] == "tool":
            call_id = message.get("tool_call_id") or (waiting[0] if waiting else "call_0")
            if call_id in waiting:
                waiting.remove(call_id)
            plain["tool_call_id"] = call_id
        sent.append(plain)
    return sent


def _call(call_id: str, function: Mapping[str, Any]) -> dict[str, Any]:
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        # Servers refuse a conversation in which earlier arguments are not a JSON object, but the
        # model should see what it wrote.
        arguments = read_object(arguments) or {"unreadable": arguments}
    text = json.dumps(arguments, ensure_ascii=False)
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": function["name"], "arguments": text},
    }


@dataclass
class _Call:
    call_id: str
    name: str
    whole: Mapping[str, Any] | None = None
    pieces: list[str] = field(default_factory=list)


def gather_calls(
    pieces: Iterable[Mapping[str, Any]], tools: Collection[str] = ()
) -> tuple[dict[str, Any], ...]:
    """The calls that a stream's `tool_calls` make, in Ollama's form with the arguments as text.

    Pieces with the same `index` are one call, and a piece without one belongs to the newest call.
    But some servers number all calls 0, and some give all of them one id, or none. So a new id with
    a name, a new name, or a second JSON object of arguments begins another call. A piece that
    completes the name of one of `tools`, and is not a tool's name itself, is the rest of a name.

    Raises:
        BrokenStreamError: a call has no name.
        UnusableAnswerError: there are more than `MAX_CALLS`.

    >>> first = {"index": 0, "id": "a", "function": {"name": "now", "arguments": '{"zo'}}
    >>> gather_calls([first, {"index": 0, "function": {"arguments": 'ne": 1}'}}])
    ({'id': 'a', 'function': {'name': 'now', 'arguments': '{"zone": 1}'}},)
    """
    calls: list[_Call] = []
    at: dict[int | None, _Call] = {}
    for piece in pieces:
        index, function = piece.get("index"), piece.get("function") or {}
        call_id, name = piece.get("id") or "", function.get("name") or ""
        if index is None and not name:  # without an index, an id may decide
            call = next((call for call in calls if call_id and call.call_id == call_id), None)
            call = call or (calls[-1] if calls else None)
        else:
            call = at.get(index) or (calls[-1] if calls and index is None else None)
        arguments = function.get("arguments") or ""
        if call and _is_rest_of_name(call, call_id, name, tools):
            call.name, name = call.name + name, ""
        if call is None or _begins_another(call, index, call_id, name, arguments):
            call = _Call(call_id, name)
            calls.append(call)
            _check_count(calls)
        at[index] = call
        call.call_id = call.call_id or call_id
        call.name = call.name or name
        if isinstance(arguments, str):
            call.pieces.append(arguments)
        else:
            call.whole = arguments
    if any(not call.name for call in calls):
        raise BrokenStreamError(
            "The server sent a call of a tool without its name; try again, and look at the "
            "server's log if it comes back."
        )
    whole = [
        {"id": call.call_id, "function": {"name": call.name, "arguments": arguments}}
        for call in calls
        for arguments in ([call.whole] if call.whole else _objects("".join(call.pieces)))
    ]
    _check_count(whole)
    return tuple(whole)


def _is_rest_of_name(call: _Call, call_id: str, name: str, tools: Collection[str]) -> bool:
    return (
        call_id in ("", call.call_id)
        and name not in ("", *tools)
        and not (call.whole or any(call.pieces))
        and any(tool.startswith(call.name + name) for tool in tools)
    )


def _begins_another(
    call: _Call, index: int | None, call_id: str, name: str, arguments: str | Mapping[str, Any]
) -> bool:
    if call.call_id and call_id and call_id != call.call_id:
        return bool(name)  # without a name it is a piece of a call, whatever its id
    if call.name and name and (name != call.name or (index is None and not call_id)):
        return True
    return call.whole is not None and bool(arguments)


def _objects(arguments: str) -> list[str]:
    """Split the arguments of several calls that came as one text."""
    found: list[str] = []
    at = 0
    try:
        while at < len(arguments) and len(found) <= MAX_CALLS:
            _, end = json_at(arguments, at)
            found.append(arguments[at:end])
            at = end
            while arguments[at : at + 1].isspace():
                at += 1
    except ValueError:
        return [arguments]  # the tool layer tells the model what it got wrong
    return found or [arguments]


def _check_count(calls: Sequence[object]) -> None:
    if len(calls) > MAX_CALLS:
        raise UnusableAnswerError(
            f"The model made more than {MAX_CALLS} calls of tools in one answer."
        )
