"""Writing down what was said: one line at the end of the day's file.

The idea to take away: a file that only grows at its end can be damaged in one place, its last line.
The next writer starts a new line there and readers skip the damaged one. So nothing that was
written is lost, and nothing has to be repaired.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.memory.core.transcripts import BaseTranscriptLog
from g2c.memory.core.types import Turn


@exercise("20.1")
def append(log: BaseTranscriptLog, turn: Turn) -> None:
    r"""Add `turn` at the end of its day's file, as one line.

    You have `line_of(turn)` of `g2c.memory.core.transcripts`, `log.path_of` and
    `log.exclusive`.

    - The day is the turn's own, in UTC.
    - The file stays as it is, byte for byte, and is not read as a whole. If a writer died, the last
      line lacks its newline; the new line begins below it. There are no blank lines.
    - Other processes append, and die, at any time.
    - When this returns, every process can read the whole line. With `log.fsync` it is also on the
      disk.

    Raises:
        MemoryStoreError: the turn's time has no time zone.
        OSError: the line could not be written whole, as on a full disk.

    >>> from datetime import date, datetime, timedelta, timezone
    >>> from tempfile import mkdtemp
    >>> from g2c.memory import TranscriptLog
    >>> log = TranscriptLog(mkdtemp())
    >>> new_york = timezone(timedelta(hours=-4))
    >>> log.append(Turn(datetime(2026, 4, 21, 22, 0, tzinfo=new_york), "a1", "user", "Hello."))
    >>> print(log.path_of(date(2026, 4, 22)).read_text(), end="")
    {"ts": "2026-04-22T02:00:00+00:00", "agent_id": "a1", "role": "user", "content": "Hello."}
    """
    raise NotImplementedError
