"""Many agents write one record, and none waits for another's line.

The idea to take away: a line is written when the disk has it. Only the process that acknowledges
the line must wait for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Queue

from g2c.exercise import exercise
from g2c.swarm.core.entries import Entry


@exercise("24.6")
def write_behind(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    """Write the lines of entries until None comes. It runs in a thread of its own, and nobody else
    takes from `waiting`.

    It waits for an entry, without asking again and again. All entries that wait at that moment are
    written by one call of `write`, in their order. `write` takes long; what comes meanwhile is
    written by the next call.

    After a call, the `written` of each of its entries gets the result None, or the `Exception` that
    `write` raised. Later lines are written all the same. An entry that was cancelled before is not
    written, and `write` is never called without a line.

    After None nothing comes. All earlier entries are written first, then the function returns.
    """
    raise NotImplementedError
