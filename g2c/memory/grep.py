"""Searching everything that was said, as it was said.

The idea to take away: most lines do not match, so most work can be spared. Ask about a block of
many lines at once, parse only the lines that match, and hand on each hit before the next is looked
for.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from g2c.exercise import exercise
from g2c.memory.core.transcripts import BaseTranscriptLog
from g2c.memory.core.types import GrepHit


@exercise("20.3")
def grep(
    log: BaseTranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    """The turns whose line, as it is stored, matches `pattern`.

    You have `log.days()`, `turn_of` of `g2c.memory.core.transcripts`, and `LinePattern` and
    `count_lines` of `g2c.memory.core.line_pattern`.

    - The newest day comes first, within a day the top line. The last `days_back` days are searched,
      `today` included, and any day after it.
    - Line numbers count every line, from 1. The last line may lack its newline.
    - Each hit is given as soon as it is found. Memory depends on the longest line alone.
    - The pattern is compiled once and asked about blocks of many lines. Only lines that match are
      parsed.

    Raises, at the latest at the first `next`:
        MemoryStoreError: `pattern` is not a regular expression, or `days_back` is less than 1.

    >>> from tempfile import mkdtemp
    >>> from g2c.memory import TranscriptLog
    >>> log = TranscriptLog(mkdtemp())
    >>> ts = '"2026-04-21T09:00:00Z"'
    >>> line = f'{{"ts": {ts}, "agent_id": "a1", "role": "user", "content": "%s"}}\\n'
    >>> lines = [line % word for word in ("tea", "milk", "team")]
    >>> _ = log.path_of(date(2026, 4, 21)).write_text("".join(lines))
    >>> hits = log.grep('"tea', today=date(2026, 4, 21))
    >>> [(hit.file.name, hit.line, hit.turn.content) for hit in hits]
    [('2026-04-21.jsonl', 1, 'tea'), ('2026-04-21.jsonl', 3, 'team')]
    """
    raise NotImplementedError
