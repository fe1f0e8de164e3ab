"""Notifies a watcher of all calls to a model in this process, while they run.

A notebook's cell makes its own backends, in any number. So the calls are reported here, to show
progress to a waiting person, and no backend has to be wrapped.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from g2c.wanted import check_wanted


class Answered(Protocol):
    """The result of a call: how long it took, and the tokens written, if the model reports them."""

    @property
    def latency_ms(self) -> float: ...
    @property
    def completion_tokens(self) -> int | None: ...


class CallWatcher(Protocol):
    """Gets notified of calls. A method may run in any thread, and must not raise."""

    def begins(self) -> None:
        """A call begins."""

    def writes(self) -> None:
        """The model has written a piece of its answer, which is a token in most cases."""

    def ends(self, answer: Answered | None) -> None:
        """The call is over; `answer` is None if it failed or was interrupted."""


A = TypeVar("A", bound=Answered)

_watcher: CallWatcher | None = None


def watch_calls(watcher: CallWatcher | None) -> None:
    """Set the only watcher; None for no watcher."""
    global _watcher
    _watcher = watcher


def watched(ask: Callable[[], A]) -> A:
    """Call `ask`, which is one call to a model, and notify the watcher."""
    watcher = _watcher
    if watcher is None:
        return ask()
    answer: A | None = None
    watcher.begins()
    try:
        answer = ask()
        return answer
    finally:
        watcher.ends(answer)


def tell_piece() -> None:
    """Notify the watcher of a piece of the running call's answer.

    Raises:
        NobodyWaits: nobody waits for the answer any more.
    """
    check_wanted()
    if _watcher is not None:
        _watcher.writes()
