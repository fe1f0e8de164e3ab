"""20.3: each block is extended to the next newline, so it has only whole lines.

So no match is cut, and memory holds only a block and the line at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from g2c.memory.core.line_pattern import LinePattern, count_lines
from g2c.memory.core.transcripts import BaseTranscriptLog, turn_of
from g2c.memory.core.types import GrepHit, MemoryStoreError

_BLOCK = 1 << 16


def grep(
    log: BaseTranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    if days_back < 1:
        raise MemoryStoreError(f"The number of days must be at least 1, got {days_back}.")
    matcher = LinePattern(pattern, ignore_case=ignore_case)
    for day, file in log.days():
        if (today - day).days >= days_back:
            return
        number = 1
        with file.open("rb") as lines:
            while block := lines.read(_BLOCK) + lines.readline():
                for place, line in matcher.lines_in(block):
                    if turn := turn_of(line):
                        yield GrepHit(file, number + place, turn)
                number += count_lines(block)
