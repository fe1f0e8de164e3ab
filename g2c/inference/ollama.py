"""A model served by Ollama, over its HTTP API.

The server has defaults of its own: a context of 4096 tokens, a prompt that is silently cut to fit
it, a random seed. So every call says each of them. The API is in Ollama's `docs/api.md`.
"""

from __future__ import annotations

import ast
import copy
import itertools
import os
import re
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from g2c.inference._ollama_address import base_url_from
from g2c.inference._ollama_wire import OllamaServer
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
from g2c.inference.errors import BackendError
from g2c.inference.json_forms import load_json
from g2c.inference.watching import tell_piece, watched

__all__ = ["ContextWarning", "OllamaBackend"]

_NEARLY_FULL = 0.9
_MAX_SECONDS = 10**9  # thirty years; a socket takes no more than three hundred
_MAX_CALLS = 1000
_DURATIONS = {
    "total_ms": "total_duration",
    "load_ms": "load_duration",
    "prompt_ms": "prompt_eval_duration",
    "generate_ms": "eval_duration",
}

# As Go quotes a text. Python reads these escapes in the same way.
_QUOTED = re.compile(
    r'"([^"\\]|\\([abfnrtv\\"]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4}))*"'
)


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
    template, which instruct models are trained on. With `raw` they send it verbatim, for a base
    model, or so that a trailing `Thought:` is continued. `num_ctx` is the context window in tokens,
    `timeout` the longest silence in seconds (loading a model is silent), `deadline` the longest
    answer in seconds, `keep_alive` how long the model stays loaded, `think` whether a model that
    can think does (None leaves it to the server).

    Metadata has `finish_reason`, `thinking` (the model's thinking, which no completion includes)
    and `total_ms`, `load_ms`, `prompt_ms`, `generate_ms`; each is None if the server did not tell.
    Several threads may use one backend.

    >>> OllamaBackend("llama3.2:3b", base_url="localhost").info.extra["base_url"]
    'http://localhost:11434'
    """

    supports_json = True
    supports_tools = True

    def __init__(
        self,
        model_id: str = "llama3.2:3b",
        *,
        base_url: str | None = None,
        timeout: float = 300.0,
        deadline: float = 3600.0,
        num_ctx: int = 8192,
        seed: int = 0,
        keep_alive: str | float = "10m",
        think: bool | None = None,
        raw: bool = False,
    ) -> None:
        if not model_id:
            raise ValueError("model_id must name a model, such as 'llama3.2:3b'")
        for name, seconds in (("timeout", timeout), ("deadline", deadline)):
            if not 0 < seconds <= _MAX_SECONDS:
                raise ValueError(
                    f"{name} must be a number of seconds above 0, and at most {_MAX_SECONDS:,}, "
                    f"got {seconds!r}"
                )
        if num_ctx < 1:
            raise ValueError(f"num_ctx must be a whole number of at least 1, got {num_ctx!r}")
        url = base_url_from(os.environ.get("OLLAMA_HOST") if base_url is None else base_url)
        self._server = OllamaServer(url, model_id, timeout, deadline)
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

    @property
    def continues_prompt(self) -> bool:
        return self._raw

    def stopping_at(self, *strings: str) -> OllamaBackend:
        view = copy.copy(self)
        view._stop = strings
        return view

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        return self._continue(prompt, sampling, {})

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        result = self._continue(prompt, sampling, {"format": schema})
        try:
            load_json(result.completion)
        except ValueError:
            raise BackendError(
                f"{self._model_id} wrote no whole JSON in {sampling.max_new_tokens} tokens, but "
                f"{result.completion[:80]!r}; pass a larger max_new_tokens, or a schema with "
                "shorter values."
            ) from None
        return result

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
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

    def _continue(
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
        reply = watched(lambda: _read_reply(self._server.stream(path, request)))
        if trouble := _context_trouble(reply, self._num_ctx, sampling.max_new_tokens):
            warnings.warn(f"{self._model_id}: {trouble}", ContextWarning, stacklevel=5)
        return reply

    def _options(self, sampling: Sampling) -> dict[str, Any]:
        options: dict[str, Any] = {
            "num_ctx": self._num_ctx,
            "num_predict": sampling.max_new_tokens,
            "temperature": sampling.temperature,
            "seed": self._seed,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
        }
        if self._stop:
            # These replace the model's own stop strings, without which some models never stop.
            options["stop"] = [*_own_stops(self._server.show()), *self._stop]
        return {name: value for name, value in options.items() if value is not None}


def _read_reply(lines: Iterable[Mapping[str, Any]]) -> _Reply:
    """Gather an answer from its lines: text and tool calls from all, counts from the last."""
    started = time.perf_counter()
    text: list[str] = []
    thinking: list[str] = []
    calls: list[Mapping[str, Any]] = []
    last: Mapping[str, Any] = {}
    for last in lines:
        part = last.get("message") or last
        text.append(part.get("content") or part.get("response") or "")
        thinking.append(part.get("thinking") or "")
        if text[-1] or thinking[-1]:
            tell_piece()
        calls += part.get("tool_calls") or ()
        if len(calls) > _MAX_CALLS:
            raise BackendError(
                f"The model made more than {_MAX_CALLS} calls of tools in one answer."
            )
    metadata: dict[str, Any] = {
        "finish_reason": last.get("done_reason"),
        "thinking": "".join(thinking) or None,
    }
    for name, field in _DURATIONS.items():
        metadata[name] = last[field] / 1e6 if field in last else None  # from nanoseconds
    return _Reply(
        "".join(text),
        tuple(calls),
        last.get("prompt_eval_count"),
        last.get("eval_count"),
        (time.perf_counter() - started) * 1000,
        metadata,
    )


def _tool_calls(
    calls: Iterable[Mapping[str, Any]], messages: Iterable[Message]
) -> tuple[ToolCallDict, ...]:
    """Return the calls in the course's shape. A missing id becomes one that nobody has used."""
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
            return load_json(written)
        except ValueError:
            pass  # the tool layer tells the model what it got wrong
    return written


def _own_stops(shown: Mapping[str, Any]) -> list[str]:
    r"""Return the stop strings of the model's Modelfile, which `/api/show` lists as text.

    Raises:
        BackendError: a stop string is quoted in a way that Go does not quote.

    >>> _own_stops({"parameters": 'temperature   0.6\nstop   "<|eot_id|>"'})
    ['<|eot_id|>']
    """
    stops = []
    for line in (shown.get("parameters") or "").splitlines():
        name, _, value = line.partition(" ")
        value = value.strip()
        if name == "stop" and value.startswith('"'):
            if not _QUOTED.fullmatch(value):
                raise BackendError(
                    f"The server lists a stop string that cannot be read: {value!r:.200}; correct "
                    "the model's Modelfile."
                )
            stops.append(ast.literal_eval(value))
    return stops


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
