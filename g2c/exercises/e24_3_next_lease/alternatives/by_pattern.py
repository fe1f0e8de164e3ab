"""24.3 as a table of cases: the request, the present lease, and the new one.

Each case is one row of the contract, so a reader can compare the two. Everything else is refused.
It costs a guard in three of the cases, since a pattern cannot compare two parts of its match, and
the reader has to know `match`.
"""

from __future__ import annotations

from g2c.swarm.core.leases import Lease, Request


def next_lease(lease: Lease | None, request: Request, now: float, seconds: float) -> Lease | None:
    end = now + seconds
    match request, lease:
        case Request("claim", who), None:
            return Lease(who, 1, end)
        case Request("claim", who), Lease(_, number, until, False) if until <= now:
            return Lease(who, number + 1, end)
        case Request("renew", who, n), Lease(_, _, until, False) if _has(lease, who, n):
            return Lease(who, n, end if end > until else until)
        case Request("finish", who, n), Lease(_, _, until, _) if _has(lease, who, n):
            return Lease(who, n, until, True)
    return None


def _has(lease: Lease | None, worker: str, number: int) -> bool:
    return lease is not None and lease.worker == worker and lease.number == number
