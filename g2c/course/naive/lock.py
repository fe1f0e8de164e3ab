"""Leave the lock of a process that is dead, and have three real processes take it over at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from g2c.course.naive import CAME, WISHED, Seen, at_once
from g2c.memory import DreamLock
from g2c.memory.provided.lock import BaseDreamLock

QUESTION = "What can happen between the first line of this function and its last?"


def acquire(lock: BaseDreamLock) -> bool:
    owner = lock.holder()
    if owner and owner.pid and lock.is_alive(owner.pid):
        return False
    lock.file.unlink(missing_ok=True)
    return lock.create()


class Lock(DreamLock):
    """A lock that is taken naively."""

    acquire = acquire


N_ROUNDS = 150
N_PROCESSES = 3


def take(number: int, folder: Path) -> None:
    if Lock(folder / f"{number}.lock").acquire():
        (folder / f"{number}-{os.getpid()}.won").touch()


def show(folder: Path) -> Seen:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for number in range(N_ROUNDS):
        DreamLock(folder / f"{number}.lock", pid=dead.pid).create()
    yield "on the disk", f"{N_ROUNDS} locks of process {dead.pid}, which is dead"
    at_once(take, [(folder,)] * N_PROCESSES, N_ROUNDS)
    winners = [len(list(folder.glob(f"{number}-*.won"))) for number in range(N_ROUNDS)]
    for number in range(1, N_PROCESSES + 1):
        yield f"{number} took it", f"in {winners.count(number)} of {N_ROUNDS} tries"
    shared = sum(count > 1 for count in winners)
    yield CAME, f"in {shared} of {N_ROUNDS} tries two or more dreams would begin on one memory"
    yield WISHED, f"in 0 of {N_ROUNDS} tries"
