"""What goes to a server with OpenAI's API and what comes back: bounded, checked, and whole.

An answer is a stream of events, a line each: `data: {...}`, and at the end `data: [DONE]`. It
counts only once an event says why it ended; a stream that stops earlier looks just like a short
answer. Every event is checked against its schema (`_openai_shapes.py`), so that what reads it need
not ask.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

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
from g2c.inference.served._bounded_http import Answer, Clock, Limits, Server, exchange, printable
from g2c.inference.served._openai_address import read_key, without_key
from g2c.inference.served._openai_shapes import CHUNK, MODELS, PROPS
from g2c.inference.served._retry import MAX_WAIT_S, next_wait, wait_asked_for
from g2c.inference.structured.json_forms import find_fault

CONNECT_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 64 * 2**20
"""An event takes about 250 bytes, and most events hold one token: 250,000 tokens."""
MAX_LINE_BYTES = 2**20
MAX_IDLE_LINES = 10_000
"""Blank lines and comments between two events."""
LIST_DEADLINE_S = 30.0
"""For what takes no model: the list of models, and what the server says of itself."""
MAX_REFUSAL_BYTES = 64 * 2**10

_BUSY = (429, 503)
_CONTEXT_FULL = re.compile(
    r"context.(length|size|window|limit)|maximum model length|max_model_len", re.IGNORECASE
)
_NO_TOOLS = re.compile(
    r"not support tools|tool choice requires|enable-auto-tool-choice|tools param requires",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"\bmodel\b.*(not found|not exist|no such)|no such model|model_not_found", re.IGNORECASE
)
_TITLE = re.compile(r"<title>\s*(.{1,100}?)\s*</title>", re.IGNORECASE | re.DOTALL)

Sleep = Callable[[float], object]


class _Refused(Exception):
    """The server gave an error: `said` is what to show of it, `why` all in which to look for the
    cause. `wait_s` is how long it asks to wait, in seconds, or None."""

    def __init__(self, status: int, said: str, why: str, wait_s: float | None = None) -> None:
        super().__init__(status, said)
        self.status = status
        self.said = said
        self.why = why
        self.wait_s = wait_s


@dataclass(frozen=True)
class ServedModel:
    """A model in a server's list: `n_ctx` is its context in tokens, if the server tells."""

    name: str
    aliases: tuple[str, ...]
    n_ctx: int | None
    owner: str

    def is_called(self, name: str) -> bool:
        """Whether the server means this model by `name`."""
        return name in (self.name, self.name.removesuffix(":latest"), *self.aliases)


class OpenAIServer:
    """A server, for any number of threads.

    `timeout` is the longest silence and `deadline` the longest answer, in seconds by `clock`.
    `sleep` waits so many seconds where the server is busy, `MAX_WAIT_S` in all for a call.
    `key_variable` names the variable of the environment that may hold a key.
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
        self._limits = Limits(CONNECT_TIMEOUT_S, timeout, deadline, MAX_ANSWER_BYTES)
        quick = min(timeout, LIST_DEADLINE_S), min(deadline, LIST_DEADLINE_S)
        self._quick = Limits(CONNECT_TIMEOUT_S, *quick, 2 * MAX_LINE_BYTES)
        self._clock = clock
        self._sleep = sleep
        self._models: dict[str, ServedModel] = {}
        self._no_tools: bool | None = None
        self._lock = threading.Lock()

    def models(self) -> tuple[ServedModel, ...]:
        """The server's models, as it lists them now."""
        try:
            listed = self._get(self.base_url, "/models", MODELS)["data"]
        except _Refused as refused:
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

        Some servers answer with the model that they have, whatever the name in a request. So the
        list is what tells.

        Raises:
            ModelNotFoundError: the server does not list it; names those that it lists.
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
        """Whether the server would take tools and leave them out of the prompt without a word.

        llama.cpp does so where the model's chat template has no place for them, and tells in
        `/props`. Other servers refuse.
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
                except (_Refused, BackendError):
                    pass  # a proxy may hide it; if nobody answers, the next request tells
            return self._no_tools

    def stream(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send `body` and give every event of the answer as it comes.

        Raises:
            BackendError: there is no whole answer; says what to do.
        """
        finished = False
        try:
            with self._accepted(path, body) as answer:
                for event in self._events(answer):
                    finished = finished or any(
                        choice.get("finish_reason") for choice in event["choices"]
                    )
                    yield event
        except _Refused as refused:
            raise self._error(refused, str(body["model"])) from None
        if not finished:
            raise BrokenStreamError(
                f"The answer of {body['model']} broke off before {self.base_url} said why it "
                "ended; try again, and look at the server's log if it comes back."
            )

    def hide_key(self, text: str) -> str:
        """`text` without the key, should the server have repeated it."""
        return without_key(text, self.key_variable)

    @contextmanager
    def _accepted(self, path: str, body: Mapping[str, Any]) -> Iterator[Answer]:
        """POST `body`, again and again while the server is busy, and lend the answer that is
        none of a refusal."""
        waited, tries = 0.0, 0
        while True:
            tries += 1
            with self._exchange(self.base_url, path, body, self._limits) as answer:
                refused = self._refusal(answer)
                if refused is None:
                    yield answer
                    return
            wait = None
            if refused.status in _BUSY:
                wait = next_wait(refused.wait_s, tries, MAX_WAIT_S - waited)
            if wait is None:
                raise refused
            self._sleep(wait)
            waited += wait

    def _get(self, base_url: str, path: str, shape: Mapping[str, Any]) -> dict[str, Any]:
        with self._exchange(base_url, path, None, self._quick) as answer:
            if refused := self._refusal(answer):
                raise refused
            return self._parse(answer.status, answer.read(MAX_LINE_BYTES + 1), shape)

    def _exchange(
        self, base_url: str, path: str, body: Mapping[str, Any] | None, limits: Limits
    ) -> AbstractContextManager[Answer]:
        server = Server(
            base_url, "a server with OpenAI's API", "the server's URL", "start the server"
        )
        key = partial(read_key, self.key_variable, base_url)
        return exchange(server, path, body, limits, read_key=key, clock=self._clock)

    def _events(self, answer: Answer) -> Iterator[dict[str, Any]]:
        idle = 0
        while line := answer.readline(MAX_LINE_BYTES + 1):
            kind, _, data = line.partition(b":")
            if len(line) <= MAX_LINE_BYTES:
                if not line.strip() or kind in (b"", b"event", b"id", b"retry"):
                    # Between two events, a comment, or what OpenAI's API has no use for.
                    idle += 1
                    if idle > MAX_IDLE_LINES:
                        raise self._broken(line, f"{MAX_IDLE_LINES:,} lines without an event")
                    continue
                if kind == b"data" and data.strip() == b"[DONE]":
                    return
            idle = 0
            if kind != b"data":
                # An error may come as plain JSON with the status of a success; nothing else may.
                self._parse(answer.status, line, CHUNK)
                raise self._broken(line, "it is no stream of events")
            yield self._parse(answer.status, data, CHUNK)

    def _refusal(self, answer: Answer) -> _Refused | None:
        """What the server refused with, or None if it did not."""
        if answer.status == 200:
            return None
        sent = answer.read(MAX_REFUSAL_BYTES)
        try:
            said, why = _message(load_json(sent.decode()))
        except ValueError:
            text = sent.decode(errors="replace").strip()
            if text.startswith("<"):
                title = _TITLE.search(text)
                text = "a web page" + (f", {title[1]!r}" if title else "")
            said = why = text
        wait_s = wait_asked_for(answer.header("Retry-After"), answer.header("Date"))
        said = printable(self.hide_key(f"{answer.status} {said}".strip()))
        return _Refused(answer.status, said, why[:MAX_REFUSAL_BYTES], wait_s)

    def _parse(self, status: int, text: bytes, shape: Mapping[str, Any]) -> dict[str, Any]:
        try:
            if len(text) > MAX_LINE_BYTES:
                raise ValueError(f"it is longer than {MAX_LINE_BYTES:,} bytes")
            data = load_json(text.decode())
            if isinstance(data, dict) and data.get("error") is not None:
                said, why = _message(data)
                raise _Refused(status, printable(self.hide_key(said)), why)
            if fault := find_fault(data, shape):
                raise ValueError(fault)
        except ValueError as error:
            raise self._broken(text, str(error)) from None
        return data  # type: ignore[no-any-return]  # the shapes are of objects

    def _broken(self, sent: bytes, fault: str) -> BrokenStreamError:
        begins = self.hide_key(sent[:300].decode(errors="replace").strip())[:80]
        return BrokenStreamError(
            f"{self.base_url} sent what no server with OpenAI's API sends "
            f"({printable(self.hide_key(fault))}). It begins: {begins!a}. Check the server's URL."
        )

    def _error(self, refused: _Refused, model: str) -> BackendError:
        said, why, where = refused.said, refused.why, self.base_url
        if refused.status in (401, 403):
            if read_key(self.key_variable, where):
                return KeyRefusedError(
                    f"{where} refuses the key in the environment variable {self.key_variable} "
                    f"({said}); set it to a key of this server."
                )
            return KeyRefusedError(
                f"{where} wants a key ({said}); set the environment variable "
                f"{self.key_variable} to it."
            )
        if refused.status in _BUSY:
            later = f" after {refused.wait_s:g} s" if refused.wait_s else " in a moment"
            return BackendBusyError(
                f"{where} has more requests than it takes, or is loading its model ({said}); try "
                f"again{later}."
            )
        if _CONTEXT_FULL.search(why):
            return ContextOverflowError(
                f"Prompt and answer do not fit the context window of {model} ({said}); send less, "
                "ask for fewer tokens, or start the server with a longer context."
            )
        if _NO_TOOLS.search(why):
            return no_tools(model, said)
        if _NO_MODEL.search(why):
            return ModelNotFoundError(
                f"{where} does not have {printable(model)} ({said}); name a model that it has."
            )
        return BackendError(
            f"{where} gave an error ({said}); the server's log says more. If it does not have "
            "OpenAI's API there, correct the server's URL; most end in /v1."
        )


def no_tools(model: str, said: str) -> ToolsUnsupportedError:
    """The error for a model that takes no tools; `said` is the server's reason."""
    return ToolsUnsupportedError(
        f"{model} takes no tool definitions on this server ({said}); start the server with tool "
        "calls and a model that has them, or use g2c.agent.Agent, which needs only text."
    )


def _message(data: Any) -> tuple[str, str]:
    """What an error says to a person, and all its words; servers nest them in different ways.

    Raises:
        ValueError: it is no object.
    """
    if not isinstance(data, dict):
        raise ValueError("no object")
    error = data.get("error") or data
    if not isinstance(error, dict):
        return str(error), str(error)
    said = error.get("message") or error.get("detail") or error
    return str(said), f"{error.get('type')} {error.get('code')} {said}"
