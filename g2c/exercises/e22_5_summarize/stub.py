"""A loop that has ended, as it is remembered: how it came out, and what was done, within a bound.

The idea to take away: a loop's last words do not sum it up. Its beginning shows how it understood
the task, its end shows the result, and the errors show what to do better. So a bound cuts from the
middle, and says that it did.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.loop.core.types import LoopState, SessionSummary, TickRecord
from g2c.loop.core.words import MAX_CHARS


@exercise("22.5")
def summarize(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """Sum up the loop that ended with `state` and whose log is `ticks`.

    You have `tick_texts`, `clip` and `left_out` of `g2c.loop.core.words`.

    The outcome is `success` for a loop that is done, `abandoned` for a stopped one, else `failure`.

    If a number repeats, its last record counts. A number above the state's does not.

    The transcript has the texts of the ticks that count, with blank lines between, in at most
    `max_chars` characters (at least 100). If they do not fit, each is clipped to a quarter of
    `max_chars`. If that is still too long, the oldest ticks after the first are left out, as few as
    possible, and `left_out` stands in their place.

    Raises:
        LoopError: the loop is still running.

    >>> from datetime import datetime
    >>> from g2c.loop import Budget, Spent
    >>> now = datetime(2026, 4, 21)
    >>> state = LoopState("Tea.", "stopped", 1, Budget(), Spent(1, 90, 2.5), now, now)
    >>> summary = summarize(state, [TickRecord(1, now, "continue", answer="Water is hot.")])
    >>> summary.outcome, summary.transcript
    ('abandoned', 'Tick 1 (continue)\\nAnswer: Water is hot.')
    """
    raise NotImplementedError
