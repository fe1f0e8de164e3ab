"""A worker: it takes a free errand, does it, stores the result, and takes the next."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from g2c.swarm.app.folder import Found, Posted, SwarmFiles
from g2c.swarm.app.leases import Leases
from g2c.swarm.app.record import Record
from g2c.swarm.core.leases import Lease, Request
from g2c.swarm.core.reading import Errand
from g2c.text import named_reason

LEASE_S = 30.0
"""Seconds without a renewal after which another worker may take an errand."""

MAX_HOLDERS = 4
"""An errand that this many workers have begun and not finished is given up: it may be what kills
them."""


@dataclass(frozen=True)
class Effects:
    """A worker's effects: `read` does an errand; `wait` waits a moment and returns whether to go
    on."""

    read: Callable[[Errand], Found]
    wait: Callable[[], bool]


def work(files: SwarmFiles, worker: str, leases: Leases, record: Record, effects: Effects) -> None:
    """Do errands until somebody asks to stop."""
    while not files.stop.exists():
        if not _do_one(files, worker, leases, record, effects) and not effects.wait():
            return


def _do_one(
    files: SwarmFiles, worker: str, leases: Leases, record: Record, effects: Effects
) -> bool:
    for posted in files.posted():
        lease = leases.ask(posted.name, Request("claim", worker))
        if lease is None:
            continue
        record.add("claimed", errand=posted.name, number=lease.number)
        found = _found(posted, lease, leases, worker, effects)
        said = {"errand": posted.name, "number": lease.number, "tokens": found.tokens}
        # The line is on the disk before the result counts.
        record.add("found", **said, claims=len(found.claims), error=found.error).result()
        is_kept = leases.finish(posted.name, worker, lease.number, found)
        record.add("kept" if is_kept else "refused", **said).result()
        return True
    return False


def _found(posted: Posted, lease: Lease, leases: Leases, worker: str, effects: Effects) -> Found:
    if lease.number > MAX_HOLDERS:
        return Found(worker, error=f"{MAX_HOLDERS} workers ended over it")
    try:
        with _renewed(leases, posted.name, lease):
            return effects.read(posted.errand)
    except Exception as error:  # a model, a file or a student's function may raise anything
        return Found(worker, error=named_reason(error)[:500])


@contextmanager
def _renewed(leases: Leases, name: str, lease: Lease) -> Iterator[None]:
    """Renew the lease inside the `with`, as long as the process runs."""
    is_over = threading.Event()

    def renew() -> None:
        while not is_over.wait(LEASE_S / 3):
            if leases.ask(name, Request("renew", lease.worker, lease.number)) is None:
                return

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
