"""A line that somebody wants to have written, and waits for."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Entry:
    """A line for a log. `written` ends when the line is on the disk, or with why it is not."""

    line: str
    written: Future[None]
