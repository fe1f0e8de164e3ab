"""24.6 gone wrong."""

from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, Queue

from wrong_answers import wrong

from g2c.swarm.core.entries import Entry

wrong = partial(wrong, "24.6")

TAKE = "        taken += [waiting.get() for _ in range(waiting.qsize())]\n"
KEPT = "entry and entry.written.set_running_or_notify_cancel()"
FAILED = "                entry.written.set_exception(error)"
DONE = "                entry.written.set_result(None)"

wrong("A log is written line by line.", (TAKE, ""))
wrong(
    "What is in the queue will be written, so it can be acknowledged.",
    (
        "        try:\n",
        "        for entry in entries:\n            entry.written.set_result(None)\n        try:\n",
    ),
    (FAILED, "                pass"),
    (DONE, "                pass"),
)
wrong(
    "Whoever writes can tell everybody at the end.",
    ("    is_open = True\n", "    is_open = True\n    told = []\n"),
    (DONE, "                told.append(entry)"),
    (
        "        if not entries:\n",
        "        if not is_open:\n"
        "            told, last = [], told\n"
        "            for entry in last:\n                entry.written.set_result(None)\n"
        "        if not entries:\n",
    ),
)
wrong("An error of the disk is an error of the thread.", (FAILED, FAILED + "\n            raise"))
wrong("A thread must never die, so errors are passed over.", (FAILED, "                pass"))
wrong(
    "Whoever cancels has nothing more to do with the line, which is written.",
    (KEPT, "entry"),
    (FAILED, "                entry.written.cancelled() or entry.written.set_exception(error)"),
    (DONE, "                entry.written.cancelled() or entry.written.set_result(None)"),
)
wrong(
    "It is enough to ask before the write whether somebody cancelled.",
    (KEPT, "entry and not entry.written.cancelled()"),
)
wrong("A write of no lines does no harm.", ("        if not entries:\n            continue\n", ""))
wrong(
    "None comes when nothing else does.",
    ("is_open = None not in taken", "is_open = taken != [None]"),
)
wrong(
    "A disk takes a thousand lines at a time.",
    ("range(waiting.qsize())", "range(min(999, waiting.qsize()))"),
)


@wrong()
def polls(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    """A loop looks whether there is something; a queue says so."""
    is_open = True
    while is_open:
        entries: list[Entry] = []
        while is_open:
            try:
                entry = waiting.get_nowait()
            except Empty:
                break
            if entry is None:
                is_open = False
            elif entry.written.set_running_or_notify_cancel():
                entries.append(entry)
        if not entries:
            continue
        try:
            write([entry.line for entry in entries])
        except Exception as error:
            for entry in entries:
                entry.written.set_exception(error)
        else:
            for entry in entries:
                entry.written.set_result(None)


@wrong()
def fills_up(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    """A batch of two is cheaper than two of one, so it is worth to wait for the second."""
    is_open = True
    while is_open:
        taken = [waiting.get()]
        while taken[-1] is not None and (len(taken) < 2 or waiting.qsize()):
            taken.append(waiting.get())
        is_open = None not in taken
        entries = [
            entry for entry in taken if entry and entry.written.set_running_or_notify_cancel()
        ]
        if not entries:
            continue
        try:
            write([entry.line for entry in entries])
        except Exception as error:
            for entry in entries:
                entry.written.set_exception(error)
        else:
            for entry in entries:
                entry.written.set_result(None)


wrong(
    "The thread must survive whatever `write` raises.",
    ("except Exception as error:", "except BaseException as error:"),
)
wrong(
    "A line that is there already need not be written again.",
    (
        "write([entry.line for entry in entries])",
        "write([*dict.fromkeys(entry.line for entry in entries)])",
    ),
)
