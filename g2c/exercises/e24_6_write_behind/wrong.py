"""24.6 gone wrong."""

from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, Queue

from wrong_answers import wrong

from g2c.swarm.core.entries import Entry

wrong = partial(wrong, "24.6")

TAKE = "        taken += [waiting.get() for _ in range(waiting.qsize())]\n"
KEPT = "entry and entry.written.set_running_or_notify_cancel()"
WRITE = "            write([entry.line for entry in entries])\n"
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
    "A disk can fail in one way: OSError.",
    ("except Exception as error:", "except OSError as error:"),
    caught_by="test_an_error_goes_to_those_whose_lines_it_was",
    says="one write failed and ended the thread",
)
wrong(
    "The error is told to the first that waits.",
    (FAILED, "                entry.written.set_exception(error) if entry is entries[0] else None"),
    caught_by="test_an_error_goes_to_those_whose_lines_it_was",
    says="both of them",
)
wrong(
    "A write that failed is tried once more.",
    (
        WRITE,
        "            try:\n"
        "                write([entry.line for entry in entries])\n"
        "            except Exception:\n"
        "                write([entry.line for entry in entries])\n",
    ),
    caught_by="test_an_error_goes_to_those_whose_lines_it_was",
    says="not tried again",
)
wrong(
    "After an error, one stops until somebody has looked.",
    (FAILED, FAILED + "\n            is_open = False"),
    caught_by="test_an_error_goes_to_those_whose_lines_it_was",
    says="later lines are still written",
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
    "An entry in the queue waits for its line.",
    (KEPT, "entry"),
    caught_by="test_a_cancelled_line_is_not_written",
    says="takes no result and no error",
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
    "When nothing is left of a batch, all has been written.",
    ("            continue\n", "            return\n"),
    caught_by="test_without_a_line_nothing_is_written",
    says="both lines that waited were cancelled",
)
wrong(
    "None comes when nothing else does.",
    ("is_open = None not in taken", "is_open = taken != [None]"),
    caught_by="test_none_ends_it_wherever_it_is_met",
    says="the function never returns",
)
wrong(
    "None means: stop now.",
    (
        "        if not entries:\n            continue\n",
        "        if not entries or not is_open:\n            continue\n",
    ),
    caught_by="test_none_ends_it_wherever_it_is_met",
    says="What came before it is written",
)
wrong(
    "The newest line is the most urgent one.",
    ("[entry.line for entry in entries]", "[entry.line for entry in entries[::-1]]"),
    caught_by="test_all_that_wait_are_one_write",
    says="in their order",
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
wrong(
    "Where there is no text there is nothing to write.",
    (
        "write([entry.line for entry in entries])",
        "write([entry.line for entry in entries if entry.line.strip()])",
    ),
    caught_by="test_each_line_is_written_as_it_is",
    says="an empty one is a line",
)
wrong(
    "A short nap between two looks costs nobody anything.",
    (
        "        taken = [waiting.get()]\n",
        "        while waiting.empty():\n            pass\n        taken = [waiting.get()]\n",
    ),
    caught_by="test_it_waits_and_does_not_ask_again_and_again",
    says="it asks again and again",
)
wrong(
    "After a nap more lines wait, and one write takes them all.",
    (
        "        taken = [waiting.get()]\n",
        "        taken = [waiting.get()]\n        time.sleep(0.01)\n",
    ),
    ("    is_open = True\n", "    import time\n\n    is_open = True\n"),
    caught_by="test_a_later_line_is_another_write",
    says="a nap before a write makes each line later",
)
