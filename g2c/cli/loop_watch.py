"""The display of a loop in a process that does not run it, until no process works on it."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

from g2c.cli.console import out
from g2c.cli.live import now, on_terminal, show_tick_line

if TYPE_CHECKING:
    from g2c.loop.core.folder import LoopFiles
    from g2c.loop.core.progress import Progress

LOOK_S = 0.5
"""Seconds between two reads of the loop's files."""


def watch(files: LoopFiles) -> None:
    """Show what the loop does until no process works on it.

    Raises:
        FileNotFoundError: there is no loop.
        LoopError: its state cannot be read.
    """
    watcher = _Watcher(files)
    with on_terminal(watcher.line) if out.is_terminal else nullcontext():
        said: object = None
        while watcher.look():
            if not out.is_terminal and watcher.news != said:
                said = watcher.news
                out.print(watcher.line(), markup=False, soft_wrap=True)
            time.sleep(LOOK_S)


class _Watcher:
    """A loop as other processes see it: its state, its ticks and its progress."""

    def __init__(self, files: LoopFiles) -> None:
        from g2c.loop.core.state import read_state

        self._files = files
        self._state = read_state(files.state)
        self._progress: Progress | None = None
        self._tick = max(self._state.tick - 1, 0)
        self._line = ""
        self.news: object = None
        """A key that changes when there is something new to print; passing seconds do not count."""

    def look(self) -> bool:
        """Read the files, and print finished ticks. Return whether a process works on the loop."""
        from g2c.loop.core.journal import read_ticks
        from g2c.loop.core.progress import read_progress
        from g2c.loop.core.state import read_state

        doing = self._doing(read_progress(self._files.progress))
        self._state = read_state(self._files.state)
        if self._state.tick != self._tick:
            for record in read_ticks(self._files.ticks, self._state.tick):
                if record.tick > self._tick:
                    show_tick_line(record)
            self._tick = self._state.tick
        return doing

    def _doing(self, progress: Progress | None) -> bool:
        from g2c.loop.core.folder import elsewhere, holder
        from g2c.processes import is_running

        # Taking the lock would block a process that is just starting. So first look at the process
        # in the progress file.
        runs = progress is not None and is_running(progress.pid, progress.mark)
        self._progress = progress if runs else None
        if self._progress:
            at = self._progress
            self.news = (at.pid, at.tick, at.step, at.waits_for)
            return True
        if process := holder(self._files.lock):
            self._line = f"process {process} works on it"
        elif process := holder(self._files.supervisor_lock):
            self._line = f"its supervisor, process {process}, waits"
        elif unseen := elsewhere(self._files.lock):
            self._line = unseen
        else:
            return False
        self.news = self._line
        return True

    def line(self) -> str:
        """The line about the loop's current work."""
        if self._progress:
            return self._progress.line(self._state.budget, now())
        return self._line
