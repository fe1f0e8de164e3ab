"""A server with OpenAI's API: bounded, whole, and with errors in sentences.

An answer is a stream of events, a line each: `data: {...}`, and at the end `data: [DONE]`. It
counts only once an event says why it ended; a stream that stops earlier looks just like a short
answer. Every event is checked against its schema (`_openai_shapes.py`), so its readers need not
check. The `openai` client is not used: two kinds of request do not justify a dependency.
"""

import re
import threading
import time
import warnings
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from g2c.foreign_json import load_json
from g2c.inference.errors import (
    BackendBusyError,
    BackendError,
    BrokenStreamError,
    ContextOverflowError,
    KeyRefusedError,
    ModelNotFoundError,
    ToolsUnsupportedError,
)
from g2c.inference.served._ollama_address import full_name
from g2c.inference.served._openai_address import read_key, without_key
from g2c.inference.served._openai_shapes import CHUNK, MODELS, PROPS, PS
from g2c.inference.served._retry import BUSY, Sleep, retrying, wait_asked_for
from g2c.inference.served._transport import (
    MAX_IDLE_LINES,
    Clock,
    Limits,
    Refused,
    Server,
    Transport,
    as_json,
    printable,
)
from g2c.inference.structured.json_forms import find_fault

CONNECT_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 64 * 2**20
"""An event takes about 250 bytes, and most events hold one token: 250,000 tokens."""
MAX_LINE_BYTES = 2**20
LIST_DEADLINE_S = 30.0
"""Seconds for requests that need no model, such as the list of models."""

_CONTEXT_FULL = re.compile(
    r"context.(length|size|window|limit)|maximum model length|max_model_len|max_new_tokens"
    r"|(prompt|input|request)[\w ]* too (long|large)|maximum number of tokens|too many tokens",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"not support tools|tool choice requires|enable-auto-tool-choice|tools param requires",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"\bmodel\b.*(not found|not exist|no such)|no such model|model_not_found", re.IGNORECASE
)
_SAMPLING = ("seed", "temperature", "top_k", "top_p")
_OPTIONS = (*_SAMPLING, "max_tokens", "stop", "stream_options")
"""Fields that some models and servers do not take. A caller cuts at a stop string itself, and
`max_tokens` has another name there."""
_NOT_TAKEN = re.compile(
    r"not support|unsupported|extra_forbidden|not permitted|un(known|recognized)", re.IGNORECASE
)
_TITLE = re.compile(r"<title>\s*(.{1,100}?)\s*</title>", re.IGNORECASE | re.DOTALL)
_NO_EVENTS = ("event", "id", "retry", "")  # a comment has no name


@dataclass(frozen=True)
class ServedModel:
    """A model in a server's list: `n_ctx` is its context in tokens, if the server reports it."""

    name: str
    aliases: tuple[str, ...]
    n_ctx: int | None
    owner: str

    @property
    def has_ollamas_owner(self) -> bool:
        """Whether the owner is the part of the name before the last, as Ollama writes it; some
        other servers do so, too."""
        return self.owner == (self.name.split("/")[-2] if "/" in self.name else "library")

    def is_called(self, name: str) -> bool:
        """Whether the server means this model by `name`."""
        return name in self.aliases or full_name(name) == full_name(self.name)


class OpenAIServer:
    """A server, for any number of threads.

    `timeout` is the longest silence and `deadline` the longest answer, in seconds by `clock`.
    `sleep` waits so many seconds if the server is busy, `MAX_WAIT_S` in all for a call.
    `key_variable` names the environment variable that may have a key.
    """

    def __init__(
        self,
        base_url: str,
        key_variable: str,
        timeout: float,
        deadline: float,
        clock: Clock = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self.base_url = base_url
        self.key_variable = key_variable
        self._limits = Limits(
            CONNECT_TIMEOUT_S, timeout, deadline, MAX_ANSWER_BYTES, MAX_LINE_BYTES
        )
        quick = min(timeout, LIST_DEADLINE_S), min(deadline, LIST_DEADLINE_S)
        self._quick = Limits(CONNECT_TIMEOUT_S, *quick, 2 * MAX_LINE_BYTES, MAX_LINE_BYTES)
        self._clock = clock
        self._sleep = sleep
        self._models: dict[str, ServedModel] = {}
        self._no_tools: bool | None = None
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    def models(self) -> tuple[ServedModel, ...]:
        """The server's models, as it lists them now."""
        try:
            listed = self._get(self.base_url, "/models", MODELS)["data"] or ()
        except Refused as refused:
            raise self._error(refused, "its models") from None
        return tuple(
            ServedModel(
                name=model["id"],
                aliases=tuple(model.get("aliases") or ()),
                n_ctx=model.get("max_model_len") or (model.get("meta") or {}).get("n_ctx") or None,
                owner=model.get("owned_by") or "",
            )
            for model in listed
        )

    def find(self, name: str) -> ServedModel:
        """The model of that name; only the first call that finds it asks the server.

        Some servers answer with their model, whatever the name in a request. So only the list is
        reliable.

        Raises:
            ModelNotFoundError: the server does not list it; the message names those that it lists.
        """
        with self._lock:
            if name not in self._models:
                models = self.models()
                found = next((model for model in models if model.is_called(name)), None)
                if found is None:
                    there = ", ".join(model.name for model in models) or "no model"
                    raise ModelNotFoundError(
                        f"{self.base_url} has no model {printable(name)}. It has "
                        f"{printable(there)}."
                    )
                self._models[name] = found
            return self._models[name]

    def drops_tools(self, model: ServedModel) -> bool:
        """Whether the server would accept tools and silently leave them out of the prompt.
        llama.cpp does so if the model's chat template has no place for them; `/props` shows that.
        Other servers refuse.
        """
        if model.owner != "llamacpp":
            return False
        with self._lock:
            if self._no_tools is None:
                self._no_tools = False
                try:
                    props = self._get(self.base_url.removesuffix("/v1"), "/props", PROPS)
                    can = (props.get("chat_template_caps") or {}).get("supports_tools")
                    self._no_tools = can is False
                except (Refused, BackendError):
                    pass  # a proxy may hide it; if nothing answers, the next request shows it
            return self._no_tools

    def window(self, model: ServedModel) -> int | None:
        """The context window of `model` in tokens, if the server reports it; Ollama does for a
        loaded model."""
        if not model.has_ollamas_owner:
            return model.n_ctx
        running = self._running() or ()
        return next(
            (entry.get("context_length") for entry in running if entry["model"] == model.name), None
        )

    def is_ollama(self, model: ServedModel) -> bool:
        """Whether this is Ollama, whose `/v1` cuts long prompts and takes no raw text."""
        is_sure = model.owner == "library"
        return is_sure or (model.has_ollamas_owner and self._running() is not None)

    def _running(self) -> list[dict[str, Any]] | None:
        """Ollama's list of loaded models; None from another server."""
        try:
            running: list[dict[str, Any]] = self._get(
                self.base_url.removesuffix("/v1"), "/api/ps", PS
            )["models"]
        except (Refused, BackendError):
            return None  # a proxy may hide it
        return running

    def stream(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send `body` and yield every event of the answer as it comes.

        Raises:
            BackendError: there is no whole answer; says what to do.
        """
        finished = False
        try:
            with closing(retrying(lambda: self._fitted(path, body), self._sleep)) as events:
                for event in events:
                    choices = event.get("choices") or ()
                    finished = finished or any(choice.get("finish_reason") for choice in choices)
                    yield event
        except Refused as refused:
            raise self._error(refused, str(body["model"])) from None
        if not finished:
            raise BrokenStreamError(
                f"The answer of {body['model']} broke off before {self.base_url} said why it "
                "ended; try again, and look at the server's log if it comes back."
            )

    def hide_key(self, text: str) -> str:
        """`text` without the key, in case the server has repeated it."""
        return without_key(text, self.key_variable)

    def _get(self, base_url: str, path: str, shape: Mapping[str, Any]) -> dict[str, Any]:
        with self._exchange(base_url, path, None, self._quick) as (answer, transport):
            text = "\n".join(answer.iter_lines())
            return self._parse(transport, text, shape)

    def _fitted(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The events, asked for without the options that the server has refused by name."""
        while True:
            fields = {name: value for name, value in body.items() if name not in self._refused}
            if "max_tokens" in self._refused:
                fields["max_completion_tokens"] = body["max_tokens"]
            try:
                yield from self._events(path, fields)
                return
            except Refused as refused:
                asked = (name for name in _OPTIONS if name in fields)
                name = next((name for name in asked if _is_of(refused, name)), "")
                if not name:
                    raise
            self._refused.add(name)
            if name in _SAMPLING:
                warnings.warn(f"{name} has no effect on {body['model']}.", stacklevel=2)

    def _events(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        with self._exchange(self.base_url, path, body, self._limits) as (answer, transport):
            idle = 0
            for line in answer.iter_lines():
                name, _, data = line.removeprefix("\ufeff").partition(":")
                if name in _NO_EVENTS or (name == "data" and not data.strip()):
                    idle += 1
                    if idle > MAX_IDLE_LINES:
                        raise transport.broken(f"{MAX_IDLE_LINES:,} lines without an event")
                    continue
                idle = 0
                if name != "data":
                    # An error may come as plain JSON with the status of a success.
                    self._parse(transport, line, CHUNK)
                    raise transport.broken("it is not a stream of events")
                if data.strip() == "[DONE]":
                    return
                yield self._parse(transport, data, CHUNK)

    @contextmanager
    def _exchange(
        self, base_url: str, path: str, body: Mapping[str, Any] | None, limits: Limits
    ) -> Iterator[tuple[httpx.Response, Transport]]:
        """GET `path`, or POST `body` to it, and yield the answer. A refusal raises."""
        server = Server(
            base_url, "a server with OpenAI's API", "the server's URL", "start the server"
        )
        transport = Transport(server, limits, self._clock, hide=self.hide_key)
        method, content = ("GET", None) if body is None else ("POST", as_json(body))
        with (
            httpx.Client(transport=transport, trust_env=False) as client,
            client.stream(
                method,
                base_url + path,
                content=content,
                headers={"Content-Type": "application/json"},
                auth=_Key(self.key_variable, base_url),
            ) as answer,
        ):
            if answer.status_code != 200:
                raise self._refusal(answer)
            yield answer, transport

    def _refusal(self, answer: httpx.Response) -> Refused:
        text = answer.read().decode(errors="replace").strip()
        try:
            message, details = _message(load_json(text))
        except ValueError:
            if text.startswith("<"):
                title = _TITLE.search(text)
                text = "a web page" + (f", {title[1]!r}" if title else "")
            message = details = text
        wait_s = wait_asked_for(answer.headers.get("Retry-After"), answer.headers.get("Date"))
        message = printable(self.hide_key(f"{answer.status_code} {message}".strip()))
        is_unpaid = "insufficient_quota" in details  # said with the status of a busy server
        return Refused(402 if is_unpaid else answer.status_code, message, details, wait_s)

    def _parse(self, transport: Transport, text: str, shape: Mapping[str, Any]) -> dict[str, Any]:
        try:
            data = load_json(text)
            if isinstance(data, dict) and (data.get("error") or data.get("object") == "error"):
                message, details = _message(data)
                raise Refused(200, printable(self.hide_key(message)), details)
            if fault := find_fault(data, shape):
                raise ValueError(fault)
        except ValueError as error:
            raise transport.broken(str(error)) from None
        return data  # type: ignore[no-any-return]  # the shapes are of objects

    def _error(self, refused: Refused, model: str) -> BackendError:
        message, details, where = refused.message, refused.details, self.base_url
        if refused.status in (401, 403):
            if read_key(self.key_variable, where):
                return KeyRefusedError(
                    f"{where} refuses the key in the environment variable {self.key_variable} "
                    f"({message}); set it to a key of this server."
                )
            return KeyRefusedError(
                f"{where} wants a key ({message}); set the environment variable "
                f"{self.key_variable} to it."
            )
        if refused.status == 402:
            return KeyRefusedError(
                f"{where} wants to be paid first ({message}); look at your account there, or "
                "choose another server."
            )
        if refused.status in BUSY:
            later = f" after {refused.wait_s:g} s" if refused.wait_s else " in a moment"
            return BackendBusyError(
                f"{where} has too many requests, or is loading its model ({message}); "
                f"try again{later}."
            )
        if _CONTEXT_FULL.search(details):
            return ContextOverflowError(
                f"Prompt and answer do not fit the context window of {model} ({message}); send "
                "less, ask for fewer tokens, or start the server with a longer context."
            )
        if _NO_TOOLS.search(details):
            return no_tools(model, message)
        if _NO_MODEL.search(details):
            return ModelNotFoundError(
                f"{where} does not have {printable(model)} ({message}); name a model that it has."
            )
        hint = ""
        if refused.status in (404, 405):
            hint = " Correct the server's URL if it has OpenAI's API elsewhere; most end in /v1."
        return BackendError(f"{where} gave an error ({message}); the server's log says more.{hint}")


def _is_of(refused: Refused, option: str) -> bool:
    """Whether the server does not take this option of a request."""
    named = re.search(rf"['\"`:] ?{option}\b", refused.details)
    return bool(refused.status in (400, 422) and named and _NOT_TAKEN.search(refused.details))


def no_tools(model: str, message: str) -> ToolsUnsupportedError:
    """The error for a model that takes no tools; `message` is the server's reason."""
    return ToolsUnsupportedError(
        f"{model} takes no tool definitions on this server ({message}); start the server with tool "
        f"calls and a model that has them, or {ToolsUnsupportedError.instead}."
    )


class _Key(httpx.Auth):
    """Sends the variable's current value, and stores it nowhere."""

    def __init__(self, variable: str, base_url: str) -> None:
        self._where = variable, base_url

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response]:
        if key := read_key(*self._where):
            request.headers["Authorization"] = f"Bearer {key}"
        yield request


def _message(data: Any) -> tuple[str, str]:
    """An error's message for a person, and all its words; servers nest them differently.

    Raises:
        ValueError: it is not an object.
    """
    if isinstance(data, list) and data:  # from Google
        data = data[0]
    if not isinstance(data, dict):
        raise ValueError("no object")
    error = data.get("error") or data
    if not isinstance(error, dict):
        return str(error), str(error)
    message = error.get("message") or error.get("detail") or error
    return str(message), f"{error.get('type')} {error.get('code')} {message}"
