"""22.2: the reasons in an order, one `return` each.

Finished work needs nobody, so it comes first. A person who asked for the end reads `stopped`, not a
complaint. More budget would not help a loop that only fails, so failing comes before it.

`success` has three values. None means that nobody checks, so only the agent's word counts. False
means that somebody checked. A failed tick that reached the goal has reached it. A limit counts as
used up when it is equal: the question is asked between ticks, and no tick is left for the next.
"""

from __future__ import annotations

from g2c.loop.core.types import MAX_FAILURES, Budget, LoopStatus, Signals, Spent, TickOutcome


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
