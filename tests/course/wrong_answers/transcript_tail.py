"""20.2 gone wrong."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import chain, islice
from pathlib import Path

from g2c.memory.base import MemoryStoreError, Turn
from g2c.memory.lines import turn_of
from g2c.memory.transcript import TranscriptLog

from . import wrong

wrong = partial(wrong, "20.2")

BLOCK = 1 << 16


def check(n: int) -> None:
    if n < 0:
        raise MemoryStoreError("The number of turns must be at least 0.")


def backwards(file: Path, block: int = BLOCK) -> Iterator[bytes]:
    """The lines of a file, last line first."""
    pieces: deque[bytes] = deque()
    with file.open("rb") as log:
        start = log.seek(0, os.SEEK_END)
        while start > 0:
            size = min(block, start)
            start -= size
            log.seek(start)
            first, *lines = log.read(size).split(b"\n")
            if lines:
                pieces.appendleft(lines.pop())
                yield b"".join(pieces)
                yield from reversed(lines)
                pieces.clear()
            pieces.appendleft(first)
        yield b"".join(pieces)


def newest(log: TranscriptLog) -> Iterator[Turn]:
    lines = chain.from_iterable(backwards(file) for _, file in log.days())
    return filter(None, map(turn_of, lines))


@wrong(
    caught_by="test_the_end_is_all_that_is_read",
    says="bytes of memory for the last 10 lines",
)
def a_days_file_is_small(self: TranscriptLog, n: int) -> list[Turn]:
    """A day's transcript fits into memory; splitting it is the plainest way."""
    check(n)
    turns: list[Turn] = []
    for _, file in self.days():
        found = [turn for line in file.read_bytes().split(b"\n") if (turn := turn_of(line))]
        turns = found + turns
        if len(turns) >= n:
            break
    return turns[len(turns) - min(n, len(turns)) :]


@wrong(
    caught_by="test_the_end_is_all_that_is_read",
    says="begin at its end, and stop when you have them",
)
def what_is_not_kept_costs_nothing(self: TranscriptLog, n: int) -> list[Turn]:
    """A deque with a limit keeps the last lines and forgets the others, so memory stays small."""
    check(n)
    turns: list[Turn] = []
    for _, file in self.days():
        kept: deque[Turn] = deque(maxlen=n - len(turns))
        with file.open("rb") as log:
            kept.extend(turn for line in log if (turn := turn_of(line)))
        turns = [*kept, *turns]
        if len(turns) == n:
            break
    return turns


@wrong(
    caught_by="test_lines_that_hold_no_turn_do_not_count",
    says="torn, blank and foreign lines are none, wherever they stand",
)
def the_last_n_lines_are_the_last_n_turns(self: TranscriptLog, n: int) -> list[Turn]:
    """A line is a turn: take n lines, and leave out those that cannot be read."""
    check(n)
    lines = chain.from_iterable(backwards(file) for _, file in self.days())
    taken = [line for line in islice((line for line in lines if line), n)]
    return [turn for line in reversed(taken) if (turn := turn_of(line))]


@wrong(
    caught_by="test_a_last_line_without_its_newline_counts_if_it_is_whole",
    says="only the newline is missing",
)
def a_line_without_its_newline_is_torn(self: TranscriptLog, n: int) -> list[Turn]:
    """What stands behind the last newline was not finished, so it is left alone."""
    check(n)
    lines = chain.from_iterable(islice(backwards(file), 1, None) for _, file in self.days())
    return list(islice(filter(None, map(turn_of, lines)), n))[::-1]


@wrong(
    caught_by="test_the_newest_come_oldest_first",
    says="in the order in which they were said",
)
def the_newest_comes_first(self: TranscriptLog, n: int) -> list[Turn]:
    """Newest first, as in any list of what happened last."""
    check(n)
    return list(islice(newest(self), n))


@wrong(
    caught_by="test_the_days_before_come_in_front",
    says="just after midnight, UTC, what was said last still stands in yesterday's file",
)
def the_tail_is_that_of_today(self: TranscriptLog, n: int) -> list[Turn]:
    """The newest turns stand in the newest file."""
    check(n)
    lines = chain.from_iterable(backwards(file) for _, file in self.days()[:1])
    return list(islice(filter(None, map(turn_of, lines)), n))[::-1]


@wrong(
    caught_by="test_days_may_be_missing",
    says="nobody talks every day",
)
def days_follow_each_other(self: TranscriptLog, n: int) -> list[Turn]:
    """The file before today's is yesterday's, and where there is none the log begins."""
    check(n)
    if not self.days():
        return []
    turns: list[Turn] = []
    day = self.days()[0][0]
    while (file := self.path_of(day)).exists() and len(turns) < n:
        turns += islice(filter(None, map(turn_of, backwards(file))), n - len(turns))
        day -= timedelta(days=1)
    return turns[::-1]


@wrong(
    caught_by="test_the_days_before_come_in_front",
    says="still stands in yesterday's file",
)
def days_are_joined_as_they_are_read(self: TranscriptLog, n: int) -> list[Turn]:
    """Each day's turns are put behind those that were found before."""
    check(n)
    turns: list[Turn] = []
    for _, file in self.days():
        found = islice(filter(None, map(turn_of, backwards(file))), n - len(turns))
        turns += list(found)[::-1]
        if len(turns) == n:
            break
    return turns


@wrong(
    caught_by="test_the_order_is_that_of_the_lines",
    says="whatever the writers' clocks said",
)
def the_newest_has_the_latest_time(self: TranscriptLog, n: int) -> list[Turn]:
    """Several processes write, so the lines have to be sorted by their times."""
    check(n)
    found = sorted(list(islice(newest(self), n + 100))[::-1], key=lambda turn: turn.ts)
    return found[max(0, len(found) - n) :]


@wrong(
    caught_by="test_none_were_asked_for",
    says="beware of turns[-0:]",
)
def a_slice_from_the_end_takes_n(self: TranscriptLog, n: int) -> list[Turn]:
    """turns[-n:] are the last n of a list."""
    check(n)
    found: deque[Turn] = deque()
    for turn in newest(self):
        found.appendleft(turn)
        if len(found) >= max(n, 1):
            break
    return list(found)[-n:]


@wrong(
    caught_by="test_a_negative_number_is_refused",
    says="a mistake of the caller's",
)
def less_than_nothing_is_nothing(self: TranscriptLog, n: int) -> list[Turn]:
    """Where fewer than none are asked for, there are none to give."""
    return list(islice(newest(self), max(0, n)))[::-1]


@wrong(
    caught_by="test_only_a_newline_ends_a_line",
    says="str.splitlines also splits at",
)
def splitlines_splits_lines(self: TranscriptLog, n: int) -> list[Turn]:
    """splitlines() is what cuts a text into lines."""
    check(n)

    def lines(file: Path) -> Iterator[bytes]:
        for line in backwards(file):
            yield from (
                part.encode() for part in reversed(line.decode("utf-8", "replace").splitlines())
            )

    found = chain.from_iterable(lines(file) for _, file in self.days())
    return list(islice(filter(None, map(turn_of, found)), n))[::-1]


@wrong(
    caught_by="test_a_letter_may_lie_across_two_blocks",
    says="A block that is turned into text before it is cut into lines",
)
def a_block_is_text(self: TranscriptLog, n: int) -> list[Turn]:
    """A transcript is UTF-8, so what is read from it can be decoded."""
    check(n)

    def lines(file: Path) -> Iterator[bytes]:
        with file.open("rb") as log:
            start, rest = log.seek(0, os.SEEK_END), ""
            while start > 0:
                size = min(BLOCK, start)
                start -= size
                log.seek(start)
                rest, *found = (log.read(size).decode("utf-8", "replace") + rest).split("\n")
                yield from (line.encode() for line in reversed(found))
            yield rest.encode()

    found = chain.from_iterable(lines(file) for _, file in self.days())
    return list(islice(filter(None, map(turn_of, found)), n))[::-1]


@wrong(
    caught_by="test_a_long_line_is_not_copied_for_each_block",
    says="is copied once a block",
)
def what_is_carried_over_is_short(self: TranscriptLog, n: int) -> list[Turn]:
    """The rest of a line goes behind the next block, and is cut with it; it is short."""
    check(n)

    def lines(file: Path) -> Iterator[bytes]:
        with file.open("rb") as log:
            start, rest = log.seek(0, os.SEEK_END), b""
            while start > 0:
                size = min(BLOCK, start)
                start -= size
                log.seek(start)
                rest, *found = (log.read(size) + rest).split(b"\n")
                yield from reversed(found)
            yield rest

    found = chain.from_iterable(lines(file) for _, file in self.days())
    return list(islice(filter(None, map(turn_of, found)), n))[::-1]


@wrong(
    caught_by="test_a_long_line_is_not_copied_for_each_block",
    says="is copied once a block",
)
def the_end_grows_until_it_is_enough(self: TranscriptLog, n: int) -> list[Turn]:
    """Read the last block; where it has too few turns, the last two, and so on."""
    check(n)
    turns: list[Turn] = []
    for _, file in self.days():
        size = start = file.stat().st_size
        found: list[Turn] = []
        while start > 0 and len(found) < n - len(turns):
            start = max(0, start - BLOCK)
            with file.open("rb") as log:
                log.seek(start)
                lines = log.read(size - start).split(b"\n")
            found = [turn for line in lines[start > 0 :] if (turn := turn_of(line))]
        turns = found[max(0, len(found) - (n - len(turns))) :] + turns
    return turns


@wrong(
    caught_by="test_every_turn_comes_once",
    says="a line may begin in one block and end in the next",
)
def blocks_end_where_lines_do(self: TranscriptLog, n: int) -> list[Turn]:
    """Each block is cut into lines; what cannot be read at its edges was torn."""
    check(n)

    def lines(file: Path) -> Iterator[bytes]:
        with file.open("rb") as log:
            start = log.seek(0, os.SEEK_END)
            while start > 0:
                size = min(BLOCK, start)
                start -= size
                log.seek(start)
                yield from reversed(log.read(size).split(b"\n"))

    found = chain.from_iterable(lines(file) for _, file in self.days())
    return list(islice(filter(None, map(turn_of, found)), n))[::-1]


@wrong(
    caught_by="test_a_line_may_be_longer_than_a_block",
    says="a tool's output can be longer than any block that you chose to read",
)
def a_line_ends_in_the_next_block(self: TranscriptLog, n: int) -> list[Turn]:
    """A line that begins in a block ends in the one behind it, so one piece is to be kept."""
    check(n)

    def lines(file: Path) -> Iterator[bytes]:
        with file.open("rb") as log:
            start, rest = log.seek(0, os.SEEK_END), b""
            while start > 0:
                size = min(BLOCK, start)
                start -= size
                log.seek(start)
                first, *found = log.read(size).split(b"\n")
                if found:
                    found[-1] += rest
                yield from reversed(found)
                rest = first
            yield rest

    found = chain.from_iterable(lines(file) for _, file in self.days())
    return list(islice(filter(None, map(turn_of, found)), n))[::-1]


@wrong(
    caught_by="test_a_line_may_be_longer_than_a_block",
    says="a tool's output can be longer than any block that you chose to read",
)
def a_line_has_a_usual_length(self: TranscriptLog, n: int) -> list[Turn]:
    """A turn has a few hundred bytes, so that n turns stand in the last n thousand."""
    check(n)
    turns: list[Turn] = []
    for _, file in self.days():
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - 1_000 * (n + 20)))
            found = [turn for line in log.read().split(b"\n") if (turn := turn_of(line))]
        turns = found[max(0, len(found) - (n - len(turns))) :] + turns
        if len(turns) >= n:
            break
    return turns


@wrong(
    caught_by="test_a_torn_last_line_is_passed_over",
    says="the last line is torn and holds no turn",
)
def what_was_logged_can_be_read(self: TranscriptLog, n: int) -> list[Turn]:
    """Every line was written by append, so that it is JSON."""
    check(n)
    turns = []
    for line in chain.from_iterable(backwards(file) for _, file in self.days()):
        if len(turns) == n:
            break
        if line:
            try:
                json.loads(line)
            except ValueError:
                return turns[::-1]
            if turn := turn_of(line):
                turns.append(turn)
    return turns[::-1]
