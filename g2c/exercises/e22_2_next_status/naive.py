"""An agent claims that it is done. Run the success command, a process that looks for its file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.loop import Budget, Signals, Spent
from g2c.loop.core.types import MAX_FAILURES, LoopStatus, TickOutcome

QUESTION = "Who can tell that the work is done, and whom would you ask first?"


def next_status(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = MAX_FAILURES,
) -> LoopStatus:
    status: LoopStatus = "running"
    for used, bound in (
        (spent.ticks, budget.ticks),
        (spent.tokens, budget.tokens),
        (spent.seconds, budget.seconds),
    ):
        if bound and used > bound:
            status = "budget_exceeded"
    if failures_in_a_row > max_failures:
        status = "failed"
    if outcome == "done" or signals.success:
        status = "done"
    return status if not signals.stop_requested else "stopped"


def show(folder: Path) -> Seen:
    report = folder / "report.md"
    looks = f"import pathlib, sys; sys.exit(not pathlib.Path({str(report)!r}).exists())"
    code = subprocess.run([sys.executable, "-c", looks], check=False).returncode
    yield "the agent", "done: I wrote report.md"
    yield "the command", f"exits with {code}: there is {'a' if report.exists() else 'no'} report.md"
    signals = Signals(success=code == 0)
    status = next_status("done", 0, Budget(ticks=9), Spent(ticks=1), signals)
    last = next_status("continue", 0, Budget(ticks=9), Spent(ticks=9), Signals())
    yield "tick 9 of 9", f"after it the loop is {last!r}"
    yield RESULT, f"{status!r} without the report, and {last!r} with nothing left to spend"
    yield WANTED, "'running' without the report, and an end with nothing left to spend"
