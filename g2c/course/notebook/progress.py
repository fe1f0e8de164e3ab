"""The progress line below a slow cell: how far it is, and how much longer it may take.

The times of a cell's calls are stored when the notebooks' outputs are renewed. A cell with
unchanged source gets an estimate, scaled by the speed of the calls so far; any other shows counts.
The line is for a waiting person. It disappears when the cell ends, and no program gets it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from g2c.files import read_text
from g2c.inference.call_listeners import watch_calls
from g2c.paths import project_root
from g2c.widgets.view import is_watched

if TYPE_CHECKING:
    from g2c.inference.call_listeners import Answered

QUIET_S = 1.0
"""Seconds before the line appears."""
UPDATE_S = 0.5

CALLS = "seconds_of_calls"
"""The key in a cell's metadata for the times of its calls, as text: seconds with spaces between."""


class CellProgress:
    """The running cell's calls to models. `clock` counts seconds; a call may come from any thread,
    and `begin` resets all but the speed."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._stored_s = self._measured_s = 0.0
        self.begin()

    def begin(self, stored: Sequence[float] = ()) -> None:
        """Begin a cell. `stored` are the seconds of its calls when its outputs were made."""
        self._stored = stored
        self._began = self._call_began = self._clock()
        self._running = 0
        self._written = self._written_before = 0
        self.seconds: list[float] = []

    def begins(self) -> None:
        self._running += 1
        self._call_began = self._clock()
        self._written_before = self._written

    def writes(self) -> None:
        self._written += 1

    def ends(self, answer: Answered | None) -> None:
        self._running -= 1
        if answer is None:
            return
        if answer.completion_tokens is not None:  # more exact than the number of pieces
            self._written = self._written_before + answer.completion_tokens
        if len(self.seconds) < len(self._stored):
            self._stored_s += self._stored[len(self.seconds)]
            self._measured_s += answer.latency_ms / 1000
        self.seconds.append(answer.latency_ms / 1000)

    def line(self) -> str:
        """How far the cell is, such as `model call 7 of about 12, 340 tokens written, 21 s of about
        40 s`."""
        now = self._clock()
        spent = f"{now - self._began:.0f} s"
        number = len(self.seconds) + (self._running > 0)
        if not number:
            return spent
        count = f"model call {number}"
        if number <= len(self._stored):
            count += f" of about {len(self._stored)}"
            speed = self._measured_s / self._stored_s if self._stored_s else 1.0
            rest = speed * sum(self._stored[len(self.seconds) :])
            total = max(self._call_began - self._began + rest, now - self._began)
            spent += f" of about {total:.0f} s"
        return f"{count}, {self._written:,} tokens written, {spent}"


class ProgressLine:
    """Shows the line of `progress` below the running cell of `shell`, while a person waits."""

    def __init__(self, shell: Any, progress: CellProgress) -> None:
        self._shell = shell
        self._progress = progress
        self._is_over = threading.Event()
        self._thread = threading.Thread()
        self._source = ""
        self.seconds: dict[str, list[float]] = {}
        """The times of the calls of each cell that has run, by its source."""

    def cell_begins(self, info: Any) -> None:
        self._source = info.raw_cell.strip()
        self._progress.begin(stored_seconds().get(self._source, ()))
        self._is_over.clear()
        if is_watched():
            # The context determines the line's cell.
            self._thread = threading.Thread(
                target=copy_context().run, args=(self._show,), name="cell progress", daemon=True
            )
            self._thread.start()

    def cell_ends(self, result: Any) -> None:
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._progress.seconds:
            self.seconds[self._source] = self._progress.seconds

    def _show(self) -> None:
        if self._is_over.wait(QUIET_S):
            return
        shown = f"progress-{uuid4()}"
        self._publish(shown, self._progress.line(), update=False)
        while not self._is_over.wait(UPDATE_S):
            self._publish(shown, self._progress.line(), update=True)
        self._publish(shown, "", update=True)

    def _publish(self, shown: str, line: str, *, update: bool) -> None:
        html = f'<div style="opacity: 0.75; font-style: italic">{escape(line)}</div>'
        data = {"text/html": html, "text/plain": line} if line else {}
        self._shell.display_pub.publish(data, {}, transient={"display_id": shown}, update=update)


def show_progress() -> None:
    """From now on, show the progress of cells in this notebook that take longer than `QUIET_S`.

    Raises:
        RuntimeError: this is not a notebook.
    """
    from IPython import get_ipython

    global _shown
    shell = get_ipython()
    if shell is None:
        raise RuntimeError("show_progress() is for a notebook.")
    if _shown is None:  # the cell that calls this may run again
        progress = CellProgress()
        _shown = ProgressLine(shell, progress)
        watch_calls(progress)
        shell.events.register("pre_run_cell", _shown.cell_begins)
        shell.events.register("post_run_cell", _shown.cell_ends)


def measured_seconds() -> dict[str, list[float]]:
    """The times of the calls of cells that have run here, by the cells' sources."""
    return _shown.seconds if _shown else {}


_shown: ProgressLine | None = None


@cache
def stored_seconds() -> dict[str, list[float]]:
    """The times of the calls of the shipped notebooks' cells, by the cells' sources."""
    found = {}
    for file in (project_root() / "notebooks").glob("*.ipynb"):
        for cell in json.loads(read_text(file))["cells"]:
            if CALLS in cell["metadata"]:
                seconds = [float(word) for word in cell["metadata"][CALLS].split()]
                found["".join(cell["source"]).strip()] = seconds
    return found
