"""20.6 by trying to create the lock, and reading the existing one only if that fails.

A free lock, the usual case, is taken in one step that nobody can interrupt. It costs a file that is
written and thrown away at each try while another process has the lock.
"""

from __future__ import annotations

from g2c.memory.core.lock import BaseDreamLock


def acquire(lock: BaseDreamLock) -> bool:
    with lock.guarded():
        if lock.create():
            return True
        holder = lock.holder()
        if holder is not None:  # else it was released meanwhile
            if holder.host == lock.host and holder.pid is not None:
                is_stale = not lock.is_alive(holder.pid)
            else:
                is_stale = lock.now() - holder.since > lock.max_age
            if not is_stale:
                return False
            lock.file.unlink(missing_ok=True)
        return lock.create()
