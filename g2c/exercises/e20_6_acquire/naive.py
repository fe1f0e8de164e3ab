"""Leave the lock of a dead process, and let two real processes take it over. One of them is slow
between looking and acting."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen, at_once
from g2c.memory import DreamLock
from g2c.memory.core.lock import BaseDreamLock
from g2c.processes import process_is_alive

QUESTION = "What had changed when the slow process acted on what it had seen?"


def acquire(lock: BaseDreamLock) -> bool:
    owner = lock.holder()
    is_held = owner is not None and owner.pid is not None and lock.is_alive(owner.pid)
    if owner and not is_held:
        lock.file.unlink()
    return not is_held and lock.create()


class Lock(DreamLock):
    """A lock that is taken naively."""

    acquire = acquire


PROCESSES = ("quick", "slow")
MAX_WAITING_S = 20


def take(number: int, folder: Path, name: str) -> None:
    looked, acted = folder / "looked", folder / "acted"

    def is_alive(pid: int) -> bool:
        found = process_is_alive(pid)
        if name == "slow":  # as a process can be on a busy computer
            looked.touch()
            _wait_for(acted)
        return found

    if name == "quick":
        _wait_for(looked)
    is_ours = Lock(folder / "dream.lock", is_alive=is_alive).acquire()
    (folder / f"{name}.txt").write_text(str(is_ours), encoding="utf-8")
    acted.touch()


def _wait_for(file: Path) -> None:
    end = time.monotonic() + MAX_WAITING_S
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.01)


def show(folder: Path) -> Seen:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    lock = DreamLock(folder / "dream.lock", pid=dead.pid)
    lock.create()
    yield "on the disk", f"the lock of process {dead.pid}, which is dead"
    at_once(take, [(folder, name) for name in PROCESSES], rounds=1)
    answers = {name: (folder / f"{name}.txt").read_text("utf-8") for name in PROCESSES}
    for name, answer in answers.items():
        yield name, f"acquire() gave it {answer}"
    owners = list(answers.values()).count("True")
    yield RESULT, f"{owners} processes dream on one memory at the same time"
    yield WANTED, "1 process does, and the other one knows that it may not"
