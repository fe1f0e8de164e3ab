"""A swarm's present activity, read from its files."""

from collections import Counter
from dataclasses import dataclass

from g2c.swarm.app.folder import SwarmFiles
from g2c.swarm.app.leases import Leases


@dataclass(frozen=True)
class WorkerRow:
    """A worker: what it looks for now and in how many files, and what it has done."""

    name: str
    looks_for: str
    files: int
    errands: int
    tokens: int
    claims: int


@dataclass(frozen=True)
class View:
    """The workers, how many errands wait for one, how many have ended, and their tokens."""

    workers: tuple[WorkerRow, ...]
    waiting: int
    ended: int
    tokens: int


def look_at(files: SwarmFiles, workers: int, leases: Leases) -> View:
    """The view of the swarm in `files` with so many workers."""
    now: dict[str, tuple[str, int]] = {}
    waiting = 0
    for posted in files.posted():
        lease = leases.lease_of(posted.name)
        if lease is None:
            waiting += 1
        else:
            now[lease.worker] = (posted.errand.look_for, len(posted.errand.files))
    done: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    for failed in files.failures():
        tokens[failed.worker] += failed.tokens
    for found in files.results():
        done[found.worker] += 1
        tokens[found.worker] += found.tokens
        claims[found.worker] += len(found.claims)
    names = sorted({*worker_names(workers), *done, *tokens, *now} - {""})
    rows = tuple(
        WorkerRow(name, *now.get(name, ("", 0)), done[name], tokens[name], claims[name])
        for name in names
    )
    return View(rows, waiting, done.total(), tokens.total())


def worker_names(workers: int) -> list[str]:
    """The names of so many workers.

    >>> worker_names(2)
    ['worker-1', 'worker-2']
    """
    return [f"worker-{number}" for number in range(1, workers + 1)]
