"""Times that are read from a file: the clock may have been wrong when one was written."""

from datetime import date, datetime
from typing import TypeVar

Time = TypeVar("Time", datetime, date, float)


def not_after(time: Time, latest: Time) -> Time:
    """A time from a file, at most `latest`: now for what has happened, and now plus the length of
    its kind for what ends by itself.

    A time that stays in the file is bounded anew at each reading, and so moves with the clock.
    Code that acts on it writes the bounded one down.

    >>> not_after(5.0, 7.0), not_after(9.0, 7.0)
    (5.0, 7.0)
    """
    return min(time, latest)
