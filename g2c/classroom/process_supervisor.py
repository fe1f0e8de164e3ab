"""A process between the grader and the student's. It ends all that the student's process started.

A daemon leaves the group and the session of its process, and its parent dies. On Linux it then
becomes the child of the nearest ancestor that asked for such children (a "subreaper"). The
supervisor asks, so it finds the daemon. If the grader ends first, however it ends, so does the
supervisor. On other systems only the group of the student's process ends.

The task is a JSON object on the standard input: the `command`, `seconds`, `limits` by their names
in `resource`, `folder`, `environment`, the number of the process that asks, `grader`, and what the
process may have together with all that it starts: `most_memory`, in bytes, and `most_processes`.
No limit of the system counts these for an ordinary user, so on Linux the supervisor looks, several
times a second. All that the process prints goes to the standard output. The supervisor's exit code
is that of the process, 128 more than the signal that ended it, `TOO_LONG` after `seconds`, or
`TOO_MUCH`.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

TOO_LONG = 124
"""The exit code of the command `timeout`. A signal is encoded as in shells."""

TOO_MUCH = 123
"""Not 125 to 127, which container engines and shells use for their own failures."""

NOT_STARTED = 122
"""The sandbox of the process could not be started."""

_LOOK_S = 0.1
"""Seconds between two checks of a process's resources."""

_MAX_LOOK_S = 1.0
"""The most that one check counts. Longer, the machine slept, or the grader was stopped."""

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36
"""Two numbers of Linux's `prctl`."""

_MAX_ROUNDS = 1000
"""How often to look for processes. The next look finds the children of a killed process."""


def main() -> None:
    signal.signal(signal.SIGTERM, _end)
    _prctl(_SET_CHILD_SUBREAPER, 1)
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    try:
        status = _run(**json.load(sys.stdin))
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would cut this short
        _kill_descendants()
    sys.exit(status if status >= 0 else 128 - status)


def _run(
    command: Sequence[str],
    seconds: float,
    limits: Mapping[str, int],
    most_memory: int,
    most_processes: int,
    folder: str,
    environment: Mapping[str, str],
    grader: int,
) -> int:
    if os.getppid() != grader:  # the grader ended before the supervisor asked for a signal
        return 128 + signal.SIGTERM

    def confine() -> None:  # in the new process, before it becomes the student's
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        _set_limits(limits)

    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=confine if os.name == "posix" else None,  # safe: there is one thread
        )
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}.")
        return NOT_STARTED
    looked = time.monotonic()
    try:
        while seconds > 0:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(min(seconds, _LOOK_S))
            memory, processes = _usage_of_descendants()
            if memory > most_memory or processes > most_processes:
                return TOO_MUCH
            before, looked = looked, time.monotonic()
            seconds -= min(looked - before, _MAX_LOOK_S)
        return TOO_LONG
    finally:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):  # all gone already
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()


def _set_limits(limits: Mapping[str, int]) -> None:
    import resource

    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        most = resource.getrlimit(kind)[1]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(ValueError, OSError):  # macOS knows RLIMIT_AS only by its name
            resource.setrlimit(kind, (value, value))


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _kill_descendants() -> None:
    for _ in range(_MAX_ROUNDS):
        if not (children := _children()):
            return
        for process_id in children:
            with contextlib.suppress(OSError):  # it is gone, or it became another user's
                os.kill(process_id, signal.SIGKILL)
                os.waitpid(process_id, 0)


def _children() -> list[int]:
    """The processes whose parent is this one; none where there is no `/proc`."""
    return [child for child, (parent, _) in _processes() if parent == os.getpid()]


def _usage_of_descendants() -> tuple[int, int]:
    """The bytes of memory of all processes below this one, and their number. Shared memory counts
    for each."""
    below: dict[int, list[tuple[int, int]]] = {}
    for process, (parent, memory) in _processes():
        below.setdefault(parent, []).append((process, memory))
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        for process, memory in below.pop(waiting.pop(), []):
            found.append(memory)
            waiting.append(process)
    return sum(found), len(found)


def _processes() -> Iterator[tuple[int, tuple[int, int]]]:
    """Every process's number, with that of its parent and the bytes of its memory."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            # After the name, which is in brackets and may contain anything, come the state, the
            # parent, and as the 22nd field the pages in memory.
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            pages = int(fields[21])
            yield int(stat.parent.name), (int(fields[1]), pages * os.sysconf("SC_PAGE_SIZE"))


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
