"""One HTTP exchange with a server that may be broken or hostile, bounded in time and in bytes.

The bounds hold for all that the server sends, its headers too. `requests` and `httpx` bound only
the time between two bytes, so a server that sends a byte now and then holds them for ever. Here the
bounds stand where `http.client` reads the socket. Redirects are not followed, because they could
send a prompt to somebody else. Packed answers are not unpacked, because a few bytes could become
gigabytes.
"""

from __future__ import annotations

import io
import ipaddress
import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, InvalidURL
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import AbstractHTTPHandler, OpenerDirector, ProxyHandler, Request

from g2c.inference.errors import (
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
)

Clock = Callable[[], float]

MAX_SECONDS = 10**9
"""Thirty years; a socket takes no more than three hundred."""


@dataclass(frozen=True)
class Limits:
    """What one exchange may take: `connect_s` to reach the server, `silence_s` between two bytes,
    `deadline_s` and `max_bytes` in all."""

    connect_s: float
    silence_s: float
    deadline_s: float
    max_bytes: int


@dataclass(frozen=True)
class Server:
    """Where a server is, and how errors speak of it: `kind` is what it should be, `setting` what
    holds its address, `start` how it is started."""

    base_url: str
    kind: str
    setting: str
    start: str


def check_seconds(**limits: float) -> None:
    """Raise `ValueError` unless each limit is above 0 and at most `MAX_SECONDS`."""
    for name, seconds in limits.items():
        if not 0 < seconds <= MAX_SECONDS:
            raise ValueError(
                f"{name} must be a number of seconds above 0, and at most {MAX_SECONDS:,}, "
                f"got {seconds!r}"
            )


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


class Answer:
    """An answer whose headers have come; its body is read piece by piece."""

    def __init__(self, base_url: str, response: HTTPResponse) -> None:
        self.status = response.status
        self._base_url = base_url
        self._response = response

    def header(self, name: str) -> str | None:
        """The header of that name, or None."""
        return self._response.headers.get(name)

    def readline(self, limit: int) -> bytes:
        """The next line, or its first `limit` bytes; empty at the end."""
        return self._read(self._response.readline, limit)

    def read(self, limit: int) -> bytes:
        """What is left of the body, or its first `limit` bytes."""
        return self._read(self._response.read, limit)

    def _read(self, read: Callable[[int], bytes], limit: int) -> bytes:
        try:
            return read(limit)
        except (OSError, ValueError, HTTPException) as error:
            raise _hung_up(self._base_url, error) from None


def no_key() -> None:
    """The key for a server that wants none."""


@contextmanager
def exchange(
    server: Server,
    path: str,
    body: Mapping[str, Any] | None,
    limits: Limits,
    *,
    read_key: Callable[[], str | None] = no_key,
    clock: Clock = time.monotonic,
) -> Iterator[Answer]:
    """GET `path`, or POST `body` to it as JSON, and lend the answer, whatever its status.

    Whoever leaves the block early, by Ctrl-C too, hangs up: the server then stops. Outside this
    machine the environment's proxies are used. What `read_key` returns goes along as a bearer token
    and is kept nowhere.

    Raises:
        ValueError: `body` cannot be written as JSON.
        BackendError: no answer comes, it goes past a limit (while it is read in the block, too), is
            packed, or sends the caller to another place; the message says what to do.
    """
    opener = OpenerDirector()  # it has no handler of redirects and none of refusals
    opener.add_handler(ProxyHandler({} if is_loopback(server.base_url) else None))
    until = clock() + limits.deadline_s
    opener.add_handler(_Opener(server=server, limits=limits, clock=clock, until=until))
    try:
        text = None if body is None else json.dumps(body, ensure_ascii=False)
    except RecursionError:
        raise ValueError("the schema, or a message, is nested too deep to be sent") from None
    # What a tool read may hold half a surrogate pair, which is no text that can be sent.
    data = None if text is None else text.encode("utf-8", "replace")
    try:
        request = Request(server.base_url + path, data, {"Content-Type": "application/json"})
        _authorize(request, read_key)
        response = opener.open(request, timeout=limits.connect_s)
        if response is None:
            raise ValueError("it begins with neither http:// nor https://")
    except (InvalidURL, ValueError) as error:
        raise BackendError(
            f"{server.base_url} is no address ({error}); correct {server.setting}."
        ) from None
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, URLError) else error
        raise _hung_up(server.base_url, reason) from None
    with response:
        _check_headers(server, response)
        yield Answer(server.base_url, response)


def _authorize(request: Request, read_key: Callable[[], str | None]) -> None:
    # A function of its own, so that no variable of the exchange holds the key.
    if key := read_key():
        request.add_unredirected_header("Authorization", f"Bearer {key}")


def _check_headers(server: Server, response: HTTPResponse) -> None:
    if 300 <= response.status < 400:
        raise BackendError(
            f"{server.base_url} sends its callers on to "
            f"{response.headers.get('Location')!r:.200}. A prompt goes only to the address that "
            f"you named; set {server.setting} to the other one if you trust it."
        )
    packed = response.headers.get("Content-Encoding", "identity")
    if packed != "identity":
        raise BrokenStreamError(
            f"{server.base_url} packed its answer ({packed!r:.200}), which nobody asked for; check "
            f"that {server.setting} is the address of {server.kind}."
        )


def _hung_up(base_url: str, reason: object) -> BrokenStreamError:
    return BrokenStreamError(
        f"{base_url} hung up before its answer was whole, or broke the rules of HTTP "
        f"({printable(str(reason)) or type(reason).__name__}); try again, and look at the server's "
        "log if it comes back."
    )


def printable(text: str) -> str:
    r"""At most 300 characters of what a server said, none of which can steer a terminal.

    >>> print(printable("no\x1b[2J"))
    no\x1b[2J
    """
    text = text[:300]
    return text if text.isprintable() else ascii(text)[1:-1][:300]


class _Guard(io.RawIOBase):
    """The receiving end of a socket, which `http.client` reads in the socket's place."""

    def __init__(
        self,
        connected: socket.socket,
        *,
        base_url: str,
        limits: Limits,
        clock: Clock,
        until: float,
    ) -> None:
        self._base_url = base_url
        self._limits = limits
        self._socket = connected
        self._clock = clock
        self._until = until
        self._bytes = 0

    def makefile(self, mode: str) -> io.BufferedReader:
        # Closing the socket has no effect until this file is closed, too.
        self._raw = self._socket.makefile("rb", buffering=0)
        return io.BufferedReader(self, 64 * 1024)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._until - self._clock()
        if left <= 0:
            raise self._too_long()
        self._socket.settimeout(min(left, self._limits.silence_s))
        try:
            count = self._raw.readinto(buffer) or 0
        except TimeoutError:
            if left <= self._limits.silence_s:
                raise self._too_long() from None
            raise BackendTimeoutError(
                f"{self._base_url} was silent for {self._limits.silence_s:g} s; its model may "
                "still be loading: try again, or pass a larger timeout."
            ) from None
        self._bytes += count
        if self._bytes > self._limits.max_bytes:
            raise BrokenStreamError(
                f"{self._base_url} sent more than {self._limits.max_bytes:,} bytes for one answer; "
                "look at the server's log."
            )
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()

    def _too_long(self) -> BackendTimeoutError:
        return BackendTimeoutError(
            f"{self._base_url} took more than {self._limits.deadline_s:g} s for one answer; ask "
            "for fewer tokens, or pass a larger deadline."
        )


class _Connection(HTTPConnection):
    """A connection whose answers are read through a guard."""

    def __init__(
        self, host: str, *, timeout: float, server: Server, limits: Limits, **bounds: Any
    ) -> None:
        super().__init__(host, timeout=timeout)
        self._server = server
        self._limits = limits
        self.response_class = partial(  # type: ignore[assignment]
            _guarded_response, base_url=server.base_url, limits=limits, **bounds
        )

    def connect(self) -> None:
        try:
            super().connect()
        except OSError as error:
            raise BackendUnreachableError(
                f"Nothing answers at {self._server.base_url} ({error}); {self._server.start}, or "
                f"set {self._server.setting} to the address where it runs."
            ) from None
        self.sock.settimeout(self._limits.silence_s)  # while the request is sent


class _SecureConnection(_Connection, HTTPSConnection):
    pass


def _guarded_response(connected: socket.socket, method: str, **bounds: Any) -> HTTPResponse:
    guard: Any = _Guard(connected, **bounds)  # of a socket it has what an answer needs
    return HTTPResponse(guard, method=method)


class _Opener(AbstractHTTPHandler):
    """Opens guarded connections to addresses of both kinds."""

    def __init__(self, **bounds: Any) -> None:
        super().__init__()
        self._bounds = bounds

    def http_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_Connection, request, **self._bounds)  # type: ignore[arg-type]

    def https_open(self, request: Request) -> HTTPResponse:
        return self.do_open(_SecureConnection, request, **self._bounds)  # type: ignore[arg-type]

    http_request = https_request = AbstractHTTPHandler.do_request_
