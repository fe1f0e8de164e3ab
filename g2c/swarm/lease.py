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
    """The lease of a task after `request`, or None if that is refused. A task that nobody ever
    claimed has no lease (None).

    - A claim is granted where the task has no lease, or one that is over (`now` is `until` or
      later) and not done. It begins a lease for `seconds` from now, with the next number; the
      first is 1. Who asks does not matter.
    - A renewal or a finish is granted to the worker and the number of the newest lease, also if it
      is over. A renewal lets it last until `seconds` from now, if that is later. A finish makes it
      done, and changes nothing else.
    - Of a done lease only the same finish is granted again.

    `now` may go back between two requests.

    >>> first = next_lease(None, Request("claim", "ann"), now=100, seconds=60)
    >>> first
    Lease(worker='ann', number=1, until=160, is_done=False)
    >>> second = next_lease(first, Request("claim", "bob"), now=160, seconds=60)
    >>> print(next_lease(second, Request("finish", "ann", 1), now=170, seconds=60))
    None
    """
    raise NotImplementedError
