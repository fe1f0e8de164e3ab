"""The transcripts: one file for each UTC day, one line for each turn, and one writer at a time.

Only the last line of a file can be damaged, by a writer that died. Writers start a new line after
it and readers skip it, so nothing needs repair.
"""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from g2c.clocks import not_after
from g2c.files import files_in, locked, open_file, read_text
from g2c.foreign_json import load_json
from g2c.json_files import keep_json
from g2c.memory.core.types import GrepHit, MemoryStoreError, Turn

MAX_LINE_BYTES = 4_000_000
"""A longer line is not a turn. Parsing it would take many times its length of memory."""


class BaseTranscriptLog(ABC):
    """The transcripts in `folder`, one file a UTC day, such as `2026-04-21.jsonl`.

    With `fsync`, each append waits for the disk, so its turn survives a power cut. By the clock
    `now`, no day lies ahead. `TranscriptLog` adds your `append`, `tail` and `grep`.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        fsync: bool = False,
        now: Callable[[], datetime] = lambda: datetime.max.replace(tzinfo=UTC),
    ) -> None:
        self.folder = Path(folder)
        self.fsync = fsync
        self._now = now

    def path_of(self, day: date) -> Path:
        """The file of a UTC day."""
        return self.folder / f"{day.isoformat()}.jsonl"

    def days(self) -> list[tuple[date, Path]]:
        """Each day that has a file, with the file, newest first. Other files are ignored. A clock
        that was ahead named a day that is yet to come; it counts as the day on which it is first
        seen, before what that day's file has, or nothing that is said now would be among the newest
        turns. When such a day has come and its file grows, it counts as itself."""
        found, today = [], self._now().astimezone(UTC).date()
        for file in files_in(self.folder, "????-??-??.jsonl"):
            try:
                found.append((date.fromisoformat(file.stem), file))
            except ValueError:
                continue
        seen = self._first_seen(found, today)

        def age(one: tuple[date, Path]) -> tuple[date, bool, tuple[date, Path]]:
            day, _ = one
            return not_after(seen.get(day, day), today), day not in seen, one

        return [(age(dated)[0], dated[1]) for dated in sorted(found, key=age, reverse=True)]

    def counted(self) -> dict[str, str]:
        """For the name of each day that has a file, the day that it counts as; see `days`."""
        return {file.stem: day.isoformat() for day, file in self.days()}

    def faults(self) -> tuple[str, ...]:
        """A sentence for each file that is not read as a day, such as a copy that a program for
        synchronizing made."""
        days, name = {file for _, file in self.days()}, self.folder.name
        return tuple(
            f"{name}/{file.name} is not read; the name of a day's file is as 2026-04-21.jsonl."
            for file in files_in(self.folder, "[!.]*")
            if file not in days
        )

    def skipped(self) -> tuple[str, ...]:
        """A sentence for each file with lines that hold no turn, as a writer that dies leaves."""
        said = []
        for _, file in reversed(self.days()):
            with suppress(OSError), open_file(file, "rb") as lines:
                torn = [n for n, line in enumerate(lines, 1) if line.strip() and not turn_of(line)]
                if torn:
                    each = "line holds" if len(torn) == 1 else "lines hold"
                    said.append(
                        f"{self.folder.name}/{file.name}: {len(torn):,} {each} no turn; "
                        f"see line {torn[0]}."
                    )
        return tuple(said)

    def _first_seen(self, days: Iterable[tuple[date, Path]], today: date) -> dict[date, date]:
        """When each day was first seen that was yet to come. It is kept beside the files."""
        kept = self.folder / ".first-seen.json"
        known: dict[str, tuple[str, int]] = {}
        with suppress(OSError, ValueError, TypeError):
            known = {day: (str(seen), int(size)) for day, (seen, size) in _read(kept).items()}
        before, found = dict(known), {}
        for day, file in days:
            name = day.isoformat()
            if day <= today and name not in known:
                continue
            with suppress(OSError, ValueError):  # deleted since it was listed, or not a date
                size = file.stat().st_size
                seen, before_size = known.setdefault(name, (today.isoformat(), size))
                if day > today or size == before_size:
                    found[day] = date.fromisoformat(seen)
        if known != before:
            keep_json(kept, known)
        return found

    def exclusive(self) -> AbstractContextManager[None]:
        """`with log.exclusive():` lets in one writer at a time, of all threads and processes; the
        others wait. A writer that dies lets go. A missing folder is made."""
        return locked(self.folder / ".lock")

    @abstractmethod
    def append(self, turn: Turn) -> None:
        """Add a turn; see `g2c.memory.append.append`."""

    @abstractmethod
    def tail(self, n: int) -> list[Turn]:
        """The newest `n` turns; see `g2c.memory.tail.tail`."""

    @abstractmethod
    def grep(
        self, pattern: str, *, days_back: int = 7, ignore_case: bool = False, today: date
    ) -> Iterator[GrepHit]:
        """The turns whose line matches; see `g2c.memory.grep.grep`."""


def _read(file: Path) -> dict[str, Any]:
    return dict(load_json(read_text(file))) if file.exists() else {}


def line_of(turn: Turn) -> bytes:
    r"""The turn as one line of JSON in UTF-8, its time in UTC. Its only newline ends it.

    Raises:
        MemoryStoreError: the turn's time has no time zone.

    >>> line = line_of(Turn(datetime(2026, 4, 21, 9, tzinfo=UTC), "a1", "user", "Größe?\nYes."))
    >>> print(line.decode(), end="")
    {"ts": "2026-04-21T09:00:00+00:00", "agent_id": "a1", "role": "user", "content": "Größe?\nYes."}
    """
    if turn.ts.utcoffset() is None:
        raise MemoryStoreError(f"A turn's time needs a time zone, such as UTC; got {turn.ts}.")
    fields = {
        "ts": turn.ts.astimezone(UTC).isoformat(),
        "agent_id": turn.agent_id,
        "role": turn.role,
        "content": turn.content,
    }
    # Letters stay readable for a person and for grep. UTF-8 cannot hold a lone surrogate; it
    # becomes \udc80, as JSON writes it.
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def turn_of(line: bytes) -> Turn | None:
    """The turn in `line`; None if the line is torn, blank, or holds no turn.

    >>> turn_of(b'{"ts": "2026-04-21T09:00:00+00:00", "agent_id": "a1", "ro') is None
    True
    """
    if len(line) > MAX_LINE_BYTES:  # no turn that was written here is so long
        return None
    if line.isspace():  # millions of blank lines would cost as many exceptions
        return None
    try:
        fields = load_json(line)
        ts = datetime.fromisoformat(fields["ts"])
        texts = [fields["agent_id"], fields["role"], fields["content"]]
        ts.astimezone(UTC)  # year 1 in Asia is not a time in UTC
    except (ValueError, TypeError, KeyError, OverflowError):
        return None
    if ts.utcoffset() is None or not all(isinstance(text, str) for text in texts):
        return None
    return Turn(ts, *texts)
