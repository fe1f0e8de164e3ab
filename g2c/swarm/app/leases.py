"""The leases of a swarm, a file each. Your `next_lease` says who gets one.

The kernel's lock makes a request atomic; it is held for a moment and never while a model works. The
number in the file outlives the process.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from pathlib import Path

from g2c.clocks import not_after
from g2c.files import locked
from g2c.json_files import read_object, record_from, replace_own_json
from g2c.swarm.app.folder import Found, SwarmFiles
from g2c.swarm.core.leases import Lease, Request
from g2c.swarm.next_lease import next_lease


class Leases:
    """The leases of the swarm in `files`, each for so many `seconds`, with the clock `now`."""

    def __init__(self, files: SwarmFiles, seconds: float, now: Callable[[], float]) -> None:
        self._files = files
        self._seconds = seconds
        self._now = now

    def lease_of(self, name: str) -> Lease | None:
        """The errand's current lease. It ends at most a lease's length from now, whatever clock
        wrote it."""
        lease = self._stored(name)
        return lease and replace(lease, until=not_after(lease.until, self._now() + self._seconds))

    def _stored(self, name: str) -> Lease | None:
        return record_from(read_object(self._file(name)), Lease)

    def ask(self, name: str, request: Request) -> Lease | None:
        """The lease after the request; None if it was refused. A claim does not wait: who holds the
        lock may have been stopped there, and other errands can be done."""
        try:
            with self._locked(name, wait=request.kind != "claim"):
                return self._ask(name, request)
        except BlockingIOError:
            return None

    def finish(self, name: str, worker: str, number: int, found: Found) -> bool:
        """Keep the worker's result if its lease is the newest. Return whether it was."""
        with self._locked(name):
            if self._ask(name, Request("finish", worker, number), keep=False) is None:
                return False
            self._files.keep_result(name, found)  # a worker that is killed after this has finished
            self._ask(name, Request("finish", worker, number))
            return True

    def _ask(self, name: str, request: Request, *, keep: bool = True) -> Lease | None:
        stored, before = self._stored(name), self.lease_of(name)
        if stored != before and before is not None:  # written down, or it would move with the clock
            replace_own_json(self._file(name), asdict(before))
        if before and before.is_done and request.kind == "claim" and not self._files.result(name):
            before = replace(before, is_done=False, until=self._now())  # the result was lost
        after = next_lease(before, request, self._now(), self._seconds)
        if keep and after is not None and after != before:
            replace_own_json(self._file(name), asdict(after))
        return after

    def _file(self, name: str) -> Path:
        return self._files.leases / f"{name}.json"

    def _locked(self, name: str, *, wait: bool = True) -> AbstractContextManager[None]:
        return locked(self._files.leases / f".{name}.lock", wait=wait)
