"""20.1, 20.2, 20.3: write at the end, read from the end, and search a block at a time."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from datetime import UTC
from itertools import chain, islice
from typing import TYPE_CHECKING

from g2c.memory.base import GrepHit, MemoryStoreError
from g2c.memory.line_pattern import LinePattern, count_lines
from g2c.memory.lines import line_of, turn_of

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from g2c.memory.base import Turn
    from g2c.memory.transcript import TranscriptLog

_BLOCK = 1 << 16


def append(self: TranscriptLog, turn: Turn) -> None:
    """One byte, looked at with the lock held, says whether the last writer lived.

    Without a buffer, what `write` returns is what the kernel took: on a full disk that is a part of
    the line, and the next call raises.
    """
    line = line_of(turn)
    file = self.path_of(turn.ts.astimezone(UTC).date())
    with self._exclusive(), file.open("ab+", buffering=0) as log:
        if log.seek(0, os.SEEK_END) > 0:
            log.seek(-1, os.SEEK_END)
            if log.read(1) != b"\n":
                line = b"\n" + line
        while line:
            line = line[log.write(line) :]
        if self.fsync:
            os.fsync(log.fileno())


def tail(self: TranscriptLog, n: int) -> list[Turn]:
    """What reads blocks knows nothing of turns, and what counts turns knows nothing of blocks.

    Both are lazy, so the last line that is asked for is the last that is read.
    """
    if n < 0:
        raise MemoryStoreError(f"The number of turns must be at least 0, got {n}.")
    lines = chain.from_iterable(_lines_from_the_end(file) for _, file in self.days())
    turns = (turn for turn in map(turn_of, lines) if turn)
    return list(islice(turns, n))[::-1]


def _lines_from_the_end(file: Path) -> Iterator[bytes]:
    """The beginning of a block is carried over to the block before it, where its line began.

    It is carried in pieces: to join them at each block would copy a long line once a block.
    """
    pieces: deque[bytes] = deque()
    with file.open("rb") as log:
        start = log.seek(0, os.SEEK_END)
        while start > 0:
            size = min(_BLOCK, start)
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


def grep(
    self: TranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    """Each block is read on to the next newline, so that it is whole lines and no match is cut.

    No more is held than a block and the line at its edge.
    """
    if days_back < 1:
        raise MemoryStoreError(f"The number of days must be at least 1, got {days_back}.")
    matcher = LinePattern(pattern, ignore_case=ignore_case)
    for day, file in self.days():
        if (today - day).days >= days_back:
            return
        number = 1
        with file.open("rb") as log:
            while block := log.read(_BLOCK) + log.readline():
                for place, line in matcher.lines_in(block):
                    if turn := turn_of(line):
                        yield GrepHit(file, number + place, turn)
                number += count_lines(block)
