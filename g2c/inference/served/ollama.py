"""A model served by Ollama, over its HTTP API.

The server has defaults of its own: a context of 4096 tokens, a prompt that is silently cut to fit
it, a random seed. So every call says each of them. The API is in Ollama's `docs/api.md`.
"""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from g2c.inference.backend import BackendInfo, Message, Sampling, ToolSchema
from g2c.inference.call_listeners import tell_piece
from g2c.inference.errors import BackendError
from g2c.inference.served._bounded_http import check_seconds
from g2c.inference.served._ollama_address import base_url_from
from g2c.inference.served._ollama_wire import OllamaServer
from g2c.inference.served._served import (
    MAX_CALLS,
    ContextWarning,
    ServedBackend,
    ServedReply,
    context_trouble,
    ending,
)

__all__ = ["ContextWarning", "OllamaBackend"]

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


class OllamaBackend(ServedBackend):
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
        check_seconds(timeout=timeout, deadline=deadline)
        if num_ctx < 1:
            raise ValueError(f"num_ctx must be a whole number of at least 1, got {num_ctx!r}")
        url = base_url_from(os.environ.get("OLLAMA_HOST") if base_url is None else base_url)
        super().__init__(model_id, seed=seed, think=think, raw=raw)
        self._server = OllamaServer(url, model_id, timeout, deadline)
        self._num_ctx = num_ctx
        self._keep_alive = keep_alive

    @property
    def info(self) -> BackendInfo:
        extra = {"base_url": self._server.base_url, "num_ctx": self._num_ctx, "raw": self._raw}
        return BackendInfo("ollama", self._model_id, extra)

    def _ask_text(
        self, prompt: str, sampling: Sampling, schema: Mapping[str, Any] | None
    ) -> ServedReply:
        # /api/generate applies the template too, but its answer repeats the prompt's tokens in
        # `context`; /api/chat is the path that chat_with_tools takes, template and cache alike.
        path, body = (
            ("/api/generate", {"prompt": prompt, "raw": True})
            if self._raw
            else ("/api/chat", {"messages": [{"role": "user", "content": prompt}]})
        )
        extra = {} if schema is None else {"format": schema}
        return self._ask(path, {**body, **extra}, sampling, self._think)

    def _ask_chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ServedReply:
        body = {"messages": list(messages), "tools": list(tools)}
        return self._ask("/api/chat", body, sampling, think)

    def _context_trouble(self, reply: ServedReply, sampling: Sampling, sent: int) -> str | None:
        # A server too old for `truncate` cuts the prompt to fit without a word; its count tells.
        remedy = f"pass a num_ctx above {self._num_ctx}"
        return context_trouble(reply, self._num_ctx, sampling.max_new_tokens, remedy)

    def _ask(
        self, path: str, body: Mapping[str, Any], sampling: Sampling, think: bool | None
    ) -> ServedReply:
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
        return _read_reply(self._server.stream(path, request))

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


def _read_reply(lines: Iterable[Mapping[str, Any]]) -> ServedReply:
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
        if len(calls) > MAX_CALLS:
            raise BackendError(
                f"The model made more than {MAX_CALLS} calls of tools in one answer."
            )
    metadata: dict[str, Any] = {
        **ending(last.get("done_reason") or "", {"stop": "stop", "length": "length"}),
        "thinking": "".join(thinking) or None,
    }
    for name, field in _DURATIONS.items():
        metadata[name] = last[field] / 1e6 if field in last else None  # from nanoseconds
    return ServedReply(
        "".join(text),
        tuple(calls),
        last.get("prompt_eval_count"),
        last.get("eval_count"),
        (time.perf_counter() - started) * 1000,
        metadata,
    )


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
