"""One writer at a time, also between processes.

The idea to take away: the kernel lets go of a lock when the process that holds it dies, however it
dies. A file whose mere existence means "locked" is still there after a crash.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, wait: bool) -> None:
        while True:  # gives up with an OSError after ten seconds
            try:
                return msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError(str(error)) from error

    def _unlock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


@contextmanager
def locked(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[None]:
    """Hold the lock on the file `path` inside a `with`; wait until nobody else holds it.

    The file is made where it is missing, with its folders, and stays as it is: only the kernel
    knows who holds it. It binds those who ask for it, threads and processes alike. Whoever asks
    again inside the `with` waits for ever.

    Raises:
        BlockingIOError: somebody else holds it; only without `wait`.
        OSError: the file cannot be made.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(handle, wait)
        try:
            yield
        finally:
            # Closing alone would leave it held by a child that was forked in the meantime.
            _unlock(handle)
    finally:
        os.close(handle)
