"""The episodic memory: every turn as it was said, a line of JSON each, a file a UTC day.

The idea to take away: a file that only ever grows at its end can be torn in one place, its last
line. Who writes next begins a new line there, and who reads passes the torn one over; so nothing
that was written is lost, and nothing has to be repaired.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path

from g2c.exercise import exercise
from g2c.memory.base import GrepHit, Turn
from g2c.memory.locking import locked


class TranscriptLog:
    """The transcripts in `folder`, one file a UTC day, such as `2026-04-21.jsonl`.

    With `fsync`, a turn that was appended survives a power cut, too; each then waits for the disk.
    """

    def __init__(self, folder: str | os.PathLike[str], *, fsync: bool = False) -> None:
        self.folder = Path(folder)
        self.fsync = fsync

    def path_of(self, day: date) -> Path:
        """The file of a UTC day."""
        return self.folder / f"{day.isoformat()}.jsonl"

    def days(self) -> list[tuple[date, Path]]:
        """The days that have a file, and the files, newest first. Other files are left alone."""
        found = []
        for file in self.folder.glob("????-??-??.jsonl"):
            try:
                found.append((date.fromisoformat(file.stem), file))
            except ValueError:
                continue
        return sorted(found, reverse=True)

    def _exclusive(self) -> AbstractContextManager[None]:
        """`with self._exclusive():` holds what only one writer at a time can hold, and waits for
        it, between threads and between processes. A writer that dies lets go of it."""
        return locked(self.folder / ".lock")

    @exercise("20.1")
    def append(self, turn: Turn) -> None:
        r"""Add `turn` at the end of its day's file, as one line.

        You have `line_of(turn)` of `g2c.memory.lines`, which gives the line with its newline, and
        `self.path_of` and `self._exclusive` above.

        - The day is the turn's own, in UTC. The folder and the file are made where missing.
        - What the file holds stays as it is, byte for byte, and is not read as a whole. Its last
          line may lack its newline, where a writer died: the new line begins below it. There are no
          blank lines.
        - Other processes may append, and die, at any time, up to the moment when this one has the
          file to itself.
        - When this returns, the whole line is in the file, where any process can read it; with
          `self.fsync`, it is also on the disk (`os.fsync`).

        Raises:
            MemoryStoreError: the turn's time has no time zone.
            OSError: the line could not be written, or only a part of it, as on a full disk.

        >>> from datetime import datetime, timedelta, timezone
        >>> from tempfile import mkdtemp
        >>> log = TranscriptLog(mkdtemp())
        >>> new_york = timezone(timedelta(hours=-4))
        >>> log.append(Turn(datetime(2026, 4, 21, 22, 0, tzinfo=new_york), "a1", "user", "Hello."))
        >>> print(log.path_of(date(2026, 4, 22)).read_text(), end="")
        {"ts": "2026-04-22T02:00:00+00:00", "agent_id": "a1", "role": "user", "content": "Hello."}
        """
        raise NotImplementedError

    async def append_async(self, turn: Turn) -> None:
        """`append` for callers in an event loop, which goes on meanwhile."""
        import asyncio  # slow to import, and most callers have no loop

        await asyncio.to_thread(self.append, turn)

    @exercise("20.2")
    def tail(self, n: int) -> list[Turn]:
        """The newest `n` turns, oldest first; all there are where there are fewer.

        You have `self.days()`, and `turn_of(line)` of `g2c.memory.lines`, which takes a line's
        bytes and gives None where it holds no turn.

        - The last line of the newest day is the newest. Where a day has too few turns, those of the
          day before come in front of them, whenever that was.
        - A line that holds no turn (torn, blank, foreign) is passed over, and does not count. The
          last line may lack its newline; if it holds a turn, it counts.
        - The files are read from their ends, and no further than it takes: the newest 10 of a
          million turns cost what the newest 10 of a hundred cost. A line may be of any length, and
          one that is twice as long costs twice as much.

        Raises:
            MemoryStoreError: `n` is negative.

        >>> from tempfile import mkdtemp
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

    @exercise("20.3")
    def grep(
        self, pattern: str, *, days_back: int = 7, ignore_case: bool = False, today: date
    ) -> Iterator[GrepHit]:
        """The turns whose line, as it is stored, matches `pattern`.

        You have `self.days()` and, of `g2c.memory.lines`, `turn_of(line)`. Of
        `g2c.memory.line_pattern` you have `LinePattern(pattern, ignore_case=...)`, with a method
        `lines_in(block)` that searches bytes of many whole lines in one call, and `count_lines`.

        - The newest day comes first; in a day it goes from the top. Of days it takes `today` and
          the `days_back - 1` before it, in UTC, and any after it: a clock that ran ahead hides
          nothing.
        - A hit says its file, and its line as an editor counts, from 1: a line that holds no turn
          counts, and is no hit. The last line of a file may lack its newline.
        - Hits come one by one, each as soon as it is found. Memory depends on the longest line, and
          not on the file nor on the number of hits.
        - The pattern is compiled once, and is asked about blocks of many lines, not about each.
          Only lines that match are parsed.

        Raises, at the latest when the first hit is asked for:
            MemoryStoreError: `pattern` is no regular expression, or `days_back` is less than 1.

        >>> from tempfile import mkdtemp
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
