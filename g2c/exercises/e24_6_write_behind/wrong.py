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

wrong(
    "A log is written line by line.",
    (TAKE, ""),
    caught_by="test_all_that_wait_are_one_write",
    says="as long for one as for three",
)
wrong(
    "What is in the queue will be written, so it can be acknowledged.",
    (
        "        try:\n",
        "        for entry in entries:\n            entry.written.set_result(None)\n        try:\n",
    ),
    (FAILED, "                pass"),
    (DONE, "                pass"),
    caught_by="test_nothing_is_acknowledged_before_the_disk_has_it",
    says="after a crash they would be gone",
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
    caught_by="test_an_acknowledgement_does_not_wait_for_later_lines",
    says="before the next call of write",
)
wrong(
    "An error of the disk is an error of the thread.",
    (FAILED, FAILED + "\n            raise"),
    caught_by="test_an_error_goes_to_those_whose_lines_it_was",
    says="all others would wait for ever",
)
wrong(
    "A thread must never die, so errors are passed over.",
    (FAILED, "                pass"),
    caught_by="test_an_error_at_the_end_is_told_too",
    says="whoever waits is told",
)
wrong(
    "Whoever cancels has nothing more to do with the line, which is written.",
    (KEPT, "entry"),
    (FAILED, "                entry.written.cancelled() or entry.written.set_exception(error)"),
    (DONE, "                entry.written.cancelled() or entry.written.set_result(None)"),
    caught_by="test_a_cancelled_line_is_not_written",
    says="nobody wants b any more",
)
wrong(
    "It is enough to ask before the write whether somebody cancelled.",
    (KEPT, "entry and not entry.written.cancelled()"),
    caught_by="test_cancelling_during_the_write_stops_nothing",
    says="set to running before",
)
wrong(
    "A write of no lines does no harm.",
    ("        if not entries:\n            continue\n", ""),
    caught_by="test_without_a_line_nothing_is_written",
    says="costs a disk's time, too",
)
wrong(
    "None comes when nothing else does.",
    ("is_open = None not in taken", "is_open = taken != [None]"),
    caught_by="test_none_ends_it_wherever_it_is_met",
    says="the function never returns",
)
wrong(
    "A disk takes a thousand lines at a time.",
    ("range(waiting.qsize())", "range(min(999, waiting.qsize()))"),
    caught_by="test_many_lines_are_one_write",
    says="has no upper bound",
)


@wrong(caught_by="test_it_waits_and_does_not_ask_again_and_again", says="it asks again and again")
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


@wrong(caught_by="test_a_later_line_is_another_write", says="waits for a batch to become full")
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
    caught_by="test_the_end_of_the_program_is_nobodys_error",
    says="the program is to end",
)
wrong(
    "A line that is there already need not be written again.",
    (
        "write([entry.line for entry in entries])",
        "write([*dict.fromkeys(entry.line for entry in entries)])",
    ),
    caught_by="test_each_line_is_written_as_it_is",
    says="two equal ones are two",
)
