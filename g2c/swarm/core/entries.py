"""A line to be written to a log, and the future of its writer."""

from concurrent.futures import Future
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Entry:
    """A line for a log. `written` is done when the line is on the disk, or fails with the
    reason."""

    line: str
    written: Future[None]
