"""An Ollama server through its official client: bounded, whole, and with errors in sentences.

An answer is a stream of JSON lines. It counts only once a line says `done`: a stream that stops
earlier looks just like a short answer. The client has no argument for `truncate` and `shift`,
without which the server silently cuts a long prompt. Its types also drop the ids of calls and most
keywords of a tool's schema. So the transport adds all these to the client's request.
"""

import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any, TypeVar

import httpx
import pydantic

from g2c.foreign_json import load_json
from g2c.inference.errors import (
    BackendBusyError,
    BackendError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    ToolsUnsupportedError,
)
from g2c.inference.served._ollama_address import full_name, without_password, without_settings
from g2c.inference.served._retry import Sleep, retrying
from g2c.inference.served._transport import Clock, Limits, Refused, Server, Transport, printable

with without_settings():  # the import makes a client, which no proxy that is set wrongly may end
    import ollama

CONNECT_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 32 * 2**20
"""A line of an answer takes about 130 bytes, and most lines hold one token: 250,000 tokens."""
MAX_LINE_BYTES = 2**20
"""A tool call is one line, with all that the model writes into a file. A server's description of a
model, licence included, is one line, too."""

LOADED_S = 2.0
"""Seconds for which the server's answer about the loaded window is reused."""

# "context deadline exceeded" is Go's word for a time-out, so "context" alone proves nothing.
_CONTEXT_FULL = re.compile(r"context (length|size|window|limit)", re.IGNORECASE)

_SMALLER = "choose a smaller model or a smaller num_ctx, or close other programs"
_CURES = {
    "memory": _SMALLER,
    "signal: killed": _SMALLER,
    "unable to load model": "pull the model again, or update Ollama",
    "invalid duration": "correct keep_alive, which is a time such as 10m",
}
"""By words of a server's error, what to do."""

T = TypeVar("T")
Ask = Callable[[ollama.Client], Iterable[T]]


def exchange(
    base_url: str,
    limits: Limits,
    ask: Ask[T],
    clock: Clock = time.monotonic,
    extra_fields: Mapping[str, Any] | None = None,
) -> Generator[T]:
    """Yield what `ask` gets from a client of the server at `base_url`.

    Raises:
        Refused: the server gave an error.
        BackendError: there is no answer, or it is not Ollama's; the message says what came.
    """
    transport = Transport(_server(base_url), limits, clock, extra_fields)
    try:
        made = ollama.Client(base_url, transport=transport, follow_redirects=False, trust_env=False)
    except (httpx.InvalidURL, ValueError) as error:
        raise _no_address(base_url, error) from None
    with made as client:
        answers: Iterator[T] | None = None
        while True:
            try:
                answers = answers or iter(ask(client))
                one = next(answers, None)
            except ollama.ResponseError as error:
                message = _error_message(str(error.error))
                if error.status_code == 404 and not transport.newest.startswith(b"{"):
                    raise transport.broken("status 404") from None
                raise Refused(error.status_code, printable(message), message) from None
            except pydantic.ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                where = ".".join(map(str, first["loc"]))
                raise transport.broken(f"{where}: {first['msg']}") from None
            except (AttributeError, RecursionError, TypeError, ValueError) as error:
                # The client raises this if a line is not an object.
                raise transport.broken(str(error)) from None
            if one is None:
                return
            yield one


def server_version(base_url: str) -> str:
    """The version of the Ollama server there; raises as `exchange` does."""
    transport = Transport(_server(base_url), Limits(CONNECT_TIMEOUT_S, 5.0, 5.0, MAX_LINE_BYTES))
    with httpx.Client(transport=transport, trust_env=False) as client:
        try:
            return printable(str(client.get(f"{base_url}/api/version").json()["version"]))
        except httpx.InvalidURL as error:
            raise _no_address(base_url, error) from None
        except (KeyError, TypeError, ValueError):
            raise transport.broken("no version") from None


def _no_address(base_url: str, error: Exception) -> BackendError:
    why = f"{base_url} is not an address ({printable(str(error))}); correct OLLAMA_HOST."
    return BackendError(without_password(why))


def _server(base_url: str) -> Server:
    return Server(base_url, "an Ollama server", "OLLAMA_HOST", "start Ollama with `ollama serve`")


def _error_message(text: str) -> str:
    """The message of an error; the runner's own error is JSON in the JSON of the server's.

    >>> _error_message('{"error": {"code": 400, "message": "it is too long"}}')
    'it is too long'
    """
    try:
        error = load_json(text)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (KeyError, TypeError, ValueError):
        return text.strip()


class OllamaServer:
    """One model on one server, for any number of threads.

    `timeout` is the longest silence and `deadline` the longest answer, in seconds by `clock`.
    `sleep` waits so many seconds if the server is busy.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        timeout: float,
        deadline: float,
        clock: Clock = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self.base_url = base_url
        self._model = model
        self._limits = Limits(
            CONNECT_TIMEOUT_S, timeout, deadline, MAX_ANSWER_BYTES, MAX_LINE_BYTES
        )
        self._clock = clock
        self._sleep = sleep
        self._loaded: tuple[float, int | None] = float("-inf"), None
        self._shown: ollama.ShowResponse | None = None
        self._show_lock = threading.Lock()

    def stream(
        self, raw: bool, body: Mapping[str, Any]
    ) -> Iterator[ollama.ChatResponse | ollama.GenerateResponse]:
        """Send `body`, to `/api/generate` if it is `raw`, else to `/api/chat`. Yield every line of
        the answer as it comes; the last says `done`."""

        def ask(client: ollama.Client) -> Iterable[ollama.ChatResponse | ollama.GenerateResponse]:
            if raw:
                return client.generate(self._model, stream=True)
            return client.chat(self._model, stream=True)

        with closing(self._asked(ask, body)) as lines:
            for line in lines:
                yield line
                if line.done:
                    return
        raise BrokenStreamError(
            f"The answer of {self._model} broke off before Ollama said that it was done; "
            "try again, and look at the server's log if it comes back."
        )

    def show(self) -> ollama.ShowResponse:
        """Return the server's description of the model; only the first call asks for it."""
        with self._show_lock:
            if self._shown is None:
                (self._shown,) = self._asked(lambda client: [client.show(self._model)])
            return self._shown

    def digest(self) -> str:
        """The digest by which the server identifies the model's files; "" if it lists none."""
        (listed,) = self._asked(lambda client: [client.list()])
        name = full_name(self._model)
        found = (model for model in listed.models if full_name(model.model or "") == name)
        return next((model.digest or "" for model in found), "")

    def loaded_context(self) -> int | None:
        """The context window, in tokens, with which the model is loaded; None if it is not loaded,
        or the server is too old to report it."""
        asked_at, context = self._loaded
        if (now := self._clock()) < asked_at + LOADED_S:
            return context
        try:
            (running,) = self._asked(lambda client: [client.ps()])
        except BrokenStreamError:
            models = {}
        else:
            models = {full_name(model.model or model.name or ""): model for model in running.models}
        found = models.get(full_name(self._model))
        self._loaded = now, found.context_length if found else None
        return self._loaded[1]

    def was_loaded(self, context: int) -> None:
        """Note that the model has answered with this context window."""
        self._loaded = self._loaded[0], context

    def _asked(self, ask: Ask[T], body: Mapping[str, Any] | None = None) -> Generator[T]:
        def begin() -> Generator[T]:
            return exchange(self.base_url, self._limits, ask, self._clock, body)

        try:
            yield from retrying(begin, self._sleep)
        except Refused as refused:
            raise self._refusal(refused) from None

    def _refusal(self, refused: Refused) -> BackendError:
        message = refused.message
        if refused.status == 503 or "server busy" in message:
            return BackendBusyError(
                f"Ollama has too many requests ({message}); try again in a moment."
            )
        if _CONTEXT_FULL.search(message):
            return ContextOverflowError(
                f"The prompt does not fit the context window of {self._model} ({message}); send "
                "less"
            )
        if "does not support tools" in message:
            return ToolsUnsupportedError(
                f"{self._model} takes no tool definitions ({message}); choose a model whose "
                f"`ollama show` lists tools, or {ToolsUnsupportedError.instead}."
            )
        if "model " in message and "not found" in message:
            return ModelNotFoundError(
                f"Ollama at {self.base_url} has no model {self._model}; get it with "
                f"`ollama pull {self._model}`."
            )
        cures = (cure for cause, cure in _CURES.items() if cause in message)
        cure = next(cures, "the server's log says more")
        return BackendError(f"Ollama at {self.base_url} gave an error ({message}); {cure}.")
