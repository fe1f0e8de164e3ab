"""22.3: one question before each tick, and one write before anything else.

The first tick is not an exception: a condition that ends the loop after a tick also ends it before
the first. So a restart does not start the budget again. `state` is always what is on the disk. So
an interruption has nothing to save; it reads the state from the disk.
"""

from __future__ import annotations

from dataclasses import replace

from g2c.loop.core.base import BaseRunner
from g2c.loop.core.types import Budget, LoopState, LoopStatus, TickOutcome
from g2c.loop.next_status import next_status


def run(runner: BaseRunner, goal: str | None = None, budget: Budget | None = None) -> LoopState:
    with runner.exclusive():
        state = runner.open(goal, budget)
        failures = runner.failures_in_a_row(state)
        try:
            if state.status == "running":
                state = replace(state, status=_ask(runner, "continue", failures, state))
            while state.status == "running":
                state, record = runner.tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = replace(state, status=_ask(runner, record.outcome, failures, state))
                runner.commit(state, record)
                if state.status == "running":
                    state = runner.review(state)
        except KeyboardInterrupt:
            state = runner.interrupted()
        runner.close(state)
        return state


def _ask(runner: BaseRunner, outcome: TickOutcome, failures: int, state: LoopState) -> LoopStatus:
    return next_status(
        outcome, failures, state.budget, state.spent, runner.signals(), runner.config.max_failures
    )
