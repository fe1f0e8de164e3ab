"""A process that dies just before one of its writes: simulated in this process, or in a fork."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

WRITES = ("fsync", "replace", "rename", "unlink", "rmdir")


class Crash(BaseException):
    """Raised where the process would have died."""


@contextmanager
def crash_at(write: int, torn: int = 0) -> Iterator[Callable[[], bool]]:
    """Raise `Crash` at the write number `write`, counted from 0, and at every later one, so that
    nothing more changes on the disk. If that write is the flush of a file, the file loses its last
    `torn` bytes.

    The value is a function that tells whether that write was reached.
    """
    count = 0

    def dying(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count <= write:
                return function(*args, **options)
            if function is fsync and count == write + 1 and torn:
                os.ftruncate(args[0], max(0, os.fstat(args[0]).st_size - torn))
            raise Crash

        return call

    fsync = os.fsync
    with pytest.MonkeyPatch.context() as patch:
        for name in WRITES:
            patch.setattr(os, name, dying(getattr(os, name)))
        yield lambda: count > write


def kill_at_change(changes: int, *names: str) -> None:
    """Kill this process in place of the call of one of these functions of `os` that comes after so
    many."""
    left = changes

    def counted(change: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            nonlocal left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return change(*args, **options)

        return call

    for name in names:
        setattr(os, name, counted(getattr(os, name)))


def in_child(work: Callable[[], None]) -> int:
    """Do `work` in a fork of this process, and return its status, as `os.waitpid` gives it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1]
