"""22.2: the reasons in the order of the contract, each a `return`.

`success` has three values, and the two that are not True mean different things: None, nobody looks,
so the agent's word is all there is; False, somebody looked. A failed tick that reached the goal
before it broke has reached it. Equal counts as used up, because the question is asked between two
ticks: with the last one spent there is none for the next.
"""

from __future__ import annotations

from g2c.loop.base import Budget, LoopStatus, Signals, Spent, TickOutcome
from g2c.loop.status import MAX_FAILURES


def next_status(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = MAX_FAILURES,
) -> LoopStatus:
    if signals.success or (signals.success is None and outcome == "done"):
        return "done"
    if signals.stop_requested:
        return "stopped"
    if failures_in_a_row >= max_failures:
        return "failed"
    bounds = (
        (budget.ticks, spent.ticks),
        (budget.tokens, spent.tokens),
        (budget.seconds, spent.seconds),
    )
    if any(bound is not None and used >= bound for bound, used in bounds):
        return "budget_exceeded"
    return "running"
