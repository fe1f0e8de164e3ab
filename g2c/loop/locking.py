"""One process at a time runs a loop, and a healer never touches one that runs.

The idea to take away: who holds the lock, the kernel knows, and it forgets when the process dies.
The number that stands in the file is for people, and may be of a process that is long gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from g2c.loop.base import LoopError
from g2c.memory.locking import locked


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Hold the loop's lock `file` inside a `with`, and have this process's number in it.

    Raises:
        LoopError: another process holds it; this one does not wait.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(file, wait=False))
        except BlockingIOError as error:
            raise LoopError(
                f"Process {_written(file)} works on this loop at the moment; wait until it ends, "
                "or ask it to with g2c loop stop."
            ) from error
        file.write_text(f"{os.getpid()}\n", encoding="utf-8")
        yield


def holder(file: Path) -> str | None:
    """The number of the process that holds the lock, as it stands in the file; None for nobody.

    To find out, it holds the lock itself for a moment.
    """
    if not file.exists():
        return None
    try:
        with locked(file, wait=False):
            return None
    except BlockingIOError:
        return _written(file)


def _written(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip() or "(number unknown)"
    except OSError:  # Windows lets nobody read what is locked
        return "(number unknown)"
