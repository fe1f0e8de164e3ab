"""20.2: one function reads blocks and knows nothing of turns; the other only counts turns.

Both are lazy, so nothing is read beyond the last line that is needed.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from g2c.memory.core.transcripts import BaseTranscriptLog, turn_of
from g2c.memory.core.types import MemoryStoreError, Turn

_BLOCK = 1 << 16


def tail(log: BaseTranscriptLog, n: int) -> list[Turn]:
    if n < 0:
        raise MemoryStoreError(f"The number of turns must be at least 0, got {n}.")
    lines = chain.from_iterable(_lines_from_the_end(file) for _, file in log.days())
    # There may be millions of blank lines, and none is a turn.
    turns = (turn for turn in map(turn_of, filter(None, lines)) if turn)
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
