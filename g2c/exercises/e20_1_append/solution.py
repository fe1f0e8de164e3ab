"""20.1: with the lock held, one byte tells whether the last writer finished its line.

Without a buffer, `write` returns how much the kernel took. On a full disk that is a part of the
line, and the next call raises.
"""

from __future__ import annotations

import os
from datetime import UTC

from g2c.memory.core.transcripts import BaseTranscriptLog, line_of
from g2c.memory.core.types import Turn


def append(log: BaseTranscriptLog, turn: Turn) -> None:
    line = line_of(turn)
    path = log.path_of(turn.ts.astimezone(UTC).date())
    with log.exclusive(), path.open("ab+", buffering=0) as file:
        if file.seek(0, os.SEEK_END) > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                line = b"\n" + line
        while line:
            line = line[file.write(line) :]
        if log.fsync:
            os.fsync(file.fileno())
