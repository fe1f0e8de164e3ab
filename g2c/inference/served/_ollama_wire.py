"""What goes to an Ollama server and what comes back: bounded, checked, and whole.

An answer is a stream of JSON lines. It counts only once a line says `done`: a stream that stops
earlier looks just like a short answer. Every line is checked against its schema
(`_ollama_shapes.py`), so that what reads it need not ask.

Ollama's own client is not used. It cannot send `truncate` and `shift`, without which the server
cuts a long prompt and says nothing; it does not notice a stream that stopped early; and it puts no
bound on what a server sends.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

from g2c.foreign_json import load_json
from g2c.inference.errors import (
    BackendBusyError,
    BackendError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    ToolsUnsupportedError,
)
from g2c.inference.served._bounded_http import Answer, Clock, Limits, Server, exchange, printable
from g2c.inference.served._ollama_shapes import REPLY_LINE, SHOW
from g2c.inference.structured.json_forms import find_fault

CONNECT_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 32 * 2**20
"""A line of an answer takes about 130 bytes, and most lines hold one token: 250,000 tokens."""
MAX_LINE_BYTES = 2**20
"""A call of a tool is one line, with all that the model writes into a file. What a server tells of
a model, its licence included, is also read as one line."""
MAX_REFUSAL_BYTES = 64 * 2**10

# "context deadline exceeded" is Go's word for a time-out, so "context" alone proves nothing.
_CONTEXT_FULL = re.compile(r"context (length|size|window|limit)", re.IGNORECASE)


class Refused(Exception):
    """The server gave an error, by its status or in its answer; `said` has 300 characters at
    most."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(status, said)
        self.status = status
        self.said = said


def read_lines(
    base_url: str,
    path: str,
    body: Mapping[str, Any],
    shape: Mapping[str, Any],
    limits: Limits,
    clock: Clock = time.monotonic,
) -> Iterator[dict[str, Any]]:
    """POST `body` and give the objects of the answer's lines, each as it comes.

    Raises:
        Refused: the server gave an error.
        BackendError: there is no answer, or it is not of that shape; the message says what came.
    """
    with exchange(_server(base_url), path, body, limits, clock=clock) as answer:
        _check_status(answer)
        while line := answer.readline(MAX_LINE_BYTES + 1):
            if line.strip():
                yield _parse(base_url, answer.status, line, shape)


def read_object(
    base_url: str,
    path: str,
    body: Mapping[str, Any] | None,
    shape: Mapping[str, Any],
    limits: Limits,
    clock: Clock = time.monotonic,
) -> dict[str, Any]:
    """GET `path`, or POST `body` to it, and return the one object of the answer; raises as
    `read_lines` does."""
    with exchange(_server(base_url), path, body, limits, clock=clock) as answer:
        _check_status(answer)
        return _parse(base_url, answer.status, answer.read(MAX_LINE_BYTES + 1), shape)


def _server(base_url: str) -> Server:
    return Server(base_url, "an Ollama server", "OLLAMA_HOST", "start Ollama with `ollama serve`")


def _check_status(answer: Answer) -> None:
    if answer.status == 200:
        return
    sent = answer.read(MAX_REFUSAL_BYTES)
    try:
        said = str(load_json(sent.decode())["error"])
    except (ValueError, TypeError, KeyError):
        said = f"{answer.status} {sent.decode(errors='replace').strip()}"
    raise Refused(answer.status, printable(said))


def _parse(base_url: str, status: int, text: bytes, shape: Mapping[str, Any]) -> dict[str, Any]:
    try:
        if len(text) > MAX_LINE_BYTES:
            raise ValueError(f"it is longer than {MAX_LINE_BYTES:,} bytes")
        data = load_json(text.decode())
        if isinstance(data, dict) and "error" in data:
            raise Refused(status, printable(str(data["error"])))
        if fault := find_fault(data, shape):
            raise ValueError(fault)
    except ValueError as error:
        raise BrokenStreamError(
            f"{base_url} sent what Ollama does not send ({printable(str(error))}). It begins: "
            f"{text[:80]!r}. Check that OLLAMA_HOST is the address of an Ollama server."
        ) from None
    return data  # type: ignore[no-any-return]  # the shapes are of objects


class OllamaServer:
    """One model on one server, for any number of threads.

    `timeout` is the longest silence and `deadline` the longest answer, in seconds by `clock`.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        timeout: float,
        deadline: float,
        clock: Clock = time.monotonic,
    ) -> None:
        self.base_url = base_url
        self._model = model
        self._limits = Limits(CONNECT_TIMEOUT_S, timeout, deadline, MAX_ANSWER_BYTES)
        self._clock = clock
        self._shown: Mapping[str, Any] | None = None
        self._show_lock = threading.Lock()

    def stream(self, path: str, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Send `body` and give every line of the answer as it comes; the last says `done`."""
        asked = {"model": self._model, **body}
        try:
            for line in read_lines(
                self.base_url, path, asked, REPLY_LINE, self._limits, self._clock
            ):
                yield line
                if line.get("done"):
                    return
        except Refused as refused:
            raise self._refusal(refused) from None
        raise BrokenStreamError(
            f"The answer of {self._model} broke off before Ollama said that it was done; "
            "try again, and look at the server's log if it comes back."
        )

    def show(self) -> Mapping[str, Any]:
        """Return what the server knows of the model; only the first call asks it."""
        with self._show_lock:
            if self._shown is None:
                asked = {"model": self._model}
                try:
                    self._shown = read_object(
                        self.base_url, "/api/show", asked, SHOW, self._limits, self._clock
                    )
                except Refused as refused:
                    raise self._refusal(refused) from None
            return self._shown

    def _refusal(self, refused: Refused) -> BackendError:
        said = refused.said
        if refused.status == 503 or "server busy" in said:
            return BackendBusyError(
                f"Ollama has more requests than it takes ({said}); try again in a moment."
            )
        if _CONTEXT_FULL.search(said):
            return ContextOverflowError(
                f"The prompt does not fit the context window of {self._model} ({said}); "
                "send less, or pass a larger num_ctx."
            )
        if "does not support tools" in said:
            return ToolsUnsupportedError(
                f"{self._model} takes no tool definitions ({said}); choose a model whose "
                "`ollama show` lists tools, or use g2c.agent.Agent, which needs only text."
            )
        if "model " in said and "not found" in said:
            return ModelNotFoundError(
                f"Ollama at {self.base_url} has no model {self._model}; get it with "
                f"`ollama pull {self._model}`."
            )
        return BackendError(
            f"{self.base_url} gave an error ({said}); the server's log says more. If this is not "
            "an Ollama server, correct OLLAMA_HOST."
        )
