"""24.3: a claim looks only at the clock; renewals and finishes look only at the number.

The holder of the newest number may still finish after its time: nobody else has begun, so nothing
can be overwritten. A claim in between gives a new number, and the old one is invalid from then on,
however late its holder wakes. A finish may be repeated, because the first reply may have been lost.
Lease and result must be one write; otherwise the number is compared too early.
"""

from __future__ import annotations

from dataclasses import replace

from g2c.swarm.core.leases import Lease, Request


def next_lease(lease: Lease | None, request: Request, now: float, seconds: float) -> Lease | None:
    if request.kind == "claim":
        if lease is not None and (lease.is_done or now < lease.until):
            return None
        return Lease(request.worker, lease.number + 1 if lease else 1, now + seconds)
    if lease is None or (request.worker, request.number) != (lease.worker, lease.number):
        return None
    if request.kind == "finish":
        return replace(lease, is_done=True)
    return None if lease.is_done else replace(lease, until=max(lease.until, now + seconds))
