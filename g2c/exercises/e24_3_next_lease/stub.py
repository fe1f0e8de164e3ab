"""A right that ends by itself, and a number that shows who has it now.

A lock is not enough: the process that holds it may be paused for a minute, and wakes without
knowing. The idea to take away: the clock decides who may try, and the number decides who may write.
(Kleppmann, 2016, "How to do distributed locking".)
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.swarm.core.leases import Lease, Request


@exercise("24.3")
def next_lease(lease: Lease | None, request: Request, now: float, seconds: float) -> Lease | None:
    """The lease of a task after `request`, or None if that is refused. A task that was never
    claimed has none.

    A claim begins a lease of `seconds` from now, a renewal lets it last until then, and a finish
    makes it done. Workers stop for hours and wake, two may have one name, replies get lost, and
    `now` may go back. Even so:

    - No two workers finish a task. Each lease has a number, one more than the last, at first 1. A
      request is the holder's if name and number are.
    - Nobody loses a moment of a lease before its end (`until`). From then on anybody may claim.
    - Work that is late is lost only if another lease has begun.
    - What is done stays as it is. Of all requests, the same finish alone is granted again.

    >>> first = next_lease(None, Request("claim", "ann"), now=100, seconds=60)
    >>> first
    Lease(worker='ann', number=1, until=160, is_done=False)
    >>> second = next_lease(first, Request("claim", "bob"), now=160, seconds=60)
    >>> print(next_lease(second, Request("finish", "ann", 1), now=170, seconds=60))
    None
    """
    raise NotImplementedError
