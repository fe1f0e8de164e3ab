"""20.6: one process at a time looks, judges and acts.

A lock that is created exclusively needs no guard for itself; taking over a stale one does. Without
it two processes can both find the lock stale, and the slower one removes what the faster one has
just made. Inside the guard the judgement stays true until it is acted on, on this computer. Another
one may still create its lock in between, and then `_create` says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2c.memory.lock import DreamLock, LockHolder


def acquire(self: DreamLock) -> bool:
    with self._guarded():
        holder = self.holder()
        if holder is not None:
            if not _is_stale(self, holder):
                return False
            self.file.unlink(missing_ok=True)
        return self._create()


def _is_stale(lock: DreamLock, holder: LockHolder) -> bool:
    if holder.host == lock.host and holder.pid is not None:
        return not lock.is_alive(holder.pid)
    return lock.now() - holder.since > lock.max_age
