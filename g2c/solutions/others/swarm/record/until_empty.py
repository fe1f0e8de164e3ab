"""24.6 with a batch that ends where the queue is empty, or at None.

It relies on no count, so it would be right with a queue that cannot tell how much it holds.
It costs an exception for each batch. And whoever puts lines faster than they are taken keeps the
batch open, so with such writers the queue needs a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue

from g2c.swarm.provided.entries import Entry


def write_behind(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    while (first := waiting.get()) is not None:
        taken = [first, *_rest(waiting)]
        is_last = taken[-1] is None
        batch = [one for one in taken if one is not None]
        kept = [one for one in batch if one.written.set_running_or_notify_cancel()]
        if kept:
            _write(kept, write)
        if is_last:
            return


def _rest(waiting: Queue[Entry | None]) -> Iterator[Entry | None]:
    with suppress(Empty):
        while True:
            entry = waiting.get_nowait()
            yield entry
            if entry is None:
                return


def _write(entries: Sequence[Entry], write: Callable[[Sequence[str]], None]) -> None:
    failed: Exception | None = None
    try:
        write([entry.line for entry in entries])
    except Exception as error:  # the thread goes on, and those who wait are told
        failed = error
    for entry in entries:
        if failed is not None:
            entry.written.set_exception(failed)
        else:
            entry.written.set_result(None)
