"""One call to a model, whatever runs it.

Everything in this course that needs a model takes a `Backend`: text in, text out, with counts of
what it cost. An agent is a program around a function of this shape, and nothing in that program
depends on which model is behind it.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypedDict

from g2c.inference.errors import JsonUnsupportedError, ToolsUnsupportedError
from g2c.tracing import traced_call

Message = Mapping[str, Any]
"""One chat message in Ollama's shape: `role` and `content`; an assistant's may hold `tool_calls`
(`[{"id", "function": {"name", "arguments"}}]`), a tool's has `tool_name` and `tool_call_id`."""

ToolSchema = Mapping[str, Any]
"""One tool as Ollama and OpenAI take it: `{"type": "function", "function": {"name", "description",
"parameters"}}`; `g2c.tools.render_tools_for_chat` makes them."""


TOKEN_LIMIT = "the token limit"
"""The usual cause of a text that ends before the model ends it."""
THINKING_LIMIT = "the token limit, while it was thinking"
"""The same, before there was any text."""

_SHORTEST_MS = 1.0
"""A server may report that a text took a microsecond; no rate is computed from that."""


class ToolCallDict(TypedDict):
    """A tool call as a model made it: `arguments` is what it wrote, and nobody has checked it."""

    name: str
    arguments: Any
    call_id: str


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen, and how many there may be.

    `max_new_tokens` is at least 1. `temperature` is 0 or more; 0 is deterministic. `top_k` is at
    least 1, `top_p` above 0 and at most 1; None means the backend's own default.

    >>> Sampling(64, 0.0, top_p=0.9).as_options()
    {'max_new_tokens': 64, 'temperature': 0.0, 'top_k': None, 'top_p': 0.9}
    >>> Sampling(0, 0.0)
    Traceback (most recent call last):
    ValueError: max_new_tokens must be a whole number of at least 1, got 0
    """

    max_new_tokens: int
    temperature: float
    top_k: int | None = None
    top_p: float | None = None

    def __post_init__(self) -> None:
        tokens, heat, top_k, top_p = vars(self).values()
        if not _is_int(tokens) or tokens < 1:
            raise ValueError(f"max_new_tokens must be a whole number of at least 1, got {tokens!r}")
        if not _is_number(heat) or not 0 <= heat < float("inf"):
            raise ValueError(f"temperature must be a number of 0 or more, got {heat!r}")
        if top_k is not None and (not _is_int(top_k) or top_k < 1):
            raise ValueError(f"top_k must be None or a whole number of at least 1, got {top_k!r}")
        if top_p is not None and (not _is_number(top_p) or not 0 < top_p <= 1):
            raise ValueError(f"top_p must be None or a number above 0 and at most 1, got {top_p!r}")

    def as_options(self) -> dict[str, Any]:
        """The keyword arguments that every call of a backend takes."""
        return dict(vars(self))


@dataclass(frozen=True)
class BackendInfo:
    """Which model answers: `name` is the kind of backend, `model_id` the model that it was asked to
    load."""

    name: str
    model_id: str
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_small(self) -> bool:
        """Whether it is the small model in the box, whose habits a longer prompt may change."""
        return "note" in self.extra

    def step_tokens(self, small: int) -> int:
        """How many tokens a step of an agent may have with this model: `small` for the small model
        in the box, which repeats itself after that, and room to think for any other."""
        return small if self.is_small else 2048


class _Answer(ABC):
    """How an answer ended, and how fast it was."""

    completion_tokens: int | None
    latency_ms: float
    metadata: Mapping[str, Any]

    @property
    @abstractmethod
    def text(self) -> str:
        """The model's text."""

    @property
    def cut_by(self) -> str:
        """The reason why the text was cut off, in words; "" if the model ended it."""
        match self.metadata:
            case {"finish_reason": "length"}:
                thought_only = self.metadata.get("thinking") and not self.text.strip()
                return THINKING_LIMIT if thought_only else TOKEN_LIMIT
            case {"finish_reason": None, "ended_by": other}:
                return f"the server ({other})"
        return ""

    @property
    def is_cut(self) -> bool:
        """Whether something else than the model ended the text."""
        return bool(self.cut_by)

    @property
    def tokens_per_second(self) -> float | None:
        """Completion tokens per second of generation, or of the whole call if the backend does not
        report that; None if unknown."""
        written_ms = self.metadata.get("generate_ms")
        milliseconds = self.latency_ms if written_ms is None else written_ms
        if self.completion_tokens is None or milliseconds < _SHORTEST_MS:
            return None
        return self.completion_tokens / milliseconds * 1000


@dataclass(frozen=True)
class InferenceResult(_Answer):
    """A completion and what it cost.

    `completion` includes neither the prompt nor the model's thinking. Token counts are None if the
    backend did not report them. `metadata` is the backend's own. If known, it has `finish_reason`
    (`"stop"` or `"length"`), `ended_by` (the server's word for another end), `thinking`, and
    `cache_n` and `prompt_n`: the prompt tokens found in the model's cache, and those computed.
    """

    prompt: str
    completion: str
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: float
    backend: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.completion


@dataclass(frozen=True)
class ChatResult(_Answer):
    """One assistant message: text, tool calls, or both; counts as in `InferenceResult`."""

    content: str
    tool_calls: tuple[ToolCallDict, ...]
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: float
    backend: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.content


class Backend(ABC):
    """A model that completes text.

    All calls share the arguments of `Sampling`. Bad arguments raise `ValueError`; anything else
    that stops a call is a `BackendError` that says what to do.

    A subclass defines `info` and `_complete`. If it can do more, it also defines `_complete_json`
    or `_chat`, and the property that says so. These get checked arguments. A stand-in for a model
    may define `complete` itself.
    """

    @property
    @abstractmethod
    def info(self) -> BackendInfo:
        """Which model this is."""

    @property
    def identity(self) -> dict[str, str]:
        """The values that distinguish this model and its options from others of its name, on every
        machine the same. Kept answers are filed under them.

        Raises:
            BackendError: the model's server cannot be asked.
        """
        return {"backend": self.info.name, "model": self.info.model_id}

    @property
    def supports_json(self) -> bool:
        """Whether `complete_json` can constrain the output to a schema."""
        return False

    @property
    def supports_tools(self) -> bool:
        """Whether `chat_with_tools` has a channel for tool calls.

        A server may still refuse a model that was not trained for them.
        """
        return False

    @property
    def continues_prompt(self) -> bool:
        """Whether a completion goes on where the prompt ends, in the middle of a line too.

        A backend that sends the prompt as a user's turn of a chat says False: its model begins an
        answer of its own, such as "Sure! Here is the plan:".
        """
        return True

    def complete(
        self,
        prompt: str,
        *,
        max_new_tokens: int = 128,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> InferenceResult:
        """Continue `prompt`."""
        sampling = Sampling(max_new_tokens, temperature, top_k, top_p)
        return traced_call(
            self._name,
            prompt,
            lambda: without_thinking(self._complete(prompt, sampling)),
            lambda result: result.completion,
        )

    def stopping_at(self, *strings: str) -> Backend:
        """Return a view of this backend whose completions end before any of `strings`; an empty one
        stops nothing.

        The default returns the backend itself: one that cannot stop early still works, but the
        caller has to cut its text at the string.
        """
        return self

    def writing_steps(self, tools: Sequence[ToolSchema]) -> Backend:
        """Return a view of this backend for steps of the agent's text protocol with `tools`.

        A backend may constrain its completions to that form: a thought, then an action or a final
        answer. The default returns the backend itself, without a constraint.
        """
        return self

    def with_seed(self, seed: int) -> Backend:
        """Return a view of this backend that draws with another seed, at a temperature above 0.

        The default returns the backend itself, which has no seed.
        """
        return self

    def chat_with_tools(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        *,
        max_new_tokens: int = 512,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        think: bool | None = None,
    ) -> ChatResult:
        """Answer a conversation with text or calls of `tools`.

        Calls that the model wrote as text, as its template has them, are calls. If one cannot be
        read, `metadata["unread_call"]` is True.

        `think` says whether a model that can think does so; None leaves it to the backend.

        Raises:
            ToolsUnsupportedError: this backend, or its model, has no such channel.
        """
        sampling = Sampling(max_new_tokens, temperature, top_k, top_p)
        result = traced_call(
            self._name,
            str(messages[-1].get("content", "")) if messages else "",
            lambda: self._chat(messages, tools, sampling, think),
            lambda result: result.content,
        )
        from g2c.inference.structured.thinking import split_thinking
        from g2c.inference.structured.written_calls import find_written_calls

        thinking, text = split_thinking(result.content)
        calls = result.tool_calls
        written = find_written_calls(text, tools) if text and not calls else None
        if written and written.calls:
            text = written.before
            calls = tuple(
                ToolCallDict(name=call.name, arguments=call.arguments or {}, call_id=f"written_{n}")
                for n, call in enumerate(written.calls, len(messages))
            )
        metadata = _with(result.metadata, thinking)
        if written and not written.calls:
            metadata = {**metadata, "unread_call": True}
        return replace(result, content=text, tool_calls=calls, metadata=metadata)

    def complete_json(
        self,
        prompt: str,
        schema: Mapping[str, Any],
        *,
        max_new_tokens: int = 512,
        temperature: float = 0.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> InferenceResult:
        """Complete `prompt` with JSON text that matches the JSON schema `schema`.

        Raises:
            BackendError: this backend cannot constrain its output, or the text was cut off at
                `max_new_tokens` before the JSON was whole.
        """
        sampling = Sampling(max_new_tokens, temperature, top_k, top_p)
        return traced_call(
            self._name,
            prompt,
            lambda: self._complete_json(prompt, schema, sampling),
            lambda result: result.completion,
        )

    def _name(self) -> str:
        return self.info.model_id

    def _view(self, **changes: Any) -> Self:
        """A copy of this backend with other values for the named attributes; all others are
        shared."""
        view = copy.copy(self)
        vars(view).update(changes)
        return view

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        raise NotImplementedError(f"{type(self).__name__} has no _complete")

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
        raise ToolsUnsupportedError(
            f"{self.info.name} has no channel for tool calls; {ToolsUnsupportedError.instead}, or "
            "take a backend that has one (EmbeddedBackend, OllamaBackend)."
        )

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        raise JsonUnsupportedError(
            f"{self.info.name} cannot hold its output to a JSON schema; use complete() and parse "
            "what comes, or a backend that can (EmbeddedBackend, OllamaBackend)."
        )


def without_thinking(result: InferenceResult) -> InferenceResult:
    """The result, with thinking moved from its text to `metadata["thinking"]`."""
    from g2c.inference.structured.thinking import split_thinking  # slow to import

    thinking, text = split_thinking(result.completion)
    return replace(result, completion=text, metadata=_with(result.metadata, thinking))


def _with(metadata: Mapping[str, Any], thinking: str) -> Mapping[str, Any]:
    if not thinking:
        return metadata
    beside = metadata.get("thinking")  # a server may send some of it beside the text
    return {**metadata, "thinking": f"{beside}\n{thinking}" if beside else thinking}


def known(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are not None, by name."""
    return {name: value for name, value in values.items() if value is not None}


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
