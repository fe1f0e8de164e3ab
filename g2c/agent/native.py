"""The same loop over a model's own channel for tool calls.

The idea to take away: text markers and structured calls are two ways to write down one thing.
`NativeAgent` inherits `run`, so your loop drives both; all that differs is how the history is
wrapped for the model and how its answer is unwrapped.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from itertools import chain
from typing import Any

from g2c.agent.agent import Agent
from g2c.agent.base import Action, AgentStep, ParsedStep
from g2c.agent.prompts import render_plan_block
from g2c.agent.record import RunRecord
from g2c.inference import Backend, ChatResult, InferenceResult, Message, ToolCallDict
from g2c.tools import ToolRegistry, render_tools_for_ollama

DEFAULT_NATIVE_SYSTEM = (
    "You answer a question by calling tools, and then in words. A tool's result that starts with "
    "[error] says what went wrong: try something else. Do not repeat a call that you have made."
)


class NativeAgent(Agent):
    """An `Agent` over `Backend.chat_with_tools`; its arguments are the same, and `think`.

    A turn with several calls becomes as many steps; the model is asked again after the last.
    """

    def __init__(
        self, backend: Backend, registry: ToolRegistry, *, think: bool | None = None, **options: Any
    ) -> None:
        super().__init__(backend, registry, **options)
        self.think = think

    def _build_prompt(self, record: RunRecord) -> Any:
        """The conversation so far; or, where the last turn made more calls than were carried out,
        the rest of that turn."""
        if record.steps and isinstance(turn := record.steps[-1].inference, ChatResult):
            rest = turn.tool_calls[1:]
            if rest:
                return replace(
                    turn,
                    content="",
                    tool_calls=rest,
                    prompt_tokens=0,
                    completion_tokens=0,
                    latency_ms=0.0,
                    metadata={**turn.metadata, "cache_n": 0},
                )
        return _history_to_messages(record)

    def _complete(self, prompt: Any) -> InferenceResult | ChatResult:
        if isinstance(prompt, ChatResult):
            return prompt
        return self.backend.chat_with_tools(
            prompt, render_tools_for_ollama(self.registry), think=self.think, **self.sampling
        )

    def _parse(self, inference: Any) -> ParsedStep:
        return _chat_to_step(inference, self.registry.names())


def _history_to_messages(record: RunRecord) -> list[Message]:
    """Wrap: the run so far as a conversation, one call and its result a step.

    As in the scratchpad, a step is wrapped once and kept.
    """
    for number in range(len(record.wrapped), len(record.steps)):
        record.wrapped.append(_step_to_messages(record.steps[number], f"step_{number + 1}"))
    question = "\n\n".join(filter(None, [record.user_message, render_plan_block(record.plan)]))
    system = "\n\n".join(filter(None, [DEFAULT_NATIVE_SYSTEM, record.remembered]))
    opening: list[Message] = [
        {"role": "system", "content": system},
        {"role": "user", "content": question},
    ]
    return opening + list(chain.from_iterable(record.wrapped))


def _step_to_messages(step: AgentStep, call_id: str) -> list[Message]:
    said: dict[str, Any] = {"role": "assistant", "content": step.thought}
    if step.action:
        function = {"name": step.action.tool, "arguments": step.action.arguments}
        said["tool_calls"] = [{"id": call_id, "function": function}]
        result = {"role": "tool", "tool_name": step.action.tool, "tool_call_id": call_id}
        if step.observation:
            mark = "[error] " if step.observation.is_error else ""
            result["content"] = mark + step.observation.output
        return [said, result]
    return [said, {"role": "user", "content": f"[error] {step.parse_error}"}]


def _chat_to_step(chat: ChatResult, tool_names: Collection[str]) -> ParsedStep:
    """Unwrap: the first call of a turn, or its text as the answer.

    Small models write a call as JSON in their text. It is taken as a call where it names a tool
    that there is; any other JSON is an answer.
    """
    call = chat.tool_calls[0] if chat.tool_calls else _call_in_text(chat.content, tool_names)
    if call is None:
        if chat.content.strip():
            return ParsedStep(final_answer=chat.content.strip())
        return ParsedStep(parse_error="The reply is empty. Call a tool, or answer in words.")
    thought = chat.content.strip() if chat.tool_calls else ""
    if not isinstance(call["arguments"], dict):
        return ParsedStep(
            thought, parse_error=f"The arguments of {call['name']} must be a JSON object."
        )
    return ParsedStep(thought, Action(call["name"], call["arguments"]))


def _call_in_text(text: str, tool_names: Collection[str]) -> ToolCallDict | None:
    """The call that a text consists of, in the shapes that models are trained on."""
    text = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    data = data.get("function", data)
    if not isinstance(data, dict) or data.get("name") not in tool_names:
        return None
    return {
        "name": data["name"],
        "arguments": data.get("arguments", data.get("parameters", {})),
        "call_id": "",
    }
