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
    """The lease of a task after `request`, or None if that is refused.

    A claim begins a lease of `seconds` from now, a renewal lets it last until then, a finish makes
    it done. Workers stop and wake, two may have one name, replies get lost, `now` may go back:

    - Two workers never finish one task. Each lease has the next number, at first 1. A request is
      the holder's if name and number are.
    - No lease ends before its `until`; from then on anybody may claim.
    - Late work is lost only if another lease has begun.
    - What is done stays as it is, and only the same finish is granted again.

    >>> first = next_lease(None, Request("claim", "ann"), now=100, seconds=60)
    >>> first
    Lease(worker='ann', number=1, until=160, is_done=False)
    >>> second = next_lease(first, Request("claim", "bob"), now=160, seconds=60)
    >>> print(next_lease(second, Request("finish", "ann", 1), now=170, seconds=60))
    None
    """
    raise NotImplementedError
