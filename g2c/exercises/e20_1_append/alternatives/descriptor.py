"""20.1 with a file descriptor and `os.pread`, without a file object.

There is no buffer and no position to think of: O_APPEND writes at the end, and `pread` takes the
position as an argument. It costs a `try` and `finally`, and it does not run on Windows.
"""

from __future__ import annotations

import os
from datetime import UTC

from g2c.memory.core.transcripts import BaseTranscriptLog, line_of
from g2c.memory.core.types import Turn


def append(log: BaseTranscriptLog, turn: Turn) -> None:
    line = line_of(turn)
    path = log.path_of(turn.ts.astimezone(UTC).date())
    with log.exclusive():
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            size = os.fstat(file).st_size
            if size and os.pread(file, 1, size - 1) != b"\n":
                line = b"\n" + line
            while line:
                line = line[os.write(file, line) :]
            if log.fsync:
                os.fsync(file)
        finally:
            os.close(file)
