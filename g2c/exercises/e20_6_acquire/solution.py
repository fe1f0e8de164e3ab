"""20.6: one process at a time looks, judges and acts.

Creating a lock needs no guard, because it is exclusive. Taking over a stale one does: without a
guard, two processes can both find the lock stale, and the slower one removes the new lock of the
faster one. Inside the guard, the judgement stays true on this computer. Another computer may still
create its lock in between; then `create` returns False.
"""

from __future__ import annotations

from g2c.memory.core.lock import BaseDreamLock, LockHolder


def acquire(lock: BaseDreamLock) -> bool:
    with lock.guarded():
        holder = lock.holder()
        if holder is not None:
            if not _is_stale(lock, holder):
                return False
            lock.file.unlink(missing_ok=True)
        return lock.create()


def _is_stale(lock: BaseDreamLock, holder: LockHolder) -> bool:
    if holder.host == lock.host and holder.pid is not None:
        return not lock.is_alive(holder.pid)
    return lock.now() - holder.since > lock.max_age
