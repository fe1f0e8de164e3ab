"""The dream's lock: a file that shows a person which process dreams, and since when.

A lock of the kernel vanishes with its process and does not name it. This file stays, so somebody
must judge whether the process that made it is still alive.
"""

import json
import os
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from g2c.clocks import not_after
from g2c.files import create_text, locked, read_text
from g2c.foreign_json import load_json
from g2c.processes import is_running, own_mark, process_is_alive


@dataclass(frozen=True)
class LockHolder:
    """The owner of a lock: process `pid` on the computer `host`, and when its file was made.

    `pid` and `host` are None if the file cannot be read.
    """

    pid: int | None
    host: str | None
    since: datetime


class BaseDreamLock(ABC):
    """A lock in the file `file`, for the process `pid` (this one, if None) on the computer `host`.

    `now` is the clock. `is_alive` says whether this computer runs a process. A lock that is
    unreadable, or of another computer, counts as held until it is older than `max_age`.
    `DreamLock` adds your `acquire`.
    """

    def __init__(
        self,
        file: Path,
        *,
        pid: int | None = None,
        host: str | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        is_alive: Callable[[int], bool] | None = None,
        max_age: timedelta = timedelta(hours=1),
    ) -> None:
        self.file = file
        self._pid = pid
        self.host = host or socket.gethostname()
        self.now = now
        self.is_alive = is_alive or self._is_still_alive
        self.max_age = max_age
        self._mine: str | None = None
        """The text of the lock's file while the lock is ours."""

    @property
    def pid(self) -> int:
        """The process that takes the lock. After a fork the child has its own number."""
        return self._pid or os.getpid()

    def _is_still_alive(self, pid: int) -> bool:
        """Whether the process that made the lock's file lives. Another may have its number."""
        try:
            mark = load_json(self._text())["mark"]
        except (ValueError, KeyError, TypeError):
            return process_is_alive(pid)
        return is_running(pid, str(mark))

    def release(self) -> None:
        """Remove the lock if it is still the one that this object made."""
        with self.guarded():
            if self._mine is not None and self._text() == self._mine:
                self.file.unlink()
            self._mine = None

    def holder(self) -> LockHolder | None:
        """The owner of the lock; None if there is no lock."""
        try:
            since = datetime.fromtimestamp(self.file.stat().st_mtime, UTC)
            if since != (since := not_after(since, self.now())):  # or it would move with the clock
                with suppress(PermissionError):
                    os.utime(self.file, (since.timestamp(),) * 2)
        except FileNotFoundError:
            return None
        try:
            record = load_json(self._text())
            pid, host = record["pid"], record["host"]
            # A pid of 0 or below would address a group of processes.
            if isinstance(host, str) and type(pid) is int and pid > 0:
                return LockHolder(pid, host, since)
        except (ValueError, KeyError, TypeError):
            pass
        return LockHolder(None, None, since)

    @abstractmethod
    def acquire(self) -> bool:
        """Take the lock if it is free or stale; see `g2c.memory.acquire.acquire`."""

    def guarded(self) -> AbstractContextManager[None]:
        """`with lock.guarded():` lets in one process at a time; the others wait."""
        return locked(self.file.with_name(f".{self.file.name}.guard"))

    def create(self) -> bool:
        """Make the lock's file; False if there is one already."""
        token = uuid4().hex  # distinguishes this lock from others of the same process
        record = {"pid": self.pid, "host": self.host, "time": self.now().isoformat(), "id": token}
        if self._pid is None:
            record["mark"] = own_mark()
        text = json.dumps(record) + "\n"
        try:
            create_text(self.file, text)
        except FileExistsError:
            return False
        self._mine = text
        return True

    def _text(self) -> str:
        """The text of the lock's file; empty if it cannot be read or is gone."""
        try:
            return read_text(self.file, encoding="utf-8", errors="replace")
        except OSError:
            return ""
