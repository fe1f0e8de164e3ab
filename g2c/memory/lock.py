"""The lock that lets one dream in at a time, also when the last one died in its sleep.

The kernel's own locks vanish with their process and say nothing about it. This one is a file that
a person can read: who dreams, since when. The idea to take away: to look and then to act is two
steps, and between them the world moves on. Whoever judges a lock must be alone until it has acted.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from g2c.exercise import exercise
from g2c.files import replace_text
from g2c.memory.locking import locked


@dataclass(frozen=True)
class LockHolder:
    """Who a lock belongs to: process `pid` of the computer `host`, and when its file was made.

    `pid` and `host` are None where the file cannot be read.
    """

    pid: int | None
    host: str | None
    since: datetime


if sys.platform == "win32":

    def process_is_alive(pid: int) -> bool:
        """Whether this computer runs a process of that number, be it anybody's."""
        import ctypes

        synchronize, access_denied, still_running = 0x00100000, 5, 0x00000102
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(synchronize, False, pid)
        if not handle:
            return ctypes.get_last_error() == access_denied
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == still_running)
        finally:
            kernel.CloseHandle(handle)

else:

    def process_is_alive(pid: int) -> bool:
        """Whether this computer runs a process of that number, be it anybody's."""
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            return True  # somebody else's
        return True


class DreamLock:
    """A lock in the file `file`, for the process `pid` of the computer `host`.

    `now` is the clock, `is_alive` says whether this computer runs a process; a lock that cannot be
    judged so, being another computer's or unreadable, counts as held until it is older than
    `max_age`.
    """

    def __init__(
        self,
        file: Path,
        *,
        pid: int | None = None,
        host: str | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        is_alive: Callable[[int], bool] = process_is_alive,
        max_age: timedelta = timedelta(hours=1),
    ) -> None:
        self.file = file
        self.pid = pid or os.getpid()
        self.host = host or socket.gethostname()
        self.now = now
        self.is_alive = is_alive
        self.max_age = max_age
        self._mine: str | None = None
        """What stands in the lock while it is ours."""

    @exercise("20.6")
    def acquire(self) -> bool:
        """Take the lock if it is free or stale; say whether it is ours now. Never waits for it.

        Of any number of processes that try at once, exactly one gets the lock. You have:

        - `self._guarded()`, a context manager that one process at a time can be in; others wait
        - `self.holder()`: the `LockHolder` of the lock that is there, or None
        - `self._create()`: makes the lock and returns True, or False where there is one already
        - `self.file`, `self.host`, `self.is_alive(pid)`, `self.now()`, `self.max_age`

        A lock is stale

        - of this host: where its process is gone. However old, a living process keeps it, and this
          process is alive too: its own lock is not free.
        - of another host, or unreadable: where its file is older than `max_age`.

        A stale lock is removed, and the lock made anew. One that is held is left as it is. Not
        everybody goes through the guard: another computer may make its lock at any moment.

        Raises:
            OSError: the lock's file cannot be made.

        >>> from tempfile import mkdtemp
        >>> lock = DreamLock(Path(mkdtemp()) / "dream.lock")
        >>> lock.acquire(), lock.acquire()
        (True, False)
        """
        raise NotImplementedError

    def release(self) -> None:
        """Remove the lock if it is still the one that this object acquired."""
        with self._guarded():
            if self._mine is not None and self._text() == self._mine:
                self.file.unlink()
            self._mine = None

    def holder(self) -> LockHolder | None:
        """Whose lock there is; None where there is none."""
        try:
            since = datetime.fromtimestamp(self.file.stat().st_mtime, UTC)
        except FileNotFoundError:
            return None
        try:
            record = json.loads(self._text())
            pid, host = record["pid"], record["host"]
            # A pid of 0 or below would address a group of processes.
            if isinstance(host, str) and type(pid) is int and pid > 0:
                return LockHolder(pid, host, since)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        return LockHolder(None, None, since)

    def _guarded(self) -> AbstractContextManager[None]:
        return locked(self.file.with_name(f".{self.file.name}.guard"))

    def _create(self) -> bool:
        token = uuid4().hex  # tells this lock from another of the same process
        record = {"pid": self.pid, "host": self.host, "time": self.now().isoformat(), "id": token}
        text = json.dumps(record) + "\n"
        beside = self.file.with_name(f".{self.file.name}.{token}")
        try:
            replace_text(beside, text)
            self.file.hardlink_to(beside)  # whole at once, and refused where there is a lock
        except FileExistsError:
            return False
        finally:
            beside.unlink(missing_ok=True)
        self._mine = text
        return True

    def _text(self) -> str:
        """What stands in the lock's file; nothing where it cannot be read or is gone."""
        try:
            return self.file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
