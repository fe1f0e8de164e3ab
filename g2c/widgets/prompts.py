"""What a model was asked, call by call.

The idea to take away: an agent cannot be understood from its answers. What explains a step is the
prompt that came before it, so a wrapper of twenty lines keeps them all.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from g2c.inference import Backend, BackendInfo, ChatResult, InferenceResult, Message, ToolSchema


@dataclass(frozen=True)
class PromptCall:
    """One call to a model: what it was sent, as text, and what came back."""

    prompt: str
    result: InferenceResult | ChatResult


class PromptLog(Backend):
    """Passes every call on to `backend` and keeps it in `calls`, the oldest first.

    A call that raised is not kept. A chat is kept as a text of its tools and messages; what the
    model reads is the engine's template of them.

    >>> from g2c.inference import ScriptedBackend
    >>> log = PromptLog(ScriptedBackend(["4"]))
    >>> _ = log.stopping_at("=").complete("2 + 2 =")
    >>> [(call.prompt, call.result.completion) for call in log.calls]
    [('2 + 2 =', '4')]
    """

    def __init__(self, backend: Backend) -> None:
        self.calls: list[PromptCall] = []
        self._backend = backend

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    def stopping_at(self, *strings: str) -> PromptLog:
        view = copy.copy(self)  # the calls stay shared
        view._backend = self._backend.stopping_at(*strings)
        return view

    def complete(self, prompt: str, **options: Any) -> InferenceResult:
        result = self._backend.complete(prompt, **options)
        self.calls.append(PromptCall(prompt, result))
        return result

    def complete_json(
        self, prompt: str, schema: Mapping[str, Any], **options: Any
    ) -> InferenceResult:
        result = self._backend.complete_json(prompt, schema, **options)
        self.calls.append(PromptCall(prompt, result))
        return result

    def chat_with_tools(
        self, messages: Sequence[Message], tools: Sequence[ToolSchema], **options: Any
    ) -> ChatResult:
        result = self._backend.chat_with_tools(messages, tools, **options)
        self.calls.append(PromptCall(_conversation(messages, tools), result))
        return result


def _conversation(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> str:
    """A chat as text: the tools a line each, then a block a message.

    >>> call = {"id": "1", "function": {"name": "add", "arguments": {"a": 1}}}
    >>> print(_conversation([{"role": "assistant", "content": "", "tool_calls": [call]}], []))
    [assistant]
    {"name": "add", "arguments": {"a": 1}}
    """
    blocks = [["[tools]", *map(_as_json, tools)]] if tools else []
    for message in messages:
        calls = (_as_json(call.get("function", call)) for call in message.get("tool_calls", ()))
        blocks.append([f"[{message['role']}]", message.get("content", ""), *calls])
    return "\n\n".join("\n".join(filter(None, block)) for block in blocks)


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
