"""Run a loop whose agent always fails. It should end after 3 failures in a row. Kill its process,
and start it again."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen, halt, kill_at_halt
from g2c.loop import Budget, LoopConfig, LoopRunner, LoopState, next_status, read_state
from g2c.loop.core.base import BaseRunner
from g2c.loop.core.folder import LoopFiles

QUESTION = "What did the second process know about the first?"


def run(runner: BaseRunner, goal: str | None = None, budget: Budget | None = None) -> LoopState:
    lock = runner.exclusive()
    with lock:
        now, broken = runner.open(goal, budget), 0
        while now.status == "running":
            now, tick = runner.tick(now)
            broken = broken + 1 if tick.outcome == "failed" else 0
            seen = runner.signals()
            most = runner.config.max_failures
            status = next_status(tick.outcome, broken, now.budget, now.spent, seen, most)
            now = runner.review(replace(now, status=status))
            runner.commit(now, tick)
        runner.close(now)
        return now


class NaiveRunner(LoopRunner):
    """A runner with that loop."""

    run = run


class BrokenAgent:
    """An agent whose every tick fails, and whose process is killed in its third tick."""

    on_step = None

    def __init__(self, says: Connection) -> None:
        self.says = says
        self.ticks = 0

    def run(self, user_message: str) -> None:
        self.ticks += 1
        if self.ticks == 3:
            halt(self.says)
        raise OSError("the model's server is gone")


MAX_FAILURES = 3
STARTS = 3


def work(says: Connection, folder: Path, goal: str | None) -> None:
    config = LoopConfig(
        max_failures=MAX_FAILURES, recall=False, evolve=False, checkpoint_interval=0
    )
    agent = BrokenAgent(says)
    NaiveRunner(lambda tools: agent, None, config, folder).run(goal)  # type: ignore[arg-type,return-value]


def show(folder: Path) -> Seen:
    files = LoopFiles(folder / "loop")
    for start in range(1, STARTS + 1):
        goal = "Sort the letters." if start == 1 else None
        killed = kill_at_halt(work, files.root, goal)
        state = read_state(files.state)
        end = "killed" if killed else "ended"
        yield f"process {start}", f"{end}; {state.tick} ticks so far, all failed: {state.status}"
    yield RESULT, f"{state.tick} failures in a row, and the loop is {state.status!r}"
    yield WANTED, f"'failed' after {MAX_FAILURES} failures in a row, even if its process is killed"
