"""Many agents write one record, and none of them waits for the disk in another's way.

The idea to take away: a line is written when the disk has it, so whoever acknowledges it must wait
for the disk, and nobody else must.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Queue

from g2c.exercise import exercise
from g2c.swarm.provided.entries import Entry


@exercise("24.6")
def write_behind(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    """TODO (at most 120 words). It runs in a thread of its own until None comes, and writes the
    lines in their order. All that wait at a moment are written by one call of `write`, which takes
    long. An entry's `written` is set after that, or gets its error, which stops no later line.
    """
    raise NotImplementedError
