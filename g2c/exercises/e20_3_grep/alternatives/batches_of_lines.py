"""20.3 with `readlines`, which returns whole lines of about the requested number of bytes.

The file object ends each block after a whole line, so no block has to be extended, and `len` counts
its lines. It costs an object for each line, and nearly all of them are thrown away.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from g2c.memory.core.line_pattern import LinePattern
from g2c.memory.core.transcripts import BaseTranscriptLog, turn_of
from g2c.memory.core.types import GrepHit, MemoryStoreError

_BYTES = 1 << 16


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
    for day, path in log.days():
        if (today - day).days >= days_back:
            return
        number = 1
        with path.open("rb") as file:
            while lines := file.readlines(_BYTES):
                for place, line in matcher.lines_in(b"".join(lines)):
                    if turn := turn_of(line):
                        yield GrepHit(path, number + place, turn)
                number += len(lines)
