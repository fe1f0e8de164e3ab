"""The same loop with a model's own format for tool calls.

Text markers and structured calls are two ways to write the same thing. `NativeAgent` inherits
`run`, so your loop drives both. Only two things differ: how the history is wrapped in messages, and
how an answer is unwrapped.
"""

from dataclasses import replace
from itertools import chain
from typing import Any

from g2c.agent.app.agent import Agent, escape_special_tokens
from g2c.agent.core.answers import check_answer
from g2c.agent.core.prompts import render_plan_block
from g2c.agent.core.run import RunRecord
from g2c.agent.core.types import Action, AgentStep, Observation, ParsedStep
from g2c.inference import Backend, ChatResult, InferenceResult, Message
from g2c.tools import ToolRegistry, render_tools_for_chat

DEFAULT_NATIVE_SYSTEM = (
    "You answer a question by calling tools, and then in words. A tool's result that starts with "
    "[error] says what went wrong: try something else. Do not repeat a call that you have made."
)


class NativeAgent(Agent):
    """An `Agent` over `Backend.chat_with_tools`; its arguments are the same, plus `think` and
    `system`, the text of the system message; "" leaves it out.

    Each call of a turn becomes a step of its own; the model is asked again after the last one.
    """

    def __init__(
        self,
        backend: Backend,
        registry: ToolRegistry,
        *,
        think: bool | None = None,
        system: str = DEFAULT_NATIVE_SYSTEM,
        **options: Any,
    ) -> None:
        super().__init__(backend, registry, **options)
        self.think = think
        self.system = system

    def build_prompt(self, record: RunRecord) -> Any:
        """The conversation so far; or the rest of the last turn, if it has calls left to do."""
        turn = record.steps[-1].inference if record.steps else None
        if isinstance(turn, ChatResult) and (rest := turn.tool_calls[1:]):
            return replace(
                turn,
                content="",
                tool_calls=rest,
                prompt_tokens=0,
                completion_tokens=0,
                latency_ms=0.0,
                metadata={**turn.metadata, "cache_n": 0},
            )
        messages = _history_to_messages(record, self.system)
        return escape_special_tokens(messages) if self.guard else messages

    def complete(self, prompt: Any) -> InferenceResult | ChatResult:
        if isinstance(prompt, ChatResult):
            return prompt
        return self.backend.chat_with_tools(
            prompt, render_tools_for_chat(self.registry), think=self.think, **self.sampling
        )

    def parse(self, inference: Any) -> ParsedStep:
        return check_answer(_chat_to_step(inference), inference)


def _history_to_messages(record: RunRecord, system: str) -> list[Message]:
    """The run so far as a conversation: for each step, its call and the result.

    As in the scratchpad, each step is wrapped once and kept.
    """
    for number in range(len(record.wrapped), len(record.steps)):
        step = record.scratchpad.quoted(record.steps[number])
        record.wrapped.append(_step_to_messages(step, f"step_{number + 1}"))
    question = "\n\n".join(filter(None, [record.user_message, render_plan_block(record.plan)]))
    told = "\n\n".join(filter(None, [system, record.remembered]))
    opening: list[Message] = [{"role": "system", "content": told}] if told else []
    for exchange in record.earlier:
        opening.append({"role": "user", "content": exchange.question})
        opening.append({"role": "assistant", "content": exchange.answer})
    opening.append({"role": "user", "content": question})
    return opening + list(chain.from_iterable(record.wrapped))


def _step_to_messages(step: AgentStep, call_id: str) -> list[Message]:
    message: dict[str, Any] = {"role": "assistant", "content": step.thought}
    if step.action:
        function = {"name": step.action.tool, "arguments": step.action.arguments}
        message["tool_calls"] = [{"id": call_id, "function": function}]
        result = {"role": "tool", "tool_name": step.action.tool, "tool_call_id": call_id}
        if step.observation:
            result["content"] = step.observation.text
        return [message, result]
    unread = Observation(str(step.parse_error), is_error=True)
    return [message, {"role": "user", "content": unread.text}]


def _chat_to_step(chat: ChatResult) -> ParsedStep:
    """The first call of a turn, or its text as the answer."""
    said = chat.content.strip()
    if chat.tool_calls:
        call = chat.tool_calls[0]
        if isinstance(call["arguments"], dict):
            return ParsedStep(said, Action(call["name"], call["arguments"]))
        return ParsedStep(
            said, parse_error=f"The arguments of {call['name']} must be a JSON object."
        )
    if said:
        return ParsedStep(final_answer=said)
    return ParsedStep(parse_error="The reply is empty. Call a tool, or answer in words.")
