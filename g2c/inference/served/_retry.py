"""How long to wait for a server that is busy, and when to give up."""

from collections.abc import Callable, Generator, Iterator
from email.utils import parsedate_to_datetime
from typing import TypeVar

from g2c.inference.served._transport import Refused

MAX_WAIT_S = 60.0
"""The most seconds that one call waits in all."""
MAX_TRIES = 6
_MAX_GUESS_S = 16.0
BUSY = (429, 503)
"""The statuses of a server that is busy or loads its model."""

T = TypeVar("T")
Sleep = Callable[[float], object]


def retrying(begin: Callable[[], Iterator[T]], sleep: Sleep) -> Generator[T]:
    """Yield what `begin` yields. While the server says that it is busy, wait and begin again; a
    server says so before it has sent anything else.

    Raises:
        Refused: the server refused for another reason, or is still busy.
    """
    waited, tries = 0.0, 0
    while True:
        tries += 1
        try:
            yield from begin()
            return
        except Refused as refused:
            wait = None
            if refused.status in BUSY:
                wait = next_wait(refused.wait_s, tries, MAX_WAIT_S - waited)
            if wait is None:
                raise
        sleep(wait)
        waited += wait


def wait_asked_for(retry_after: str | None, date: str | None) -> float | None:
    """The seconds that the headers `Retry-After` and `Date` ask for; None if they do not say.

    A date is compared with the server's own `Date`, so no clock has to be right.

    >>> wait_asked_for("7", None)
    7.0
    >>> wait_asked_for("Wed, 21 Oct 2026 07:28:30 GMT", "Wed, 21 Oct 2026 07:28:00 GMT")
    30.0
    >>> wait_asked_for("soon", None) is None
    True
    """
    if retry_after is None:
        return None
    if retry_after.strip().isdecimal() and len(retry_after) < 10:
        return float(retry_after)
    try:
        seconds = parsedate_to_datetime(retry_after) - parsedate_to_datetime(date or "")
        return max(0.0, seconds.total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def next_wait(asked_s: float | None, tries: int, left_s: float) -> float | None:
    """Seconds to wait after `tries` tries, or None to give up.

    The server's wish counts, and is at least a second. Without one the wait doubles from 1 s to
    16 s. A wait longer than `left_s` is not begun.

    >>> [next_wait(None, tries, 60) for tries in (1, 2, 3, 6)]
    [1.0, 2.0, 4.0, None]
    >>> next_wait(0, 1, 60), next_wait(61, 1, 60)
    (1.0, None)
    """
    if tries >= MAX_TRIES:
        return None
    guess = min(2.0 ** (tries - 1), _MAX_GUESS_S)
    wait = guess if asked_s is None else max(1.0, asked_s)
    return wait if wait <= left_s else None
