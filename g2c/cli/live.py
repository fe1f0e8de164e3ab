"""How a loop looks while it works: in the process that runs it, and in one that watches it.

On a terminal a line at the bottom says what is going on, and the ticks that are over stand above
it. Elsewhere the ticks are lines, and one in between says that the loop still works.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.live import Live
from rich.markup import escape
from rich.spinner import Spinner
from rich.text import Text

from g2c.cli.console import out, tell_aside

if TYPE_CHECKING:
    from g2c.agent import AgentStep
    from g2c.inference import Backend
    from g2c.loop.provided.folder import LoopFiles
    from g2c.loop.provided.progress import Progress
    from g2c.loop.provided.types import Budget, LoopState, TickRecord

SILENCE_S = 30.0
"""The longest time for which a loop says nothing where there is no terminal."""
LOOK_S = 0.5
"""Seconds between two looks at a loop that another process runs."""
MAX_LAST_CHARS = 100

Line = Callable[[], str]


def headline(record: TickRecord) -> str:
    """A tick that is over, in a few words."""
    return f"tick {record.tick}: {record.outcome}, {record.tokens:,} tokens, {record.seconds:.1f} s"


def show_tick_line(record: TickRecord) -> None:
    """Print a tick that is over as one line."""
    last = record.error or (record.actions[-1] if record.actions else record.answer)
    line = " ".join(last.split())[:MAX_LAST_CHARS]
    out.print(f"[cyan]{headline(record)}[/] {escape(line)}", soft_wrap=True)


class Reporter:
    """What a `LoopRunner` calls, so that a person sees what the loop does: here, and in
    `g2c loop status --watch`, which reads the loop's file `progress`."""

    def __init__(self, files: LoopFiles, progress: Progress, judge: str, budget: Budget) -> None:
        self._file = files.progress
        self._progress = progress
        self._worker, self._judge = progress.model, judge
        self._budget = budget
        self._has_written = False

    def line(self) -> str:
        """What the loop does at the moment."""
        return self._progress.line(self._budget, _now())

    def on_step(self, step: AgentStep) -> None:
        from g2c.loop.provided.tick import tokens_of

        last = step.action.tool if step.action else "an answer" if step.final_answer else "…"
        tokens = self._progress.tokens + tokens_of(step)
        number = self._progress.step + 1
        self._update(replace(self._progress, step=number, tokens=tokens, last=last, since=_now()))

    def on_tick(self, state: LoopState, record: TickRecord) -> None:
        show_tick_line(record)
        spent = state.spent
        began = replace(self._progress, tick=state.tick + 1, step=0, tokens=spent.tokens)
        waits_for = "agent" if state.status == "running" else "end"
        now = _now()
        self._update(
            replace(began, seconds=spent.seconds, began=now, waits_for=waits_for, since=now)
        )

    def on_wait(self, whom: str) -> None:
        model = self._worker if whom in ("agent", "success command") else self._judge
        self._update(replace(self._progress, waits_for=whom, model=model, since=_now()))

    def _update(self, progress: Progress) -> None:
        from g2c.loop.provided.progress import write_progress

        self._progress = progress
        write_progress(self._file, progress)
        self._has_written = True

    def end(self) -> None:
        """Remove the file, unless it is that of a process that works on the loop already."""
        if self._has_written:
            self._file.unlink(missing_ok=True)


@contextmanager
def shown(
    files: LoopFiles, backend: Backend, judge: Backend, budget: Budget, state: LoopState | None
) -> Iterator[Reporter]:
    """Show what the loop does inside the `with`. `state` is where it goes on; None begins it."""
    from g2c.loop.provided.progress import Progress
    from g2c.loop.provided.types import Spent

    tick, spent = (state.tick, state.spent) if state else (0, Spent())
    model, now = backend.info.model_id, _now()
    begun = (model, tick + 1, 0, spent.tokens, spent.seconds, now, "agent", now)
    reporter = Reporter(files, Progress(os.getpid(), *begun), judge.info.model_id, budget)
    try:
        with _on_terminal(reporter.line) if out.is_terminal else _beside(reporter.line):
            yield reporter
    finally:
        reporter.end()


def _now() -> datetime:
    return datetime.now(UTC)


class _Line:
    """A line that is asked for anew whenever the terminal is drawn."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._spinner = Spinner("dots")

    def __rich__(self) -> Spinner:
        self._spinner.update(text=Text(self._line(), style="dim"))
        return self._spinner


@contextmanager
def _on_terminal(line: Line) -> Iterator[None]:
    with Live(_Line(line), console=out, transient=True, refresh_per_second=4):
        yield


@contextmanager
def _beside(line: Line) -> Iterator[None]:
    """Print the line from time to time, as long as a model may think."""
    is_over = threading.Event()

    def tell() -> None:
        while not is_over.wait(SILENCE_S):
            tell_aside(line())

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def watch(files: LoopFiles) -> None:
    """Show what the loop does, in whichever process, until nobody works on it any more.

    Raises:
        FileNotFoundError: there is no loop.
        LoopError: its state cannot be read.
    """
    watcher = _Watcher(files)
    with _on_terminal(watcher.line) if out.is_terminal else nullcontext():
        said: object = None
        while watcher.look():
            if not out.is_terminal and watcher.news != said:
                said = watcher.news
                out.print(watcher.line(), markup=False, soft_wrap=True)
            time.sleep(LOOK_S)


class _Watcher:
    """What another process sees of a loop: its state, its ticks and its progress."""

    def __init__(self, files: LoopFiles) -> None:
        from g2c.loop.provided.state import read_state

        self._files = files
        self._state = read_state(files.state)
        self._progress: Progress | None = None
        self._tick = max(self._state.tick - 1, 0)
        self._line = ""
        self.news: object = None
        """What changes when there is something to say; seconds alone are not."""

    def look(self) -> bool:
        """Read the files, and print the ticks that are over. Returns whether somebody works on the
        loop."""
        from g2c.loop.provided.journal import read_ticks
        from g2c.loop.provided.progress import read_progress
        from g2c.loop.provided.state import read_state

        doing = self._doing(read_progress(self._files.progress))
        self._state = read_state(self._files.state)
        if self._state.tick != self._tick:
            for record in read_ticks(self._files.ticks, self._state.tick):
                if record.tick > self._tick:
                    show_tick_line(record)
            self._tick = self._state.tick
        return doing

    def _doing(self, progress: Progress | None) -> bool:
        from g2c.files import process_is_alive
        from g2c.loop.provided.folder import holder

        # Asking for the lock would keep it from a process that begins just now. So the process is
        # asked for first.
        self._progress = progress if progress and process_is_alive(progress.pid) else None
        if self._progress:
            at = self._progress
            self.news = (at.pid, at.tick, at.step, at.waits_for)
            return True
        if process := holder(self._files.lock):
            self._line = f"process {process} works on it"
        elif process := holder(self._files.supervisor_lock):
            self._line = f"its supervisor, process {process}, waits"
        else:
            return False
        self.news = self._line
        return True

    def line(self) -> str:
        """What the loop does at the moment."""
        if self._progress:
            return self._progress.line(self._state.budget, _now())
        return self._line
