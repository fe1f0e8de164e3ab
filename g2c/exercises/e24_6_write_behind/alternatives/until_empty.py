"""24.6 with a batch that ends when the queue is empty, or at None.

It needs no count, so it would work with a queue that does not know its length. It costs an
exception for each batch. Agents that add lines faster than they are taken keep the batch open; with
such agents the queue needs a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue

from g2c.swarm.core.entries import Entry


def write_behind(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    while (first := waiting.get()) is not None:
        taken = [first, *_rest(waiting)]
        is_last = taken[-1] is None
        batch = [entry for entry in taken if entry is not None]
        kept = [entry for entry in batch if entry.written.set_running_or_notify_cancel()]
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
    except Exception as error:  # the thread goes on, and each waiting agent gets it
        failed = error
    for entry in entries:
        if failed is not None:
            entry.written.set_exception(failed)
        else:
            entry.written.set_result(None)
