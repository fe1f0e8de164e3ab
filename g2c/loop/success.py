"""The success command: a program's opinion on whether the goal is reached.

The idea to take away: an agent that says "done" makes a claim, and a program that exits with 0 is
evidence. Whoever can write such a program should, before the loop begins.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from g2c.loop.base import LoopError


def succeeds(command: Sequence[str], folder: Path, timeout: float) -> bool:
    """Whether `command`, run in `folder`, exits with 0 within `timeout` seconds.

    It reads nothing, and what it prints is not kept. What it has started ends with it (on Windows,
    only the command itself does).

    Raises:
        LoopError: there is no such program.
    """
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise LoopError(
            f"The success command cannot be run: {command[0]}: {error.strerror}. Give a program "
            "and its arguments; for a pipe, a script with it."
        ) from error
    try:
        return process.wait(timeout) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        # Where all of them have ended, there is no such group, or one of somebody else's.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
