"""22.3 without a count of failures: after each failed tick the log shows how many came before.

Only the state passes from one tick to the next, so a restart has no number to lose. It costs a read
of the log for each failed tick, and its author must know that the tick itself is not in the log
yet.
"""

from __future__ import annotations

from dataclasses import replace

from g2c.loop.core.base import BaseRunner
from g2c.loop.core.types import Budget, LoopState, TickOutcome
from g2c.loop.next_status import next_status


def run(runner: BaseRunner, goal: str | None = None, budget: Budget | None = None) -> LoopState:
    with runner.exclusive():
        state = runner.open(goal, budget)
        try:
            if state.status == "running":
                state = _decided(runner, "continue", runner.failures_in_a_row(state), state)
            while state.status == "running":
                before = state
                state, record = runner.tick(before)
                has_failed = record.outcome == "failed"
                failures = runner.failures_in_a_row(before) + 1 if has_failed else 0
                state = _decided(runner, record.outcome, failures, state)
                runner.commit(state, record)
                if state.status == "running":
                    state = runner.review(state)
        except KeyboardInterrupt:
            state = runner.interrupted()
        runner.close(state)
        return state


def _decided(
    runner: BaseRunner, outcome: TickOutcome, failures: int, state: LoopState
) -> LoopState:
    most = runner.config.max_failures
    status = next_status(outcome, failures, state.budget, state.spent, runner.signals(), most)
    return replace(state, status=status)
