"""Ending the processes that this one started.

Ctrl-C, and in a command SIGTERM and SIGHUP, is an exception in the main thread alone. So an
`EndingPool` ends what its other threads wait for.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any

_own = threading.local()


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started in a session of its own, and all that stayed in it."""
    if os.name == "posix":
        # If all have ended, the group is gone, or its number belongs to somebody else now.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


LOOK_S = 0.5
_EVER_S = 10**9


def wait_in_session(process: subprocess.Popen[bytes], timeout: float | None = None) -> int | None:
    """Wait for a process that was started in a session of its own, at most `timeout` seconds. Then,
    or at an exception, end it and all that stayed in its session. While this waits, Ctrl-Z stops
    both, although a terminal stops its own session alone.

    Returns:
        The exit code, or minus the signal that ended the process; None if it was stopped.
    """
    try:
        with _stopping_together(process):
            # A wait with a limit looks up now and then. One without would miss a Ctrl-Z that came
            # just before it began.
            left = _EVER_S if timeout is None else timeout
            while left > 0:
                step = min(left, LOOK_S)
                left -= step  # and not by the clock: a pause of this process is one look
                with suppress(subprocess.TimeoutExpired):
                    return process.wait(step)
            return None
    finally:
        kill_session(process)


@contextmanager
def _stopping_together(process: subprocess.Popen[bytes]) -> Iterator[None]:
    is_main = threading.current_thread() is threading.main_thread()  # others cannot set signals
    if os.name != "posix" or not is_main or signal.getsignal(signal.SIGTSTP) != signal.SIG_DFL:
        yield
        return

    def stop(number: int, frame: object) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        with suppress(ProcessLookupError, PermissionError):  # somebody went on with this one
            os.killpg(process.pid, signal.SIGCONT)

    signal.signal(signal.SIGTSTP, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)


class EndingPool(ThreadPoolExecutor):
    """Threads that wait for processes. An exception in its `with` block ends those processes, and
    the threads with them."""

    def __init__(self, threads: int | None = None) -> None:
        super().__init__(threads or os.cpu_count() or 1, initializer=self._know_thread)
        self._lock = threading.Lock()
        self._enders: list[Callable[[], Any]] = []
        self._is_ending = False

    def _know_thread(self) -> None:
        _own.pool = self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind:
            with self._lock:
                self._is_ending = True
                for end in self._enders:
                    end()
        self.shutdown(cancel_futures=True)

    @contextmanager
    def _ending(self, end: Callable[[], Any]) -> Iterator[None]:
        with self._lock:
            self._check()
            self._enders.append(end)
        try:
            yield
        finally:
            with self._lock:
                self._enders.remove(end)
        self._check()

    def _check(self) -> None:
        if self._is_ending:
            raise SystemExit  # ends this thread alone


@contextmanager
def ended_with_its_pool(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """While the block waits for `process`, in a thread of an `EndingPool`, the pool can terminate
    it. The thread then ends, too. In other threads, nothing happens."""
    pool: EndingPool | None = getattr(_own, "pool", None)
    if pool is None:
        yield
        return
    with pool._ending(process.terminate):
        yield
