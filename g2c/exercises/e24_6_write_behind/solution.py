"""24.6: wait for one entry, take all others that are there, write them, and only then complete
their futures.

Nobody else takes from the queue, so as many entries as it has now can be taken without waiting. The
count is made once, so a fast writer cannot keep a batch open for ever. A future that is running can
no longer be cancelled, so between the question and the answer nothing can happen to it. It costs
one call of `write` for a batch, however many lines there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Queue

from g2c.swarm.core.entries import Entry


def write_behind(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    is_open = True
    while is_open:
        taken = [waiting.get()]
        taken += [waiting.get() for _ in range(waiting.qsize())]
        is_open = None not in taken
        entries = [
            entry for entry in taken if entry and entry.written.set_running_or_notify_cancel()
        ]
        if not entries:
            continue
        try:
            write([entry.line for entry in entries])
        except Exception as error:  # whatever it is, whoever waits for the line has to know
            for entry in entries:
                entry.written.set_exception(error)
        else:
            for entry in entries:
                entry.written.set_result(None)
