"""A model served by Ollama, over its HTTP API.

The server has defaults of its own: a prompt that is silently cut to fit the context window, a
random seed, a penalty for repeated words that changed between its versions. So every call sets each
of them. The API is in Ollama's `docs/api.md`.
"""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from g2c.inference.backend import BackendInfo, Message, Sampling, ToolSchema, known
from g2c.inference.call_listeners import tell_piece
from g2c.inference.errors import BackendError, ContextOverflowError, UnusableAnswerError
from g2c.inference.served._ollama_address import base_url_from
from g2c.inference.served._ollama_wire import OllamaServer
from g2c.inference.served._served import (
    MAX_CALLS,
    ContextWarning,
    ServedBackend,
    ServedReply,
    check_seconds,
    ending,
)

if TYPE_CHECKING:
    from ollama import ShowResponse

__all__ = ["ContextWarning", "OllamaBackend"]

DEFAULT_CONTEXT = 8192
MIN_CONTEXT = 256
"""A server takes no smaller window; it takes this one instead."""
THINKING_TOKENS = 4096
"""Tokens that a thinking model may write besides its answer."""

_CHARS_A_TOKEN = 3
"""English has more, code fewer; if the guess is too small, the server says so."""

_STOP_LINES = 32
"""A stop string is spread over fewer lines of a stream."""

_DURATIONS = {
    "total_ms": "total_duration",
    "load_ms": "load_duration",
    "prompt_ms": "prompt_eval_duration",
    "generate_ms": "eval_duration",
}
_MOST = 2**53  # exact as a float; in nanoseconds, a hundred days

# As Go quotes a text. Python reads these escapes in the same way.
_QUOTED = re.compile(
    r'"([^"\\]|\\([abfnrtv\\"]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4}))*"'
)


class OllamaBackend(ServedBackend):
    """`model_id` on the Ollama server at `base_url` (read as `OLLAMA_HOST` is, and by default it).

    `complete` and `complete_json` send their text as one user turn through the model's own chat
    template, which instruct models are trained on. With `raw` they send it verbatim, for a base
    model, or so that a trailing `Thought:` is continued. `num_ctx` is the least context window in
    tokens; None is what a prompt needs. The window of the loaded model is used if that is large
    enough, because a server reloads the model for another one. `timeout` is the longest silence in
    seconds (loading a model is silent), `deadline` the longest answer in seconds, `keep_alive` how
    long the model stays loaded (None leaves it to the server), `think` whether a model that can
    think does.

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
        num_ctx: int | None = None,
        seed: int = 0,
        keep_alive: str | float | None = None,
        think: bool = False,
        raw: bool = False,
    ) -> None:
        if not model_id:
            raise ValueError("model_id must name a model, such as 'llama3.2:3b'")
        check_seconds(timeout=timeout, deadline=deadline)
        if num_ctx is not None and num_ctx < 1:
            raise ValueError(f"num_ctx must be None or a whole number of at least 1, got {num_ctx}")
        url = base_url_from(os.environ.get("OLLAMA_HOST") if base_url is None else base_url)
        super().__init__(model_id, seed=seed, think=think, raw=raw)
        self._server = OllamaServer(url, model_id, timeout, deadline)
        self._num_ctx = num_ctx
        self._keep_alive = keep_alive

    @property
    def info(self) -> BackendInfo:
        extra = {"base_url": self._server.base_url, "num_ctx": self._num_ctx, "raw": self._raw}
        return BackendInfo("ollama", self._model_id, extra)

    @property
    def identity(self) -> dict[str, str]:
        window = {"num_ctx": str(self._num_ctx)} if self._num_ctx else {}
        return {**super().identity, **window, "weights": self._server.digest()[:12]}

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The model's capabilities as the server lists them, such as `tools` and `thinking`."""
        return tuple(self._server.show().capabilities or ())

    @property
    def in_use(self) -> dict[str, Any]:
        """`num_ctx` and `think` as this server and model apply them."""
        window = window_for(0, self._num_ctx, None, _most_context(self._server.show()))
        return {"num_ctx": window, "think": bool(self._think) and "thinking" in self.capabilities}

    def _larger_context(self, n_ctx: int | None) -> str:
        most = _most_context(self._server.show())
        if n_ctx is not None and most is not None and n_ctx >= most:
            return "choose a model with a larger context"
        larger = max(2 * (n_ctx or 0), 2 * DEFAULT_CONTEXT)
        larger = min(larger, most or larger)
        return f"choose a larger num_ctx: g2c model {self._model_id} --num-ctx {larger}"

    def _ask_text(
        self, prompt: str, sampling: Sampling, schema: Mapping[str, Any] | None
    ) -> ServedReply:
        if self._raw and not prompt:
            raise ValueError("the prompt is empty; Ollama would only load the model")
        # /api/generate applies the template too, but its answer repeats the prompt's tokens in
        # `context`; /api/chat is the path that chat_with_tools takes, template and cache alike.
        body: dict[str, Any] = (
            {"prompt": prompt, "raw": True}
            if self._raw
            else {"messages": [{"role": "user", "content": prompt}]}
        )
        if schema is not None:
            body["format"] = schema
        return self._ask(body, len(prompt), sampling, self._think)

    def _ask_chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ServedReply:
        body = {"messages": list(messages), "tools": list(tools)}
        return self._ask(body, len(str(body)), sampling, think)

    def _ask(
        self, body: Mapping[str, Any], chars: int, sampling: Sampling, think: bool | None
    ) -> ServedReply:
        shown = self._server.show()
        can_think = "thinking" in self.capabilities
        thinks = can_think and bool(think)
        room = sampling.max_new_tokens + (THINKING_TOKENS if thinks else 0)
        options: dict[str, Any] = {
            "num_predict": room,
            "temperature": sampling.temperature,
            "seed": self._seed,
            "repeat_penalty": 1.0,  # none
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
        }
        if self._stop and not thinks:  # the server would also stop inside the thinking
            # These replace the model's own stop strings, without which some models never stop.
            options["stop"] = [*_own_stops(shown), *self._stop]
        fields = {"keep_alive": self._keep_alive, "think": thinks if can_think else None}
        most, loaded = _most_context(shown), self._server.loaded_context()
        window = window_for(chars // _CHARS_A_TOKEN + room, self._num_ctx, loaded, most)
        while True:
            request = {
                **body,
                **known(fields),
                "options": known({**options, "num_ctx": window}),
                "truncate": False,
                "shift": False,  # always, because a server reloads the model for another one
            }
            try:
                reply = self._read(request, window, self._stop if thinks else ())
            except ContextOverflowError as error:
                larger = window_for(2 * window, self._num_ctx, None, most)
                if larger <= window:
                    raise ContextOverflowError(
                        f"{error}, or {self._larger_context(window)}."
                    ) from None
                window = larger
            else:
                self._server.was_loaded(window)
                return reply

    def _read(self, request: Mapping[str, Any], window: int, stops: Sequence[str]) -> ServedReply:
        """Gather an answer from its lines: text and tool calls from all, counts from the last. The
        connection is closed after any of `stops`."""
        started = time.perf_counter()
        text: list[str] = []
        thinking: list[str] = []
        calls: list[Mapping[str, Any]] = []
        raw = "prompt" in request
        last: Any = None
        for last in self._server.stream(raw, request):
            part = last if raw else last.message
            text.append((part.response if raw else part.content) or "")
            thinking.append(part.thinking or "")
            if text[-1] or thinking[-1]:
                tell_piece()
            if text[-1] and stops and any(stop in "".join(text[-_STOP_LINES:]) for stop in stops):
                break
            if not raw:
                calls += [call.model_dump() for call in part.tool_calls or ()]
            if len(calls) > MAX_CALLS:
                raise UnusableAnswerError(
                    f"The model made more than {MAX_CALLS} calls of tools in one answer."
                )
        reason = last.done_reason if last.done else "stop"
        metadata: dict[str, Any] = {
            **ending(reason or "", {"stop": "stop", "length": "length"}),
            "thinking": "".join(thinking) or None,
        }
        for name, field in _DURATIONS.items():
            duration = _count(getattr(last, field))
            metadata[name] = None if duration is None else duration / 1e6  # from nanoseconds
        return ServedReply(
            "".join(text),
            tuple(calls),
            _count(last.prompt_eval_count),
            _count(last.eval_count),
            (time.perf_counter() - started) * 1000,
            metadata,
            window,
        )


def window_for(tokens: int, asked: int | None, loaded: int | None, most: int | None) -> int:
    """The context window to ask for if prompt and answer may take so many `tokens`.

    `asked` is the least that a person chose, `loaded` the window of the loaded model, `most` the
    largest that the model takes; each may be None. A server takes no window below `MIN_CONTEXT`
    and none above `most`, whatever it is asked for.

    >>> window_for(3000, None, 4096, None), window_for(9000, None, 4096, 131072)
    (4096, 16384)
    >>> window_for(9000, 2048, None, None), window_for(3000, 2048, 4096, None)
    (2048, 4096)
    """
    if loaded is not None and loaded >= (asked or tokens):
        return loaded
    window = asked or DEFAULT_CONTEXT
    while asked is None and window < tokens:
        window *= 2
    return max(MIN_CONTEXT, min(window, most or window))


def _most_context(shown: ShowResponse) -> int | None:
    for name, value in (shown.modelinfo or {}).items():
        if name.endswith(".context_length") and isinstance(value, int) and value > 0:
            return value
    return None


def _count(value: int | None) -> int | None:
    return value if value is not None and 0 <= value <= _MOST else None


def _own_stops(shown: ShowResponse) -> list[str]:
    r"""Return the stop strings of the model's Modelfile, which `/api/show` lists as text.

    Raises:
        BackendError: a stop string is quoted in a way that Go does not quote.
    """
    stops = []
    for line in (shown.parameters or "").splitlines():
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
