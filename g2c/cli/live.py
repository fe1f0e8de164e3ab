"""The display of a running loop in the process that runs it; `loop_watch.py` is for others.

On a terminal a line at the bottom says what is going on, and the ticks that are over stand above
it. Elsewhere the ticks are lines, and one in between says that the loop still works.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.live import Live
from rich.markup import escape
from rich.spinner import Spinner
from rich.text import Text

from g2c.cli.console import out, tell_aside
from g2c.cli.guarding import PERSON

if TYPE_CHECKING:
    from g2c.agent import AgentStep
    from g2c.inference import Backend
    from g2c.loop.core.folder import LoopFiles
    from g2c.loop.core.progress import Progress
    from g2c.loop.core.types import Budget, LoopState, TickRecord

SILENCE_S = 30.0
"""The longest time without a line of output if there is no terminal."""
MAX_LAST_CHARS = 100

Line = Callable[[], str]


def headline(record: TickRecord) -> str:
    """A finished tick, in a few words."""
    return f"tick {record.tick}: {record.outcome}, {record.tokens:,} tokens, {record.seconds:.1f} s"


def show_tick_line(record: TickRecord) -> None:
    """Print a finished tick as one line."""
    last = record.error or (record.actions[-1] if record.actions else record.answer)
    line = " ".join(last.split())[:MAX_LAST_CHARS]
    out.print(f"[cyan]{headline(record)}[/] {escape(line)}", soft_wrap=True)


class Reporter:
    """The callbacks of a `LoopRunner` that show a person what the loop does: here, and in `g2c loop
    status --watch`, which reads the loop's file `progress`."""

    def __init__(self, files: LoopFiles, progress: Progress, judge: str, budget: Budget) -> None:
        self._file = files.progress
        self._progress = progress
        self._worker, self._judge = progress.model, judge
        self._budget = budget
        self._has_written = False

    def line(self) -> str:
        """The line about the loop's current work."""
        return self._progress.line(self._budget, now())

    def on_step(self, step: AgentStep) -> None:
        from g2c.loop.core.tick import tokens_of

        last = step.action.tool if step.action else "an answer" if step.final_answer else "…"
        tokens = self._progress.tokens + tokens_of(step)
        number = self._progress.step + 1
        self._update(replace(self._progress, step=number, tokens=tokens, last=last, since=now()))

    def on_tick(self, state: LoopState, record: TickRecord) -> None:
        show_tick_line(record)
        spent = state.spent
        began = replace(self._progress, tick=state.tick + 1, step=0, tokens=spent.tokens)
        waits_for = "agent" if state.status == "running" else "end"
        at = now()
        self._update(replace(began, seconds=spent.seconds, began=at, waits_for=waits_for, since=at))

    def on_wait(self, whom: str) -> None:
        model = self._worker if whom in ("agent", "success command") else self._judge
        if whom == PERSON:
            model = "g2c loop tell"
        self._update(replace(self._progress, waits_for=whom, model=model, since=now()))

    def _update(self, progress: Progress) -> None:
        from g2c.loop.core.progress import write_progress

        self._progress = progress
        write_progress(self._file, progress)
        self._has_written = True

    def end(self) -> None:
        """Remove the file, unless it belongs to another process that works on the loop."""
        if self._has_written:
            self._file.unlink(missing_ok=True)


@contextmanager
def shown(
    files: LoopFiles, backend: Backend, judge: Backend, budget: Budget, state: LoopState | None
) -> Iterator[Reporter]:
    """Show what the loop does inside the `with`. `state` is the state from which it continues; None
    for a new loop."""
    from g2c.loop.core.progress import Progress
    from g2c.loop.core.types import Spent
    from g2c.processes import own_mark

    tick, spent = (state.tick, state.spent) if state else (0, Spent())
    model, at = backend.info.model_id, now()
    begun = (model, tick + 1, 0, spent.tokens, spent.seconds, at, "agent", at)
    reporter = Reporter(
        files, Progress(os.getpid(), *begun, mark=own_mark()), judge.info.model_id, budget
    )
    try:
        with on_terminal(reporter.line) if out.is_terminal else _beside(reporter.line):
            yield reporter
    finally:
        reporter.end()


def now() -> datetime:
    """The clock for the progress line."""
    return datetime.now(UTC)


class _Line:
    """A line that is computed anew at each redraw."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._spinner = Spinner("dots")

    def __rich__(self) -> Spinner:
        self._spinner.update(text=Text(self._line(), style="dim"))
        return self._spinner


@contextmanager
def on_terminal(line: Line) -> Iterator[None]:
    """Keep `line` at the bottom of the terminal inside the `with`."""
    with Live(_Line(line), console=out, transient=True, refresh_per_second=4):
        yield


@contextmanager
def _beside(line: Line) -> Iterator[None]:
    """Print the line from time to time, at the longest interval of silence."""
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
