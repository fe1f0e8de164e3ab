"""22.2 as a list of reasons: the first that applies is the status.

Their order can be read from top to bottom. It costs computing every reason, even if an earlier one
applies.
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
    is_done = outcome == "done" if signals.success is None else signals.success
    is_spent = any(
        bound is not None and bound <= getattr(spent, name) for name, bound in vars(budget).items()
    )
    reasons: list[tuple[LoopStatus, bool]] = [
        ("done", is_done),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", is_spent),
    ]
    return next((status for status, holds in reasons if holds), "running")
