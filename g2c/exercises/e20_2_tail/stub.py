"""The newest turns, read from the end.

The idea to take away: what an agent needs of its past is mostly the last of it. A file can be read
from its end, so the newest ten turns of a million cost what the newest ten of a hundred cost.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.memory.core.transcripts import BaseTranscriptLog
from g2c.memory.core.types import Turn


@exercise("20.2")
def tail(log: BaseTranscriptLog, n: int) -> list[Turn]:
    """The newest `n` turns, oldest first; all of them where there are fewer.

    You have `log.days()`, and `turn_of(line)` of `g2c.memory.core.transcripts`, which gives
    None for bytes that hold no turn.

    - Where a day has too few turns, those of the day before it come in front.
    - A line that holds no turn (torn, blank, foreign) is skipped and does not count. The last line
      may lack its newline; it counts if it holds a turn.
    - Files are read from their ends, and no further than needed. A line may be of any length: one
      that is twice as long costs twice as much.

    Raises:
        MemoryStoreError: `n` is negative.

    >>> from datetime import date
    >>> from tempfile import mkdtemp
    >>> from g2c.memory import TranscriptLog
    >>> log = TranscriptLog(mkdtemp())
    >>> log.tail(10)
    []
    >>> ts = '"2026-04-21T09:00:00Z"'
    >>> line = f'{{"ts": {ts}, "agent_id": "a1", "role": "user", "content": "%d"}}\\n'
    >>> lines = [line % number for number in range(60)]
    >>> _ = log.path_of(date(2026, 4, 21)).write_text("".join([*lines, line[:30]]))
    >>> [turn.content for turn in log.tail(3)]
    ['57', '58', '59']
    """
    raise NotImplementedError
