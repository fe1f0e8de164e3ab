"""The way to an Ollama server and back: its address, one POST, and what can go wrong on the way.

An answer is a stream of JSON lines, and the idea to take away is that it counts only once a line
says `done`: a stream that stops earlier looks just like a short answer.
"""

from __future__ import annotations

import ipaddress
import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from g2c.inference.errors import (
    BackendBusyError,
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    ToolsUnsupportedError,
)

if TYPE_CHECKING:
    import requests

T = TypeVar("T")

CONNECT_TIMEOUT_S = 5.0

# "context deadline exceeded" is Go's word for a time-out, so "context" alone proves nothing.
_CONTEXT_FULL = re.compile(r"context (length|size|window|limit)", re.IGNORECASE)
_NO_SUCH_MODEL = re.compile(r"model .*not found", re.IGNORECASE)


def base_url_from(host: str | None) -> str:
    """Return the URL that a value of `OLLAMA_HOST` means to Ollama's own client, without a last /.

    Follows `Host` in Ollama's `envconfig/config.go`. Where a server is told to listen on every
    interface, a client on the same machine uses the loopback one.

    >>> base_url_from(None)
    'http://127.0.0.1:11434'
    >>> base_url_from("0.0.0.0:8080")
    'http://127.0.0.1:8080'
    >>> base_url_from("https://models.example/ollama/")
    'https://models.example:443/ollama'
    >>> base_url_from(" '[::1]:no-port' ")
    'http://[::1]:11434'
    """
    text = (host or "").strip().strip("\"'").strip()
    scheme, found, rest = text.partition("://")
    if not found:
        scheme, rest = "http", text
    default_port = {"http": "80", "https": "443"}.get(scheme, "11434") if found else "11434"
    place, _, path = rest.partition("/")
    name, port = _split_port(place)
    if not (port.isdecimal() and int(port) <= 65535):
        port = default_port
    name = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    if ":" in name:
        name = f"[{name}]"
    return f"{scheme}://{name}:{port}/{path}".rstrip("/")


def _split_port(place: str) -> tuple[str, str]:
    if place.startswith("[") or place.count(":") > 1:  # IPv6, which needs no brackets alone
        name, _, rest = place.removeprefix("[").partition("]")
        return name, rest.removeprefix(":")
    name, _, port = place.partition(":")
    return name, port


def is_loopback(url: str) -> bool:
    """Say whether `url` is on this machine.

    >>> is_loopback("http://[::1]:11434"), is_loopback("http://models.example:80")
    (True, False)
    """
    try:
        name = urlsplit(url).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class OllamaServer:
    """One model on one server, for any number of threads.

    `timeout` is the longest silence in seconds, not the length of an answer.
    """

    def __init__(self, base_url: str, model: str, timeout: float) -> None:
        self.base_url = base_url
        self._model = model
        self._timeout = timeout
        self._shown: Mapping[str, Any] | None = None
        self._show_lock = threading.Lock()

    def stream(self, path: str, body: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Send `body` and return every line of the answer; the last says `done`."""
        return self._post(path, body, lambda response: self._read(response.iter_lines()))

    def show(self) -> Mapping[str, Any]:
        """Return what the server knows of the model; it is asked once."""
        with self._show_lock:
            if self._shown is None:
                self._shown = self._post("/api/show", {}, lambda response: response.json())
            return self._shown

    def _post(
        self, path: str, body: Mapping[str, Any], read: Callable[[requests.Response], T]
    ) -> T:
        import requests

        try:
            # A session is not promised to be thread-safe, and a connection kept open may be stale
            # by the next call; a new one to this machine costs less than a token.
            with requests.Session() as session:
                session.trust_env = not is_loopback(self.base_url)  # no proxy leads back here
                # Leaving this block early, Ctrl-C included, hangs up: the server stops generating.
                with session.post(
                    self.base_url + path,
                    json={"model": self._model, **body},
                    stream=True,
                    timeout=(CONNECT_TIMEOUT_S, self._timeout),
                ) as response:
                    if not response.ok:
                        raise self._refusal(response.status_code, response.content)
                    return read(response)
        except requests.RequestException as error:
            raise self._failure(error) from None

    def _read(self, lines: Iterable[bytes]) -> list[dict[str, Any]]:
        chunks = []
        for line in filter(None, lines):
            try:
                chunk = json.loads(line)
            except ValueError:
                chunk = None
            if not isinstance(chunk, dict):
                raise BrokenStreamError(
                    f"{self.base_url} sent a line that is not a JSON object: {line[:80]!r}; "
                    "check that OLLAMA_HOST is the address of an Ollama server."
                )
            if "error" in chunk:
                raise self._refusal(200, line)
            chunks.append(chunk)
            if chunk.get("done"):
                return chunks
        raise BrokenStreamError(
            f"The answer of {self._model} broke off before Ollama said that it was done; "
            "try again, and look at the server's log if it comes back."
        )

    def _refusal(self, status: int, body: bytes) -> BackendError:
        """Return the error for what the server said, whether by status or within a stream."""
        try:
            said = str(json.loads(body)["error"])
        except (ValueError, TypeError, KeyError):
            said = f"{status} {body[:200].decode(errors='replace').strip()}"
        if status == 503 or "server busy" in said:
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
        if _NO_SUCH_MODEL.search(said):
            return ModelNotFoundError(
                f"Ollama at {self.base_url} has no model {self._model}; get it with "
                f"`ollama pull {self._model}`."
            )
        return BackendError(
            f"{self.base_url} gave an error ({said}); the server's log says more. If this is not "
            "an Ollama server, correct OLLAMA_HOST."
        )

    def _failure(self, error: requests.RequestException) -> BackendError:
        """Return the error for a request that got no whole answer."""
        import requests
        from urllib3.exceptions import ProtocolError, ReadTimeoutError

        # In the middle of a stream requests calls a silence and a cut by other names than before
        # it; what urllib3 called them is in both.
        cause = error.args[0] if error.args else None
        if isinstance(cause, ReadTimeoutError):
            return BackendTimeoutError(
                f"Ollama at {self.base_url} was silent for {self._timeout:g} s; {self._model} may "
                "still be loading: try again, or pass a larger timeout."
            )
        if isinstance(cause, ProtocolError):
            return BrokenStreamError(
                f"Ollama at {self.base_url} hung up before its answer was whole ({cause}); "
                "try again, and look at the server's log if it comes back."
            )
        if isinstance(error, requests.ConnectionError):
            return BackendUnreachableError(
                f"Nothing answers at {self.base_url}; start Ollama with `ollama serve`, or set "
                "OLLAMA_HOST to the address where it runs."
            )
        return BackendError(
            f"The request to {self.base_url} failed ({error}); check that OLLAMA_HOST is the "
            "address of an Ollama server."
        )
