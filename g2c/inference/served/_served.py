"""The base of the backends of models on a server: how a reply becomes a result.

A subclass turns a request into a `ServedReply`; everything that does not depend on the server's API
is here.
"""

import itertools
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from g2c.foreign_json import load_json
from g2c.inference.backend import (
    Backend,
    ChatResult,
    InferenceResult,
    Message,
    Sampling,
    ToolCallDict,
    ToolSchema,
    without_thinking,
)
from g2c.inference.call_listeners import watched
from g2c.inference.errors import UnusableAnswerError
from g2c.inference.structured.constrained import check_json, check_schema
from g2c.inference.structured.json_forms import read_object

MAX_CALLS = 1000
"""The most tool calls in one answer."""

MAX_SECONDS = 10**9
"""Thirty years; a socket takes no more than three hundred."""

_NEARLY_FULL = 0.9

_MAX_WORD_CHARS = 40


class ContextWarning(UserWarning):
    """The context window is nearly full, or cut an answer short."""


@dataclass(frozen=True)
class ServedReply:
    """A server's reply to one request. `tool_calls` are in Ollama's form, with ids and arguments
    unchecked. `n_ctx` is the context window in tokens, if the server reports it."""

    text: str
    tool_calls: tuple[Mapping[str, Any], ...]
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: float
    metadata: Mapping[str, Any]
    n_ctx: int | None = None


class ServedBackend(Backend):
    """A model on a server. With `raw` a prompt is sent verbatim, else as one user turn."""

    supports_json = True
    supports_tools = True

    def __init__(self, model_id: str, *, seed: int, think: bool | None, raw: bool) -> None:
        self._model_id = model_id
        self._seed = seed
        self._think = think
        self._raw = raw
        self._stop: tuple[str, ...] = ()

    @property
    def identity(self) -> dict[str, str]:
        options = [self._seed, *(name for name in ("think", "raw") if getattr(self, f"_{name}"))]
        return {**super().identity, "options": " ".join(map(str, options))}

    @property
    def continues_prompt(self) -> bool:
        return self._raw

    def stopping_at(self, *strings: str) -> Self:
        return self._view(_stop=tuple(filter(None, strings)))

    def with_seed(self, seed: int) -> Self:
        return self._view(_seed=seed)

    @abstractmethod
    def _ask_text(
        self, prompt: str, sampling: Sampling, schema: Mapping[str, Any] | None
    ) -> ServedReply:
        """Ask for an answer to the prompt, as JSON of that schema if there is one."""

    @abstractmethod
    def _ask_chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ServedReply:
        """Ask for an answer to the conversation."""

    @abstractmethod
    def _larger_context(self, n_ctx: int | None) -> str:
        """How to get a larger context window than one of `n_ctx` tokens."""

    def _context_trouble(self, reply: ServedReply, sampling: Sampling, sent: int) -> str | None:
        """A warning that the context window cut, or soon will cut, a request of so many characters;
        None if all is well."""
        n_ctx, prompt, written = reply.n_ctx, reply.prompt_tokens, reply.completion_tokens
        if (
            reply.metadata["finish_reason"] == "length"
            and written is not None
            and written < sampling.max_new_tokens
        ):
            return (
                f"the answer was cut after {written} tokens because the context window is full; "
                f"send less, or {self._larger_context(n_ctx)}."
            )
        if n_ctx is not None and prompt is not None and prompt >= _NEARLY_FULL * n_ctx:
            return (
                f"the prompt took {prompt} of the {n_ctx} tokens of its context window; send less, "
                f"or {self._larger_context(n_ctx)}."
            )
        return None

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        return self._text(prompt, sampling, None)

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        check_schema(schema)
        result = without_thinking(self._text(prompt, sampling, schema))
        if not result.completion.strip():  # some servers take all of it for thinking
            result = replace(result, completion=result.metadata.get("thinking") or "")
        try:
            load_json(result.completion)
        except ValueError:
            cure = "its server may not follow a schema, or the model cannot; choose another."
            if result.is_cut:
                cure = (
                    f"{result.cut_by} cut it off; pass a larger max_new_tokens, or a schema with "
                )
                cure += "shorter values."
            raise UnusableAnswerError(
                f"{self._model_id} wrote no whole JSON, but {result.completion[:80]!r}; {cure}",
                result,
            ) from None
        check_json(result, schema, self.info.extra["base_url"])
        return result

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
        think = self._think if think is None else think
        reply = watched(lambda: self._ask_chat(messages, tools, sampling, think))
        sent = sum(len(message.get("content") or "") for message in messages)
        self._warn(reply, sampling, sent, stacklevel=6)
        return ChatResult(
            reply.text,
            read_calls(reply.tool_calls, messages),
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.latency_ms,
            self.info.name,
            reply.metadata,
        )

    def _text(
        self, prompt: str, sampling: Sampling, schema: Mapping[str, Any] | None
    ) -> InferenceResult:
        reply = watched(lambda: self._ask_text(prompt, sampling, schema))
        self._warn(reply, sampling, len(prompt), stacklevel=7)
        return InferenceResult(
            prompt,
            reply.text,
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.latency_ms,
            self.info.name,
            reply.metadata,
        )

    def _warn(self, reply: ServedReply, sampling: Sampling, sent: int, *, stacklevel: int) -> None:
        if trouble := self._context_trouble(reply, sampling, sent):
            warnings.warn(f"{self._model_id}: {trouble}", ContextWarning, stacklevel=stacklevel)


def check_seconds(**limits: float) -> None:
    """Raise `ValueError` unless each limit is above 0 and at most `MAX_SECONDS`."""
    for name, seconds in limits.items():
        if not 0 < seconds <= MAX_SECONDS:
            raise ValueError(
                f"{name} must be a number of seconds above 0, and at most {MAX_SECONDS:,}, "
                f"got {seconds!r}"
            )


def ending(word: str, known: Mapping[str, str]) -> dict[str, str | None]:
    """The metadata for a server's word for the end of an answer; `known` maps the server's words,
    in lower case, to the course's.

    >>> ending("EOS", {"eos": "stop"}), ending("content_filter", {})
    ({'finish_reason': 'stop'}, {'finish_reason': None, 'ended_by': 'content_filter'})
    """
    reason = known.get(word.lower())
    other = {} if reason or not word else {"ended_by": word[:_MAX_WORD_CHARS]}
    return {"finish_reason": reason, **other}


def read_calls(
    calls: Iterable[Mapping[str, Any]], messages: Iterable[Message]
) -> tuple[ToolCallDict, ...]:
    """The calls in the course's shape. An id that is missing, or was used before in the
    conversation or in this answer, is replaced by a new one.

    >>> call = {"id": "call_1", "function": {"name": "now", "arguments": "{}"}}
    >>> [call["call_id"] for call in read_calls([call, call], [])]
    ['call_1', 'call_2']
    """
    calls = list(calls)
    spoken = (call for message in messages for call in message.get("tool_calls") or ())
    used = {call.get("id") for call in spoken}
    taken = used | {call.get("id") for call in calls}
    fresh = (name for n in itertools.count(1) if (name := f"call_{n}") not in taken)
    read = []
    for call in calls:
        call_id = call.get("id")
        if not call_id or call_id in used:
            call_id = next(fresh)
        used.add(call_id)
        function = call["function"]
        arguments = _arguments(function.get("arguments") or {})
        read.append(ToolCallDict(name=function["name"], arguments=arguments, call_id=call_id))
    return tuple(read)


def _arguments(written: Any) -> Any:
    if isinstance(written, str):
        try:
            read = load_json(written)
            if isinstance(read, str):  # some servers wrap the JSON in JSON
                read = read_object(read) or read
            return {} if read is None else read
        except ValueError:
            pass  # the tool layer tells the model what it got wrong
    return written
