"""A model served by Ollama, over its HTTP API.

The idea to take away: the server has defaults of its own (a context of 4096 tokens, a prompt cut
to fit it without a word, a random seed), so every call says each of them. The API is in Ollama's
`docs/api.md`.
"""

from __future__ import annotations

import ast
import copy
import itertools
import json
import os
import re
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from g2c.inference._ollama_wire import OllamaServer, base_url_from
from g2c.inference.base import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    Sampling,
    ToolCallDict,
    ToolSchema,
    check_sampling,
)
from g2c.inference.errors import BackendError

__all__ = ["ContextWarning", "OllamaBackend", "base_url_from"]

_NEARLY_FULL = 0.9
_DURATIONS = {
    "total_ms": "total_duration",
    "load_ms": "load_duration",
    "prompt_ms": "prompt_eval_duration",
    "generate_ms": "eval_duration",
}


class ContextWarning(UserWarning):
    """The context window is nearly full, or cut an answer short."""


@dataclass(frozen=True)
class _Reply:
    text: str
    tool_calls: tuple[Mapping[str, Any], ...]
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: float
    metadata: Mapping[str, Any]


class OllamaBackend(Backend):
    """`model_id` on the Ollama server at `base_url` (read as `OLLAMA_HOST` is, and by default it).

    `complete` and `complete_json` send their text as one user turn through the model's own chat
    template, which instruct models are trained on; with `raw` verbatim, for a base model or to
    let a trailing `Thought:` be continued. `num_ctx` is the context window in tokens, `timeout`
    the longest silence in seconds (loading a model is silent), `keep_alive` how long the model
    stays loaded, `think` whether a model that can think does (None leaves it to the server).

    Metadata has `finish_reason`, `thinking` (the model's thinking, in no completion) and
    `total_ms`, `load_ms`, `prompt_ms`, `generate_ms`; each is None where the server did not tell.
    One backend may be used by several threads.

    >>> OllamaBackend("llama3.2:3b", base_url="localhost").info.extra["base_url"]
    'http://localhost:11434'
    """

    def __init__(
        self,
        model_id: str = "llama3.2:3b",
        *,
        base_url: str | None = None,
        timeout: float = 300.0,
        num_ctx: int = 8192,
        seed: int = 0,
        keep_alive: str | float = "10m",
        think: bool | None = None,
        raw: bool = False,
    ) -> None:
        if not model_id:
            raise ValueError("model_id must name a model, such as 'llama3.2:3b'")
        if timeout <= 0:
            raise ValueError(f"timeout must be a number of seconds above 0, got {timeout!r}")
        if num_ctx < 1:
            raise ValueError(f"num_ctx must be a whole number of at least 1, got {num_ctx!r}")
        url = base_url_from(os.environ.get("OLLAMA_HOST") if base_url is None else base_url)
        self._server = OllamaServer(url, model_id, timeout)
        self._model_id = model_id
        self._num_ctx = num_ctx
        self._seed = seed
        self._keep_alive = keep_alive
        self._think = think
        self._raw = raw
        self._stop: tuple[str, ...] = ()

    @property
    def info(self) -> BackendInfo:
        extra = {"base_url": self._server.base_url, "num_ctx": self._num_ctx, "raw": self._raw}
        return BackendInfo("ollama", self._model_id, extra)

    def stopping_at(self, *strings: str) -> OllamaBackend:
        view = copy.copy(self)
        view._stop = strings
        return view

    def complete(
        self,
        prompt: str,
        *,
        max_new_tokens: int = 128,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> InferenceResult:
        sampling = check_sampling(max_new_tokens, temperature, top_k, top_p)
        return self._complete(prompt, sampling, {})

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
        sampling = check_sampling(max_new_tokens, temperature, top_k, top_p)
        result = self._complete(prompt, sampling, {"format": schema})
        try:
            json.loads(result.completion)
        except ValueError:
            raise BackendError(
                f"{self._model_id} wrote no whole JSON in {max_new_tokens} tokens, but "
                f"{result.completion[:80]!r}; pass a larger max_new_tokens, or a schema with "
                "shorter values."
            ) from None
        return result

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
        sampling = check_sampling(max_new_tokens, temperature, top_k, top_p)
        body = {"messages": list(messages), "tools": list(tools)}
        reply = self._ask("/api/chat", body, sampling, self._think if think is None else think)
        return ChatResult(
            reply.text,
            _tool_calls(reply.tool_calls, messages),
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.latency_ms,
            "ollama",
            reply.metadata,
        )

    def _complete(
        self, prompt: str, sampling: Sampling, extra: Mapping[str, Any]
    ) -> InferenceResult:
        # /api/generate applies the template too, but its answer repeats the prompt's tokens in
        # `context`; /api/chat is the path that chat_with_tools takes, template and cache alike.
        path, body = (
            ("/api/generate", {"prompt": prompt, "raw": True})
            if self._raw
            else ("/api/chat", {"messages": [{"role": "user", "content": prompt}]})
        )
        reply = self._ask(path, {**body, **extra}, sampling, self._think)
        return InferenceResult(
            prompt,
            reply.text,
            reply.prompt_tokens,
            reply.completion_tokens,
            reply.latency_ms,
            "ollama",
            reply.metadata,
        )

    def _ask(
        self, path: str, body: Mapping[str, Any], sampling: Sampling, think: bool | None
    ) -> _Reply:
        request = {
            **body,
            "options": self._options(sampling),
            "stream": True,
            "truncate": False,
            "shift": False,
            "keep_alive": self._keep_alive,
        }
        if think is not None and "thinking" in (self._server.show().get("capabilities") or ()):
            request["think"] = think
        started = time.perf_counter()
        chunks = self._server.stream(path, request)
        reply = _read_reply(chunks, (time.perf_counter() - started) * 1000)
        if trouble := _context_trouble(reply, self._num_ctx, sampling["max_new_tokens"]):
            warnings.warn(f"{self._model_id}: {trouble}", ContextWarning, stacklevel=4)
        return reply

    def _options(self, sampling: Sampling) -> dict[str, Any]:
        options: dict[str, Any] = {
            "num_ctx": self._num_ctx,
            "num_predict": sampling["max_new_tokens"],
            "temperature": sampling["temperature"],
            "seed": self._seed,
            "top_k": sampling["top_k"],
            "top_p": sampling["top_p"],
        }
        if self._stop:
            # These replace the model's own stop strings, without which some models never stop.
            options["stop"] = [*_own_stops(self._server.show()), *self._stop]
        return {name: value for name, value in options.items() if value is not None}


def _read_reply(chunks: Sequence[Mapping[str, Any]], latency_ms: float) -> _Reply:
    """Gather an answer from its lines: text and tool calls from all, counts from the last."""
    parts = [chunk.get("message") or chunk for chunk in chunks]
    last = chunks[-1]
    metadata: dict[str, Any] = {
        "finish_reason": last.get("done_reason"),
        "thinking": "".join(part.get("thinking") or "" for part in parts) or None,
    }
    for name, field in _DURATIONS.items():
        metadata[name] = last[field] / 1e6 if field in last else None  # from nanoseconds
    return _Reply(
        "".join(part.get("content") or part.get("response") or "" for part in parts),
        tuple(call for part in parts for call in part.get("tool_calls") or ()),
        last.get("prompt_eval_count"),
        last.get("eval_count"),
        latency_ms,
        metadata,
    )


def _tool_calls(
    calls: Iterable[Mapping[str, Any]], messages: Iterable[Message]
) -> tuple[ToolCallDict, ...]:
    """Return the calls in the course's shape; an id that is missing is new to the conversation."""
    calls = list(calls)
    spoken = (call for message in messages for call in message.get("tool_calls") or ())
    taken = {call.get("id") for call in itertools.chain(spoken, calls)}
    fresh = (name for n in itertools.count(1) if (name := f"call_{n}") not in taken)
    return tuple(
        ToolCallDict(
            name=call["function"]["name"],
            arguments=_arguments(call["function"].get("arguments") or {}),
            call_id=call.get("id") or next(fresh),
        )
        for call in calls
    )


def _arguments(written: Any) -> Any:
    if isinstance(written, str):
        try:
            return json.loads(written)
        except ValueError:
            pass  # what a model got wrong is for the tool layer to tell it
    return written


def _own_stops(shown: Mapping[str, Any]) -> list[str]:
    r"""Return the stop strings of the model's Modelfile, which `/api/show` lists as text.

    >>> _own_stops({"parameters": 'temperature   0.6\nstop   "<|eot_id|>"'})
    ['<|eot_id|>']
    """
    # Go quotes them, with escapes that Python reads the same way.
    quoted = re.findall(r'^stop\s+("(?:[^"\\]|\\.)*")$', shown.get("parameters") or "", re.M)
    return [ast.literal_eval(text) for text in quoted]


def _context_trouble(reply: _Reply, num_ctx: int, max_new_tokens: int) -> str | None:
    """Say what the context window did, or is about to do, to this conversation."""
    if (
        reply.metadata["finish_reason"] == "length"
        and reply.completion_tokens is not None
        and reply.completion_tokens < max_new_tokens
    ):
        return (
            f"the answer was cut after {reply.completion_tokens} tokens because the context "
            f"window is full; send less, or pass a num_ctx above {num_ctx}."
        )
    # A server too old for `truncate` cuts the prompt to fit without a word; its count tells.
    if reply.prompt_tokens is not None and reply.prompt_tokens >= _NEARLY_FULL * num_ctx:
        return (
            f"the prompt took {reply.prompt_tokens} of the {num_ctx} tokens of its context "
            f"window; send less, or pass a num_ctx above {num_ctx}."
        )
    return None
