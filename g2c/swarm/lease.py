"""A right that ends by itself, and a number that shows who has it now.

A lock is not enough: whoever holds it may be stopped for a minute, and wakes without knowing. The
idea to take away: the clock decides who may try, and the number decides who may write. (Kleppmann,
2016, "How to do distributed locking".)
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.swarm.provided.leases import Lease, Request


@exercise("24.3")
def next_lease(lease: Lease | None, request: Request, now: float, seconds: float) -> Lease | None:
    """TODO (at most 120 words). The lease after the request, or None if it is refused. A claim of
    a task that nobody has, or whose lease is over and which is not done, gets the next number. A
    renewal or an end is granted to whoever has the newest number, also after the time; an end may
    be said twice by it. Nothing else changes a lease.
    """
    raise NotImplementedError
