"""The plain tool loop: chat, carry out the calls, show the results, until there are no more calls.

This is what a model with native tool calls does without an agent around it. Module 19's agents are
compared with it: they add a plan, a scratchpad of text, and a way out when they are stuck.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from g2c.inference.backend import Backend, ChatResult, Message
from g2c.tools.render import render_tools_for_chat
from g2c.tools.tool import ToolCall, ToolRegistry, ToolResult, dispatch_tool_call


@dataclass(frozen=True)
class ToolRunResult:
    """One run of the loop.

    `answer` is None if the steps ran out first. `stopped_reason` is `"final_answer"`,
    `"max_steps"`, or `"cut_off"` if the token limit or the server ended the answer. `results[i]` is
    the result of `calls[i]`; `messages` is the whole conversation. `metadata` has `n_steps`,
    `n_tool_calls`, `tools_available` (their names), `backend_name`, `backend_model_id`, and
    `prompt_tokens` and `completion_tokens` (None where the backend did not tell).
    """

    user_message: str
    answer: str | None
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]
    messages: tuple[Message, ...]
    stopped_reason: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


def run_with_tools(
    backend: Backend,
    registry: ToolRegistry,
    user_message: str,
    *,
    system: str | None = None,
    max_steps: int = 8,
    max_new_tokens: int = 512,
    temperature: float = 0.2,
    top_k: int | None = None,
    top_p: float | None = None,
    think: bool | None = None,
) -> ToolRunResult:
    """Let `backend` answer `user_message` with the tools of `registry`.

    A step is one call of `backend.chat_with_tools`; there are at most `max_steps`. Errors of tools
    go back to the model marked as such (`ToolResult.text`).

    Raises:
        ValueError: an empty user message, `max_steps` below 1, or bad sampling arguments.
        BackendError: the model could not be asked.

    >>> from g2c.inference import ScriptedBackend
    >>> from g2c.tools import make_calculator
    >>> call = {"name": "calculator", "arguments": {"expression": "21 * 2"}}
    >>> model = ScriptedBackend(chats=[{"tool_calls": [call]}, "It is 42."])
    >>> run = run_with_tools(model, ToolRegistry([make_calculator()]), "What is 21 times 2?")
    >>> run.results[0].output, run.answer
    ('42', 'It is 42.')
    """
    if not isinstance(user_message, str) or not user_message.strip():
        raise ValueError("The user message is empty; give the model something to answer.")
    if max_steps < 1:
        raise ValueError(f"max_steps must be at least 1, got {max_steps}")
    messages: list[Message] = [{"role": "user", "content": user_message}]
    if system is not None:
        messages.insert(0, {"role": "system", "content": system})
    tools = render_tools_for_chat(registry)
    calls: list[ToolCall] = []
    results: list[ToolResult] = []
    chats: list[ChatResult] = []
    answer = None
    while answer is None and len(chats) < max_steps:
        chat = backend.chat_with_tools(
            messages,
            tools,
            max_new_tokens=max_new_tokens,
            temperature=temperature,
            top_k=top_k,
            top_p=top_p,
            think=think,
        )
        chats.append(chat)
        messages.append(_assistant_message(chat))
        for wanted in chat.tool_calls:
            call = ToolCall(**wanted)
            result = dispatch_tool_call(registry, call)
            messages.append(_tool_message(result))
            calls.append(call)
            results.append(result)
        if not chat.tool_calls:
            answer = chat.content
    return ToolRunResult(
        user_message=user_message,
        answer=answer,
        calls=tuple(calls),
        results=tuple(results),
        messages=tuple(messages),
        stopped_reason=_reason(answer, chats[-1]),
        metadata={
            "n_steps": len(chats),
            "n_tool_calls": len(calls),
            "tools_available": tuple(registry.names()),
            "backend_name": backend.info.name,
            "backend_model_id": backend.info.model_id,
            "prompt_tokens": sum_if_known([chat.prompt_tokens for chat in chats]),
            "completion_tokens": sum_if_known([chat.completion_tokens for chat in chats]),
        },
    )


def _reason(answer: str | None, last: ChatResult) -> str:
    if answer is None:
        return "max_steps"
    return "cut_off" if last.is_cut else "final_answer"


def _assistant_message(chat: ChatResult) -> Message:
    message: dict[str, Any] = {"role": "assistant", "content": chat.content}
    if chat.tool_calls:
        message["tool_calls"] = [
            {
                "id": call["call_id"],
                "function": {"name": call["name"], "arguments": call["arguments"]},
            }
            for call in chat.tool_calls
        ]
    return message


def _tool_message(result: ToolResult) -> Message:
    return {
        "role": "tool",
        "tool_name": result.name,
        "tool_call_id": result.call_id,
        "content": result.text,
    }


def sum_if_known(counts: list[int | None]) -> int | None:
    """The sum; None if a count is not known."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
