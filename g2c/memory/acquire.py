"""The lock that lets one dream in at a time, also when the last one died in its sleep.

The idea to take away: to look and then to act is two steps, and the world can change between them.
A process that judges a lock must be alone until it has acted.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.memory.core.lock import BaseDreamLock


@exercise("20.6")
def acquire(lock: BaseDreamLock) -> bool:
    """Take the lock if it is free or stale, without waiting for it; say whether it is ours.

    If several processes try at once, exactly one gets the lock. You have `guarded`, `holder`,
    `create`, `file`, `host`, `is_alive`, `now` and `max_age` of `BaseDreamLock`.

    A lock is stale

    - of this host: where its process is gone. A living process, this one too, keeps its lock
      however old.
    - of another host, or unreadable: where its file is older than `max_age`.

    A stale lock is removed and made anew; a held one stays as it is. Another computer does not go
    through the guard: it may make or release its lock at any moment.

    Raises:
        OSError: the lock's file cannot be made.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from g2c.memory import DreamLock
    >>> lock = DreamLock(Path(mkdtemp()) / "dream.lock")
    >>> lock.acquire(), lock.acquire()
    (True, False)
    """
    raise NotImplementedError
