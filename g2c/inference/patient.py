"""Waits for a model server that is away: work that nobody watches must not fail with it.

A server restarts, loads another model, or is busy for a while. A chat says so at once. A loop or a
swarm would fail tick after tick, and remember the outage as a failure of its own.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain, repeat
from typing import Any, TypeVar

from g2c.inference.backend import Backend
from g2c.inference.backend_view import BackendView
from g2c.inference.errors import (
    BackendBusyError,
    BackendUnreachableError,
    BrokenStreamError,
    ModelChangedError,
)
from g2c.inference.recording import R, Taped

MAX_WAIT_S = 86_400.0
"""The most seconds that one call waits in all: a night, and the day on which somebody looks."""
MAX_BROKEN_WAIT_S = 15.0
"""The same for an answer that broke off: a server that is restarted breaks one, and a server that
speaks another protocol each."""
GROWING_PAUSES_S, MAX_PAUSE_S = (1, 2, 4, 8, 15, 30), 60
AWAY = (BackendUnreachableError, BackendBusyError, BrokenStreamError, ModelChangedError)
"""While its server is away, `auto` would be another model."""
_LOOK_S = 1.0
"""How often a stop is looked for."""

T = TypeVar("T")


class PatientBackend(Taped, BackendView):
    """Passes every call on to `backend`, and asks again while the server is away, with pauses that
    grow to `MAX_PAUSE_S`.

    Args:
        backend: The model that is asked.
        tell: Called once for each wait with a sentence that says for what, and once it is over.
        is_stopped: Whether somebody wants the work to end; then the error is raised.
        sleep: Waits for so many seconds.

    Raises:
        BackendError: as `backend`; the server's absence only after `MAX_WAIT_S`.
    """

    def __init__(
        self,
        backend: Backend,
        tell: Callable[[str], object],
        is_stopped: Callable[[], bool] = lambda: False,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._backend = backend
        self._tell = tell
        self._is_stopped = is_stopped
        self._sleep = sleep

    def stopping_at(self, *strings: str) -> Backend:
        return self._before(self._backend.stopping_at(*strings))

    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        ask = partial(getattr(self._backend, name), **arguments)
        result: R = patiently(ask, self._tell, self._is_stopped, self._sleep)
        return result


def patiently(
    ask: Callable[[], T],
    tell: Callable[[str], object],
    is_stopped: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], object] = time.sleep,
) -> T:
    """Call `ask` until the server that it needs is there, and return its result. The arguments and
    exceptions are those of `PatientBackend`."""
    waited, pauses = 0, chain(GROWING_PAUSES_S, repeat(MAX_PAUSE_S))
    while True:
        try:
            result = ask()
        except AWAY as error:
            pause = next(pauses)
            is_broken = isinstance(error, BrokenStreamError)
            if waited + pause > (MAX_BROKEN_WAIT_S if is_broken else MAX_WAIT_S):
                raise
            if not waited:
                tell(f"It waits for its model: {error}")
            for _ in range(pause):
                if is_stopped():
                    raise
                sleep(_LOOK_S)
            waited += pause
        else:
            if waited:
                tell("The model answers again.")
            return result
