"""The record of a swarm: all its processes write to one file, by your `write_behind`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import Queue
from types import TracebackType
from typing import Any

from g2c.files import append_line, locked
from g2c.json_files import record_of
from g2c.swarm.core.entries import Entry
from g2c.swarm.write_behind import write_behind


class Record:
    """The record in `file`, for the agent of that name. Use it inside a `with`.

    A writer does not wait for the disk, unless it waits for the future that `add` returns.
    """

    def __init__(self, file: Path, agent: str, now: Callable[[], float]) -> None:
        self._file = file
        self._agent = agent
        self._now = now
        self._waiting: Queue[Entry | None] = Queue()
        self._open: set[Future[None]] = set()
        self._is_closing = False
        self._writer = threading.Thread(target=self._write_all, daemon=True)

    def add(self, what: str, **more: Any) -> Future[None]:
        """Write down that something happened. The future ends when it is on the disk."""
        entry = Entry(
            record_of({"at": round(self._now(), 3), "agent": self._agent, "what": what, **more}),
            Future(),
        )
        self._open.add(entry.written)
        entry.written.add_done_callback(self._open.discard)
        self._waiting.put(entry)
        return entry.written

    def __enter__(self) -> Record:
        self._writer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_closing = True
        self._waiting.put(None)
        self._writer.join()

    def _write_all(self) -> None:
        """Run `write_behind`. If it ends too early, all waiting futures fail."""
        try:
            write_behind(self._waiting, self._write)
            trouble: Exception = ValueError("write_behind (24.6) ended before all was written.")
        except Exception as error:
            trouble = error
        while True:
            for written in list(self._open):
                if not written.done():
                    written.set_exception(trouble)
            if self._is_closing or self._waiting.get() is None:
                return

    def _write(self, lines: Sequence[str]) -> None:
        with locked(self._file.with_name(".record.lock")):
            append_line(self._file, "\n".join(lines))
