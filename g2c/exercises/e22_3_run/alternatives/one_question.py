"""22.3 with one call of `next_status`, at the top of the loop.

Before the first tick the outcome is `continue`, as after a tick that went well, so the first tick
needs no code before the loop. It costs a record that may be missing, and three lines that check
whether it is.
"""

from __future__ import annotations

from dataclasses import replace

from g2c.loop.core.base import BaseRunner
from g2c.loop.core.types import Budget, LoopState, TickRecord
from g2c.loop.next_status import next_status


def run(runner: BaseRunner, goal: str | None = None, budget: Budget | None = None) -> LoopState:
    with runner.exclusive():
        state = runner.open(goal, budget)
        failures = runner.failures_in_a_row(state)
        record: TickRecord | None = None
        try:
            while state.status == "running":
                status = next_status(
                    record.outcome if record else "continue",
                    failures,
                    state.budget,
                    state.spent,
                    runner.signals(),
                    runner.config.max_failures,
                )
                state = replace(state, status=status)
                if record:
                    runner.commit(state, record)
                if state.status == "running":
                    if record:
                        state = runner.review(state)
                    state, record = runner.tick(state)
                    failures = failures + 1 if record.outcome == "failed" else 0
        except KeyboardInterrupt:
            state = runner.interrupted()
        runner.close(state)
        return state
