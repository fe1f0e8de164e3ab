"""22.3: one question before each tick, and one write before anything else.

The first tick is no exception: what would end the loop after a tick ends it before one. After a
restart that is the difference between a budget and a budget for each restart. `state` is always
what the disk has, so an interruption has nothing to save; it asks the disk what is so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from g2c.loop.status import next_status

if TYPE_CHECKING:
    from g2c.loop.base import Budget, LoopState, LoopStatus, TickOutcome
    from g2c.loop.runner import LoopRunner


def run(self: LoopRunner, goal: str | None = None, budget: Budget | None = None) -> LoopState:
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = replace(state, status=_ask(self, "continue", failures, state))
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = replace(state, status=_ask(self, record.outcome, failures, state))
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


def _ask(loop: LoopRunner, outcome: TickOutcome, failures: int, state: LoopState) -> LoopStatus:
    return next_status(
        outcome, failures, state.budget, state.spent, loop._signals(), loop.config.max_failures
    )
