"""The decision after a tick: another one, or one of four ways to end.

A loop that nobody watches must end by itself, and say why. The idea to take away: all that can end
it is decided in one pure function. So what happens when two reasons meet is written down once, and
can be tested without a loop.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.loop.core.types import MAX_FAILURES, Budget, LoopStatus, Signals, Spent, TickOutcome


@exercise("22.2")
def next_status(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = MAX_FAILURES,
) -> LoopStatus:
    """Decide the status of a loop after a tick, or before the first one (`outcome` is `continue`).

    `spent` and `failures_in_a_row` include that tick. In the morning the status tells a person
    what to do:

    - `done`: take the work. With a success command its word alone counts, else the agent's.
    - `stopped`: somebody asked for that; resume the loop, or leave it.
    - `failed`: mend something first; `max_failures` ticks or more failed in a row.
    - `budget_exceeded`: give it more; its ticks, tokens or seconds are used up. A bound of None is
      no bound.
    - `running`: leave it alone.

    If several are true, give the one after which nobody works in vain. Unfinished work that
    was stopped is `stopped`.

    >>> next_status("continue", 0, Budget(ticks=3), Spent(ticks=2), Signals())
    'running'
    >>> next_status("continue", 0, Budget(ticks=3), Spent(ticks=3), Signals())
    'budget_exceeded'
    >>> next_status("done", 0, Budget(), Spent(ticks=1), Signals(success=False))
    'running'
    """
    raise NotImplementedError
