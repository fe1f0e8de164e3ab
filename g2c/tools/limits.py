"""A Python process with limits on what it may use, which ends together with all that it started.

The idea to take away: a limit holds if it is there before the code is, and an end holds if it
reaches the children.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

# A process's limits stay when it becomes another program, so a first Python sets them and turns
# into the one that runs the code. The alternative, preexec_fn, is not safe where there are threads.
_WITH_LIMITS = """
import os, resource, sys
for limit in sys.argv[1].split():
    name, _, value = limit.partition("=")
    kind = getattr(resource, name, None)
    if kind is not None:
        most = resource.getrlimit(kind)[1]
        value = int(value) if most == resource.RLIM_INFINITY else min(int(value), most)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            pass  # some systems know a limit by name only, as macOS does RLIMIT_AS
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


def run_limited(
    arguments: Sequence[str],
    *,
    timeout: float,
    limits: Mapping[str, int],
    folder: Path,
    environment: Mapping[str, str],
    output: IO[bytes],
) -> int | None:
    """Run this Python with `arguments` in `folder`, with `environment` and nothing else of ours.

    After `timeout` seconds the process and every process of its group are killed, and so is what
    is left of the group when the process ends by itself. `limits` go by their names in `resource`
    (`RLIMIT_AS`, in bytes); one that the system does not have is passed over, and so are all of
    them on Windows. It reads nothing, and all that it prints goes to `output`: to a file, not a
    pipe, so that nothing has to be read meanwhile.

    Returns:
        The exit code, or minus the signal that ended the process; None where it was stopped.
    """
    import subprocess

    if os.name == "posix":
        listed = " ".join(f"{name}={value}" for name, value in limits.items())
        arguments = ["-I", "-S", "-c", _WITH_LIMITS, listed, *arguments]
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _kill_session(process)


def how_it_ended(status: int | None, timeout: float) -> str:
    """What `run_limited` returned, in words.

    >>> how_it_ended(3, 5.0), how_it_ended(None, 0.5)
    ('failed with exit code 3', 'was stopped after 0.5 seconds')
    """
    if status is None:
        return f"was stopped after {timeout:g} seconds"
    if status < 0:
        return f"was killed by signal {-status} ({signal.strsignal(-status)})"
    return f"failed with exit code {status}" if status else "ended well"


def private_environment(folder: Path) -> dict[str, str]:
    """An environment whose home and folder for temporary files are `folder`."""
    folders = dict.fromkeys(("HOME", "TMPDIR", "TEMP"), str(folder))
    return {**folders, "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}  # Windows needs that one


def read_ends(output: IO[bytes], limit: int) -> str:
    """The text of a file; of more than `limit` bytes the middle is left out."""
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= limit:
        return output.read().decode("utf-8", "replace")
    head = output.read(limit // 2).decode("utf-8", "replace")
    output.seek(-(limit // 2), os.SEEK_END)
    tail = output.read(limit // 2).decode("utf-8", "replace")
    return f"{head}\n[{size - limit} bytes left out]\n{tail}"


def _kill_session(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # all gone already
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
