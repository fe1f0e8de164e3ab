"""A model on a server that speaks OpenAI's API: vLLM, llama.cpp's server, LM Studio, Ollama's /v1.

These servers have different defaults. So the model is looked up before it is asked, every call sets
the seed and the temperature, and an answer counts only once the server has said why it ended. The
API is in OpenAI's reference; each server documents its additions.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from g2c.inference.backend import BackendInfo, Message, Sampling, ToolSchema, known
from g2c.inference.call_listeners import tell_piece
from g2c.inference.errors import BackendError, BrokenStreamError
from g2c.inference.served._openai_address import KEY_VARIABLE, base_url_of
from g2c.inference.served._openai_messages import as_openai, gather_calls
from g2c.inference.served._openai_wire import LIST_DEADLINE_S, OpenAIServer, ServedModel, no_tools
from g2c.inference.served._served import (
    ContextWarning,
    ServedBackend,
    ServedReply,
    check_seconds,
    ending,
)

__all__ = ["KEY_VARIABLE", "ContextWarning", "OpenAICompatibleBackend", "list_models"]

_FINISH = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "stop",
    "function_call": "stop",
    # The words of other servers and proxies, in small letters.
    "eos": "stop",
    "eos_token": "stop",
    "eos_found": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "stop_token": "stop",
    "complete": "stop",
    "completed": "stop",
    "finished": "stop",
    "tool_use": "stop",
    "tool_call": "stop",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
}
_GIVEN_UP = ("abort", "error")  # vLLM's words for an unfinished answer

_MANY_CHARS_A_TOKEN = 8
"""Characters a token, twice those of English. A server that silently cuts a prompt in half reports
such a count."""
_LONG_PROMPT_CHARS = 8000
_KEPT_TOKENS = range(17)
"""Tokens besides half of the window that newer versions of Ollama leave of a longer prompt: half of
`num_keep`, which is 4, or 24 in some models."""


class OpenAICompatibleBackend(ServedBackend):
    """`model` on the server at `base_url`, such as `http://127.0.0.1:8000/v1`.

    `complete` and `complete_json` send their text as one user turn to `/chat/completions`. With
    `raw` they send it verbatim to `/completions`, for a base model, or so that a trailing
    `Thought:` is continued. `timeout` is the longest silence in seconds, `deadline` the longest
    answer in seconds, `think` whether a model that can think does so (None leaves it to the server;
    vLLM and llama.cpp heed it).

    If the environment variable `api_key_env` is set, its value is sent as the key. It is read for
    each request, and stored nowhere. It is sent only over https, or to this machine.

    A server that is busy (429, 503) is asked again, for at most a minute in all. The context is the
    one with which the server was started. A prompt that is too long is a `ContextOverflowError`.
    Ollama cuts it instead, and says nothing: use `OllamaBackend` there, or heed the
    `ContextWarning` for a prompt of the length to which it cuts. It has no raw text here, either,
    so `raw` is refused there.

    Metadata has `finish_reason`, `thinking` (which no completion includes), `first_token_ms`, and
    `cache_n` and `prompt_n`; each is None if the server did not tell. `ended_by` is the server's
    word for another end, such as `content_filter`. Several threads may use one backend.

    Raises:
        ValueError: an argument is wrong; a password in `base_url` is, too.

    >>> OpenAICompatibleBackend("http://localhost:8000", "qwen").info.extra["base_url"]
    'http://localhost:8000/v1'
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key_env: str = KEY_VARIABLE,
        timeout: float = 300.0,
        deadline: float = 3600.0,
        seed: int = 0,
        think: bool | None = None,
        raw: bool = False,
    ) -> None:
        if not model:
            raise ValueError("model must name one of the server's models")
        check_seconds(timeout=timeout, deadline=deadline)
        super().__init__(model, seed=seed, think=think, raw=raw)
        self._server = OpenAIServer(base_url_of(base_url), api_key_env, timeout, deadline)

    @property
    def info(self) -> BackendInfo:
        server = self._server
        extra = {"base_url": server.base_url, "raw": self._raw, "api_key_env": server.key_variable}
        return BackendInfo("openai", self._model_id, extra)

    @property
    def identity(self) -> dict[str, str]:
        return {**super().identity, "server": self._server.base_url}

    def _larger_context(self, n_ctx: int | None) -> str:
        return "start the server with a longer context"

    def look_up(self) -> ServedModel:
        """The model in the server's list; only the first call asks the server.

        Raises:
            ModelNotFoundError: the server does not list it; names those that it lists.
            BackendError: the server cannot be asked; says what to do.
        """
        return self._server.find(self._model_id)

    def _ask_text(
        self, prompt: str, sampling: Sampling, schema: Mapping[str, Any] | None
    ) -> ServedReply:
        extra: dict[str, Any] = {}
        if schema is not None:
            form = {"name": "answer", "schema": schema, "strict": True}
            extra["response_format"] = {"type": "json_schema", "json_schema": form}
            if self._raw:  # llama.cpp's /completions takes the schema only by this name
                extra["json_schema"] = schema
        if self._raw:
            if self._server.is_ollama(self.look_up()):
                raise BackendError(
                    f"Ollama at {self._server.base_url} would put raw text into the model's "
                    "template here; use OllamaBackend(..., raw=True), which it takes as it is."
                )
            return self._ask("/completions", {"prompt": prompt, **extra}, sampling)
        turn = {"messages": [{"role": "user", "content": prompt}], **_thinking(self._think)}
        return self._ask("/chat/completions", {**turn, **extra}, sampling)

    def _ask_chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ServedReply:
        body = {"messages": as_openai(messages), **_thinking(think)}
        if tools:  # an empty list is an error to some servers
            if self._server.drops_tools(self.look_up()):
                raise no_tools(self._model_id, "its chat template has no place for them")
            body["tools"] = list(tools)
        return self._ask("/chat/completions", body, sampling)

    def _ask(self, path: str, body: Mapping[str, Any], sampling: Sampling) -> ServedReply:
        self.look_up()
        options = {
            "model": self._model_id,
            "max_tokens": sampling.max_new_tokens,
            "temperature": sampling.temperature,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
            "seed": self._seed,
            "stop": list(self._stop) or None,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        return _read_reply(self._server, path, {**body, **known(options)})

    def _context_trouble(self, reply: ServedReply, sampling: Sampling, sent: int) -> str | None:
        if trouble := super()._context_trouble(reply, sampling, sent):
            return trouble
        n_ctx, prompt = reply.n_ctx, reply.prompt_tokens
        if prompt is None:
            return None
        if n_ctx is None:
            may_be_cut = sent > max(_LONG_PROMPT_CHARS, prompt * _MANY_CHARS_A_TOKEN)
            counted = f"the server counted {prompt} tokens in a prompt of {sent:,} characters"
        else:
            is_half = prompt - n_ctx // 2 in _KEPT_TOKENS
            may_be_cut = is_half and self._server.is_ollama(self.look_up())
            counted = (
                f"the server counted {prompt} tokens, which is what Ollama leaves of a prompt that "
                f"does not fit its context window of {n_ctx}"
            )
        if not may_be_cut:
            return None
        return f"{counted}, so it may have cut it; send less, or {self._larger_context(n_ctx)}."


def list_models(base_url: str, api_key_env: str = KEY_VARIABLE) -> list[str]:
    """The names of the server's models.

    Raises:
        BackendError: the server cannot be asked; says what to do.
    """
    server = OpenAIServer(base_url_of(base_url), api_key_env, LIST_DEADLINE_S, LIST_DEADLINE_S)
    return [model.name for model in server.models()]


def _thinking(think: bool | None) -> dict[str, Any]:
    return {} if think is None else {"chat_template_kwargs": {"enable_thinking": think}}


def _read_reply(server: OpenAIServer, path: str, body: Mapping[str, Any]) -> ServedReply:
    """Gather an answer from its events."""
    started = time.perf_counter()
    text: list[str] = []
    thinking: list[str] = []
    pieces: list[Mapping[str, Any]] = []
    usage: Mapping[str, Any] = {}
    reason = first_ms = None
    for event in server.stream(path, body):
        usage = event.get("usage") or usage
        for choice in _first_choice(event.get("choices") or ()):
            part = choice.get("delta") or choice.get("message") or choice
            content, thought = _read_content(part.get("content"))
            text.append(content or part.get("refusal") or part.get("text") or "")
            thinking.append(thought or part.get("reasoning_content") or part.get("reasoning") or "")
            if text[-1] or thinking[-1]:
                tell_piece()
            pieces += part.get("tool_calls") or ()
            if older := part.get("function_call"):
                pieces.append({"index": 0, "function": older})
            reason = choice.get("finish_reason") or reason
            if first_ms is None and (text[-1] or thinking[-1] or pieces):
                first_ms = (time.perf_counter() - started) * 1000
    if reason in _GIVEN_UP:
        raise BrokenStreamError(
            f"{server.base_url} broke off its answer ({reason}); try again, and look at the "
            "server's log if it comes back."
        )
    prompt_n: int | None = usage.get("prompt_tokens")
    cache_n: int | None = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
    metadata = {
        **ending(server.hide_key(reason or ""), _FINISH),
        "thinking": server.hide_key(_joined(thinking)) or None,
        "first_token_ms": first_ms,
        "cache_n": cache_n,
        "prompt_n": None if prompt_n is None or cache_n is None else max(0, prompt_n - cache_n),
    }
    calls = gather_calls(pieces, [tool["function"]["name"] for tool in body.get("tools", ())])
    return ServedReply(
        server.hide_key(_joined(text)),
        tuple(json.loads(server.hide_key(json.dumps(calls)))),
        prompt_n,
        usage.get("completion_tokens"),
        (time.perf_counter() - started) * 1000,
        metadata,
        server.window(server.find(body["model"])),
    )


def _first_choice(choices: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    return (choice for choice in choices if not choice.get("index"))


def _read_content(content: str | list[dict[str, Any]] | None) -> tuple[str, str]:
    """The text of a delta's `content`, and the thinking in it."""
    if not isinstance(content, list):
        return content or "", ""
    thoughts = [thought for part in content for thought in part.get("thinking") or ()]
    text, thinking = (
        "".join(part.get("text") or "" for part in parts) for parts in (content, thoughts)
    )
    return text, thinking


def _joined(pieces: Iterable[str]) -> str:
    """The text of the pieces, of which one may end in the middle of a character."""
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
