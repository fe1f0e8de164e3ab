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
    """Write the lines of entries until None comes, the last of all. Nobody else takes from
    `waiting`.

    `write` takes long, for one line as for a thousand. Whatever `Exception` it raises or the
    agents do:

    - A line waits only for the call of `write` that goes on, and is in the next one. Lines keep
      their order.
    - The `written` of an entry gets the result None once its line is written, or the `Exception`
      that its call raised: not earlier, and always. Other errors, such as `SystemExit`, propagate.
    - A line whose entry was cancelled before the call is not written.
    - No call is empty, no line is in two, and there is no busy waiting.
    """
    raise NotImplementedError
