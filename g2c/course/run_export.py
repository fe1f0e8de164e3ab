"""Exports recorded runs as training data: as prompts and completions, or as chats.

An answer need not be right, so the person who exports runs chooses which are worth learning from.
Whatever looks like a key or a password is removed from all texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from g2c.guard.app.masking import masked
from g2c.redaction import REDACTED

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, AgentStep

END = "<|im_end|>"
"""The small model's end-of-text token."""
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}

Segments = Sequence[tuple[str, bool]]
"""A text in pieces, each with a flag: whether a model should learn to write it."""


def traces_of(run: AgentRunResult) -> list[dict[str, Any]]:
    """The run as texts to train on: `{"kind": ..., "segments": [[text, learn], ...]}`.

    There is more than one trace if a prompt does not continue the text before it. A step that
    failed, could not be read, was cut off or was redacted is included but not learned.

    Raises:
        ValueError: the run cannot be used for training; the message says why.
    """
    _check_answered(run)
    texts = list(map(_redacted, _texts_of(run)))
    about = {"kind": "recorded", "question": _clean(run.user_message), "given": []}
    about["answer"] = _clean(run.final_answer)
    found = [{**about, "segments": text} for text in texts if any(learn for _, learn in text)]
    if not found:
        raise ValueError("it has no step to learn from: all failed, or were redacted.")
    return found


def chat_of(run: AgentRunResult) -> dict[str, Any]:
    """The run as a chat: `{"messages": [...]}`, with calls of tools as OpenAI's API writes them.

    Parts that must not be learned have the weight 0, as in `traces_of`. The system prompt and the
    tools' schemas are not in it: a run by structured calls does not record them.

    Raises:
        ValueError: as `traces_of`.
    """
    _check_answered(run)
    messages: list[dict[str, Any]] = [{"role": "user", "content": _clean(run.user_message)}]
    for number, step in enumerate(run.steps, 1):
        messages += _messages_of(step, f"step_{number}")
    if not any(message["role"] == "assistant" and "weight" not in message for message in messages):
        raise ValueError("it has no step to learn from: all failed, or were redacted.")
    return {"messages": messages}


def line_of(data: Mapping[str, Any]) -> str:
    """The data as one line of JSON, without any character that a reader may take for a line's end.
    A lone surrogate becomes a question mark."""
    text = json.dumps(data, ensure_ascii=False).translate(_LINE_ENDS) + "\n"
    return text.encode("utf-8", "replace").decode("utf-8")


def _check_answered(run: AgentRunResult) -> None:
    if run.final_answer is None or run.stopped_reason != "final_answer":
        raise ValueError(f"it did not end with an answer ({run.stopped_reason}).")


def _is_learned(step: AgentStep) -> bool:
    failed = step.parse_error or (step.observation and step.observation.is_error)
    return not (failed or step.is_cut)


def _texts_of(run: AgentRunResult) -> Iterator[Segments]:
    """Prompts and completions, joined as long as the next prompt continues the text."""
    from g2c.agent.core.prompts import STOPS
    from g2c.inference import InferenceResult

    pieces: list[tuple[str, bool]] = []
    for step in run.steps:
        call = step.inference
        if not isinstance(call, InferenceResult):
            raise ValueError("the prompts of structured calls are not recorded; use --chat.")
        before = "".join(text for text, _ in pieces)
        if pieces and call.prompt.startswith(before):
            given = call.prompt[len(before) :]
            written, learn = pieces[-1]
            # The model wrote the stop string that ended it; a backend does not return it.
            stop = next((stop for stop in STOPS if given.startswith(stop)), "")
            pieces[-1:] = [(written + stop, learn), (given.removeprefix(stop), False)]
        else:
            if pieces:
                yield pieces
            pieces = [(call.prompt, False)]
        end = END if step.final_answer is not None else ""
        pieces.append((call.completion + end, _is_learned(step)))
    yield pieces


def _redacted(pieces: Segments) -> Segments:
    cleaned = [(_clean(text), learn) for text, learn in pieces]
    if "".join(text for text, _ in cleaned) != _clean("".join(text for text, _ in pieces)):
        raise ValueError(
            "something like a password begins in what was given and ends in what was written."
        )
    return [
        (now, learn and now == before)
        for (now, learn), (before, _) in zip(cleaned, pieces, strict=True)
    ]


def _messages_of(step: AgentStep, call_id: str) -> list[dict[str, Any]]:
    said = step.final_answer if step.final_answer is not None else step.thought
    unread = step.parse_error is not None
    message: dict[str, Any] = {"role": "assistant", "content": step.completion if unread else said}
    messages = [message]
    if step.action:
        arguments = json.dumps(_clean(step.action.arguments), ensure_ascii=False)
        function = {"name": step.action.tool, "arguments": arguments}
        message["tool_calls"] = [{"id": call_id, "type": "function", "function": function}]
        result = step.observation.text if step.observation else ""
        messages.append({"role": "tool", "tool_call_id": call_id, "content": _clean(result)})
    elif unread:
        messages.append({"role": "user", "content": _clean(f"[error] {step.parse_error}")})
    content = _clean(message["content"])
    kept = step.action is None or _clean(step.action.arguments) == step.action.arguments
    if not (_is_learned(step) and kept and content == message["content"]):
        message["weight"] = 0
    message["content"] = content
    return messages


def _clean(value: Any, name: str = "") -> Any:
    """The value without secrets: those in its texts, and values whose key names a secret.

    >>> _clean({"password": "correct horse", "path": "a.txt", "lines": [1, 2]})
    {'password': '[redacted]', 'path': 'a.txt', 'lines': [1, 2]}
    """
    match value:
        case Mapping():
            return {masked(str(key)): _clean(inner, str(key)) for key, inner in value.items()}
        case list() | tuple():
            return [_clean(inner, name) for inner in value]
        case None | bool():
            return value
    named = f"{name}={value}"
    if name and masked(str(value)) == str(value) and masked(named) != named:
        return REDACTED
    return masked(value) if isinstance(value, str) else value
