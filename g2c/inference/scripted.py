"""A backend that plays a script: the only fake in this project.

Logic is tested with it; a claim about a model is tested with a model.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from g2c.inference.backend import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    Sampling,
    ToolCallDict,
    ToolSchema,
)
from g2c.inference.errors import ScriptExhaustedError

Completion = str | Exception | Callable[[str], str]
"""The next completion: a text (perhaps a `Cut`), an exception to raise, or a function from the
prompt to a text."""

Chat = str | Mapping[str, Any] | Exception
"""A chat answer: a text, `{"content": ..., "tool_calls": [...]}`, or an exception to raise."""


class Cut(str):
    """A text whose end the token limit cut off."""


@dataclass(frozen=True)
class Call:
    """One call that a `ScriptedBackend` received.

    `kind` is `"complete"`, `"chat"` or `"json"`; `prompt` is the text (empty for a chat),
    `messages` and `tools` the conversation (empty for a text), `options` the sampling arguments,
    `stop` the strings that the caller asked to stop at.
    """

    kind: str
    prompt: str = ""
    messages: tuple[Message, ...] = ()
    tools: tuple[ToolSchema, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    stop: tuple[str, ...] = ()


class ScriptedBackend(Backend):
    """Plays `completions` and `chats` in order and keeps every call in `history`.

    With `stops=False`, it cannot stop early, as some backends: the history notes `stopping_at`,
    which changes nothing. `continues_prompt` is its property of that name. Token counts are a
    quarter of the characters. When nothing is left to say, it raises `ScriptExhaustedError`.

    >>> model = ScriptedBackend(["Thought: easy. Final Answer: 4"])
    >>> model.complete("What is 2 + 2?").completion
    'Thought: easy. Final Answer: 4'
    >>> model.history[0].prompt
    'What is 2 + 2?'
    """

    supports_json = True
    supports_tools = True

    def __init__(
        self,
        completions: Iterable[Completion] = (),
        chats: Iterable[Chat] = (),
        *,
        stops: bool = True,
        continues_prompt: bool = True,
    ) -> None:
        self.history: list[Call] = []
        self._completions = deque(completions)
        self._chats = deque(chats)
        self._stops = stops
        self._continues_prompt = continues_prompt
        self._stop: tuple[str, ...] = ()

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("scripted", "scripted")

    @property
    def continues_prompt(self) -> bool:
        return self._continues_prompt

    @property
    def queued(self) -> tuple[Completion | Chat, ...]:
        """The rest of the script, completions first."""
        return (*self._completions, *self._chats)

    def stopping_at(self, *strings: str) -> ScriptedBackend:
        return self._view(_stop=strings)

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        return self._say(Call("complete", prompt, options=sampling.as_options(), stop=self._stop))

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        return self._say(Call("json", prompt, options={**sampling.as_options(), "schema": schema}))

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
        self.history.append(
            Call(
                "chat",
                messages=tuple(messages),
                tools=tuple(tools),
                options={**sampling.as_options(), "think": think},
            )
        )
        chat = self._next(self._chats, "chats")
        if isinstance(chat, str):
            chat = {"content": chat}
        content = chat.get("content", "")
        calls = tuple(
            ToolCallDict(
                name=call["name"],
                arguments=call["arguments"],
                call_id=call.get("call_id") or f"call_{len(self.history)}_{i}",
            )
            for i, call in enumerate(chat.get("tool_calls", ()))
        )
        prompt_tokens = sum(len(str(m.get("content", ""))) for m in messages) // 4
        n_tokens, ended = len(content) // 4, _finish_metadata(content)
        return ChatResult(content, calls, prompt_tokens, n_tokens, 0.0, self.info.name, ended)

    def _say(self, call: Call) -> InferenceResult:
        self.history.append(call)
        text = self._next(self._completions, "completions")
        if callable(text):
            text = text(call.prompt)
        if self._stops:
            for stop in call.stop:
                text = text.partition(stop)[0] if stop in text else text
        n_read, n_written, ended = len(call.prompt) // 4, len(text) // 4, _finish_metadata(text)
        return InferenceResult(
            call.prompt, str(text), n_read, n_written, 0.0, self.info.name, ended
        )

    def _next(self, queue: deque[Any], what: str) -> Any:
        if not queue:
            raise ScriptExhaustedError(
                f"The script has no {what} left for call {len(self.history)}. Add one, or "
                "find out why the model was asked again."
            )
        item = queue.popleft()
        if isinstance(item, Exception):
            raise item
        return item


def _finish_metadata(text: str) -> dict[str, str]:
    return {"finish_reason": "length"} if isinstance(text, Cut) else {}
