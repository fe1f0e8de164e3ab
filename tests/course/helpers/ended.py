"""A command that a signal ends, and what it started."""

import os
import select
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

TELLS_AND_STAYS = """
    import os, time
    os.write(os.open({pipe!r}, os.O_WRONLY), b"x")
    time.sleep(600)
"""
"""A function's body that tells a pipe that it runs, and holds the pipe as long as it lives."""


def code_when_all_ended(
    command: Sequence[str],
    number: signal.Signals,
    pipe: Path,
    told: int,
    *,
    cwd: Path,
    env: Mapping[str, str],
) -> int:
    """Send the signal when the pipe was told `told` times, and wait until nobody holds the pipe.
    The command's exit code."""
    os.mkfifo(pipe)
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # A job in the background of a shell ignores SIGINT, and so does all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    guard = threading.Timer(600, process.kill)  # so that a command that goes on fails
    guard.start()
    try:
        with pipe.open("rb", buffering=0) as heard:
            assert b"".join(heard.read(1) for _ in range(told)) == b"x" * told
            process.send_signal(number)
            assert select.select([heard], [], [], 300)[0], "somebody still holds the pipe"
            assert heard.read(1) == b"", "the pipe ends when nobody holds it any more"
        return process.wait()
    finally:
        guard.cancel()
        process.kill()
        process.wait()
