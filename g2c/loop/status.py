"""What a tick leads to: another one, or one of four ways to end.

A loop that nobody watches must end by itself, and say why. The idea to take away: all that can end
it is decided in one pure function, in one order. So what happens when two reasons meet is written
down once, and can be tested without a loop.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.loop.provided.types import (
    MAX_FAILURES,
    Budget,
    LoopStatus,
    Signals,
    Spent,
    TickOutcome,
)


@exercise("22.2")
def next_status(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = MAX_FAILURES,
) -> LoopStatus:
    """Decide what a loop is after a tick, which `spent` and `failures_in_a_row` include, or before
    the first one, where `outcome` is `continue`. The first of these that holds is the answer:

    - `done`: the success command succeeded, whatever became of the tick. Where there is no success
      command, the outcome `done` is enough; where there is one, the outcome counts for nothing.
    - `stopped`: somebody asked for it.
    - `failed`: `max_failures` ticks or more in a row have failed.
    - `budget_exceeded`: as much is spent of ticks, tokens or seconds as the budget has, or more. A
      bound of None is none.
    - `running`: otherwise.

    >>> next_status("continue", 0, Budget(ticks=3), Spent(ticks=2), Signals())
    'running'
    >>> next_status("continue", 0, Budget(ticks=3), Spent(ticks=3), Signals())
    'budget_exceeded'
    >>> next_status("done", 0, Budget(), Spent(ticks=1), Signals(success=False))
    'running'
    """
    raise NotImplementedError
