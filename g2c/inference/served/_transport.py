"""HTTP to a server that may be broken or hostile, bounded in time and in bytes.

The clients of both kinds of servers (`ollama`, `httpx`) take a transport, and this is it. `httpx`
alone bounds only the time between two bytes, so a server that sends a byte now and then can block
it for ever. Here the bounds are in the network stream below HTTP, so they include headers.
Redirects are not followed, because they could send a prompt to somebody else. Compressed answers
are not decompressed, because a few bytes could become gigabytes.
"""

import json
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from g2c.inference.errors import (
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
)
from g2c.inference.served._openai_address import is_loopback
from g2c.text import short_reason
from g2c.visible import visible

Clock = Callable[[], float]

_LINE_ENDS = {b"\xc2\x85": rb"\u0085", b"\xe2\x80\xa8": rb"\u2028", b"\xe2\x80\xa9": rb"\u2029"}
"""Characters that JSON text may have, but at which `httpx` ends a line."""


MAX_IDLE_LINES = 10_000
"""The most blank lines or comments in a row."""


@dataclass(frozen=True)
class Limits:
    """The limits of one exchange: `connect_s` to reach the server, `silence_s` between two bytes,
    `deadline_s` and `max_bytes` in all, `max_line_bytes` in a line of the answer."""

    connect_s: float
    silence_s: float
    deadline_s: float
    max_bytes: int
    max_line_bytes: int = 2**20


@dataclass(frozen=True)
class Server:
    """A server's address, and words for errors: `kind` is what it should be, `setting` where its
    address is set, `start` how it is started."""

    base_url: str
    kind: str
    setting: str
    start: str


class Refused(Exception):
    """The server gave an error: `message` is the part to show, `details` the whole text to search
    for the cause. `wait_s` is how long it asks to wait, in seconds, or None."""

    def __init__(
        self, status: int, message: str, details: str, wait_s: float | None = None
    ) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message
        self.details = details
        self.wait_s = wait_s


class Transport(httpx.BaseTransport):
    """Sends requests to one server; each has its own connection and its own bounds. Closing an
    answer early, also by Ctrl-C, closes the connection: the server then stops. Outside this machine
    the environment's proxies are used. `extra_fields` are added to the JSON of each request: what
    the client has no argument for. `newest` is the newest line of the answer, for an error that
    quotes it; `hide` takes a secret out of what is quoted.

    Raises:
        BackendError: no answer comes, it exceeds a limit (also while it is read), is compressed, or
            is a redirect; the message says what to do.
    """

    def __init__(
        self,
        server: Server,
        limits: Limits,
        clock: Clock = time.monotonic,
        extra_fields: Mapping[str, Any] | None = None,
        hide: Callable[[str], str] = str,
    ) -> None:
        self.newest = b""
        self._server = server
        self._limits = limits
        self._clock = clock
        self._extra_fields = extra_fields
        self._hide = hide

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        headers = {**request.headers, "accept-encoding": "identity", "connection": "close"}
        content = request.read()
        if self._extra_fields:
            content = as_json({**json.loads(content), **self._extra_fields})
            headers["content-length"] = str(len(content))
        secure = request.url.scheme == "https"
        pool = httpcore.ConnectionPool(
            ssl_context=ssl.create_default_context() if secure else None,
            proxy=_proxy(self._server.base_url),
            network_backend=_Network(self._server, self._limits, self._clock),
        )
        url = request.url
        hint = "" if secure else " If it has a certificate, its address begins with https://."
        with self._sentences(hint):
            answer = pool.handle_request(
                httpcore.Request(
                    request.method,
                    httpcore.URL(
                        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                    ),
                    headers=list(headers.items()),
                    content=content,
                )
            )
        response = httpx.Response(
            answer.status, headers=answer.headers, stream=_Lines(self._lines(answer), answer)
        )
        self._check(response)
        return response

    def _lines(self, answer: httpcore.Response) -> Iterator[bytes]:
        """The non-blank lines of the answer."""
        parts: list[bytes] = []
        size = idle = 0
        with self._sentences():
            for piece in answer.iter_stream():
                *ended, rest = piece.split(b"\n")
                for line in ended:
                    parts.append(line)
                    yield from self._line(parts)
                    parts, size = [], 0
                    idle = 0 if line else idle + 1
                    if idle > MAX_IDLE_LINES:
                        raise self.broken(f"{MAX_IDLE_LINES:,} lines in which nothing stands")
                parts.append(rest)
                size += len(rest)
                if size > self._limits.max_line_bytes:
                    break
            yield from self._line(parts)

    def _line(self, parts: list[bytes]) -> Iterator[bytes]:
        line = b"".join(parts)
        if not line.strip():
            return
        self.newest = line
        if len(line) > self._limits.max_line_bytes:
            raise self.broken(f"a line is longer than {self._limits.max_line_bytes:,} bytes")
        for end, escaped in _LINE_ENDS.items():
            line = line.replace(end, escaped)
        yield line + b"\n"

    def broken(self, fault: str) -> BrokenStreamError:
        """The error for an answer that this `kind` of server does not send."""
        server, hide = self._server, self._hide
        begins = hide(self.newest[:300].decode(errors="replace").strip())[:80]
        return BrokenStreamError(
            f"{server.base_url} sent what {server.kind} does not send ({printable(hide(fault))}). "
            f"It begins: {begins!a}. Check that {server.setting} is the address of {server.kind}."
        )

    def _check(self, response: httpx.Response) -> None:
        server = self._server
        if 300 <= response.status_code < 400:
            response.close()
            raise BackendError(
                f"{server.base_url} redirects to "
                f"{response.headers.get('Location')!r:.200}. A prompt goes only to the address "
                f"that you named; set {server.setting} to the other one if you trust it."
            )
        packed = response.headers.get("Content-Encoding", "identity")
        if packed != "identity":
            response.close()
            raise BrokenStreamError(
                f"{server.base_url} packed its answer ({packed!r:.200}), which was not requested; "
                f"check that {server.setting} is the address of {server.kind}."
            )

    @contextmanager
    def _sentences(self, hint: str = "") -> Iterator[None]:
        server = self._server
        try:
            yield
        except (httpcore.UnsupportedProtocol, httpcore.LocalProtocolError) as error:
            raise BackendError(
                f"{server.base_url} is not an address ({printable(short_reason(error))}); correct "
                f"{server.setting}."
            ) from None
        except (httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.ProxyError) as error:
            way = " by way of the environment's proxy" if _proxy(server.base_url) else ""
            raise BackendUnreachableError(
                f"Nothing answers at {visible(server.base_url)}{way} "
                f"({printable(short_reason(error))}); {server.start}, or set "
                f"{server.setting} to the address where it runs."
            ) from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            raise BrokenStreamError(
                f"{server.base_url} hung up before its answer was whole, or broke the rules of "
                f"HTTP ({printable(short_reason(error)) or type(error).__name__}); try again, and "
                "look at the server's log if it comes back." + hint
            ) from None


@dataclass(frozen=True)
class _Lines(httpx.SyncByteStream):
    """An answer's lines, as `httpx` reads them."""

    lines: Iterator[bytes]
    answer: httpcore.Response

    def __iter__(self) -> Iterator[bytes]:
        return self.lines

    def close(self) -> None:
        self.answer.close()


class _Network(httpcore.SyncBackend):
    """Opens bounded connections."""

    def __init__(self, server: Server, limits: Limits, clock: Clock) -> None:
        self._bounds = server, limits, clock

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        _, limits, clock = self._bounds
        until = clock() + limits.deadline_s
        stream = super().connect_tcp(host, port, limits.connect_s, local_address, socket_options)
        return _Stream(stream, *self._bounds, until)


class _Stream(httpcore.NetworkStream):
    """A connection that counts the bytes read from it, and checks the time."""

    def __init__(
        self,
        stream: httpcore.NetworkStream,
        server: Server,
        limits: Limits,
        clock: Clock,
        until: float,
    ) -> None:
        self._stream = stream
        self._bounds = server, limits, clock, until
        self._bytes = 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        server, limits, clock, until = self._bounds
        left = until - clock()
        if left <= 0:
            raise self._too_long()
        try:
            data = self._stream.read(max_bytes, min(left, limits.silence_s))
        except httpcore.ReadTimeout:
            if left <= limits.silence_s:
                raise self._too_long() from None
            raise BackendTimeoutError(
                f"{server.base_url} was silent for {limits.silence_s:g} s. It may be loading its "
                "model, or be busy with other requests: wait for them, or pass a larger timeout."
            ) from None
        if clock() > until:  # a busy machine reads late, and then much at once
            raise self._too_long()
        self._bytes += len(data)
        if self._bytes > limits.max_bytes:
            raise BrokenStreamError(
                f"{server.base_url} sent more than {limits.max_bytes:,} bytes for one answer; look "
                "at the server's log."
            )
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._bounds[1].silence_s)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        server, limits, _, _ = self._bounds
        try:
            stream = self._stream.start_tls(ssl_context, server_hostname, limits.connect_s)
        except httpcore.ConnectError as error:
            if not isinstance(error.__cause__, ssl.SSLError):
                raise
            raise BackendError(
                f"{visible(server.base_url)} has no safe connection "
                f"({printable(short_reason(error))}); correct {server.setting}. A server without "
                "https has an address with http://; a certificate of your own has to be named in "
                "SSL_CERT_FILE."
            ) from None
        return _Stream(stream, *self._bounds)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _too_long(self) -> BackendTimeoutError:
        server, limits, _, _ = self._bounds
        return BackendTimeoutError(
            f"{server.base_url} took more than {limits.deadline_s:g} s for one answer; ask for "
            "fewer tokens, or pass a larger deadline."
        )


def as_json(data: Mapping[str, Any]) -> bytes:
    """`data` as JSON text in UTF-8. What a tool read may have a lone surrogate, which cannot be
    sent; it becomes `?`.

    Raises:
        ValueError: `data` is nested too deep.
    """
    try:
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
    except RecursionError:
        raise ValueError("the schema, or a message, is nested too deep to be sent") from None


def printable(text: str) -> str:
    r"""At most 300 characters of a server's text, without control characters.

    >>> print(printable("no\x1b[2J"))
    no\x1b[2J
    """
    text = text[:300]
    return text if text.isprintable() else ascii(text)[1:-1][:300]


def _proxy(url: str) -> httpcore.Proxy | None:
    parts = urlsplit(url)
    if is_loopback(url) or proxy_bypass(parts.hostname or ""):
        return None
    proxies = getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    if not found:
        return None
    found = found if "://" in found else f"http://{found}"
    try:
        scheme = urlsplit(found).scheme
        if scheme not in ("http", "https"):
            raise ValueError(f"its scheme is {scheme!r:.20} and not http or https")
        return httpcore.Proxy(found)
    except ValueError as error:
        raise BackendError(
            f"The proxy that the environment names for {parts.hostname} cannot be used "
            f"({printable(short_reason(error))}); correct {parts.scheme.upper()}_PROXY or "
            "ALL_PROXY, or name the host in NO_PROXY."
        ) from None
