"""Who is told of the calls to a model while they run, wherever in this process they are made.

A notebook's cell makes its backends itself, in any number. So a person who waits for it is told of
its calls here, and no backend has to be wrapped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar


class Answered(Protocol):
    """What comes of a call: how long it took, and the tokens written, if the model tells."""

    @property
    def latency_ms(self) -> float: ...
    @property
    def completion_tokens(self) -> int | None: ...


class CallWatcher(Protocol):
    """Gets told of calls. A method may run in any thread, and raises nothing."""

    def begins(self) -> None:
        """A model is being called."""

    def writes(self) -> None:
        """The model has written a piece of its answer, which is a token in most cases."""

    def ends(self, answer: Answered | None) -> None:
        """The call is over; `answer` is None if it failed or was interrupted."""


A = TypeVar("A", bound=Answered)

_watcher: CallWatcher | None = None


def watch_calls(watcher: CallWatcher | None) -> None:
    """From now on tell `watcher`, and nobody else; None tells nobody."""
    global _watcher
    _watcher = watcher


def watched(ask: Callable[[], A]) -> A:
    """Do as `ask` does, which is one call to a model, and tell the watcher of it."""
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
    """Tell the watcher of a piece of the answer to the call that is running."""
    if _watcher is not None:
        _watcher.writes()
