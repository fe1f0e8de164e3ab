"""Work for a client that may stop waiting: what it started then ends, as soon as it can.

A thread cannot be ended from outside. So long work asks here, between two tokens and before each
call of a tool, whether anybody still waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Event

_client: ContextVar[Client | None] = ContextVar("client", default=None)


class NobodyWaits(BaseException):
    """The client has gone. No `except Exception` on the way may take it for an error."""


@dataclass(frozen=True)
class Client:
    """A client that waits for some work; `gone` says that it stopped waiting."""

    _gone: Event = field(default_factory=Event)
    _last: list[Callable[[], object]] = field(default_factory=list)

    def waits_for(self, work: Callable[[], object]) -> object:
        """`work()`, as this client's.

        Raises:
            NobodyWaits: the client has gone, and the work was ended.
        """
        token = _client.set(self)
        try:
            return work()
        finally:
            _client.reset(token)

    def gone(self) -> None:
        """Stop waiting. The work given to `when_nobody_waits` is done now, in this thread."""
        self._gone.set()
        while self._last:
            self._last.pop()()

    def check(self) -> None:
        if self._gone.is_set():
            raise NobodyWaits


def check_wanted() -> None:
    """End the work of this thread if its client has gone.

    Raises:
        NobodyWaits: so it is.
    """
    if client := _client.get():
        client.check()


def when_nobody_waits(last: Callable[[], object]) -> None:
    """Have `last` called as soon as the client of this thread's work is gone, even if the work
    cannot end yet: it lets go of a lock, say."""
    if client := _client.get():
        client._last.append(last)
