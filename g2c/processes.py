"""Whether a process is still the one that wrote its number down: this process, of this boot.

Numbers are used again, soon after a restart, and in a container the first one is always 1. So a
number in a file has a mark beside it, which no other process shares.
"""

import os
import sys
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

_CHARS = 8

if sys.platform == "win32":

    def process_is_alive(pid: int) -> bool:
        """Whether this computer runs a process with this number, of any user."""
        import ctypes

        synchronize, access_denied, still_running = 0x00100000, 5, 0x00000102
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        handle = kernel.OpenProcess(synchronize, False, pid)
        if not handle:
            return ctypes.get_last_error() == access_denied
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == still_running)
        finally:
            kernel.CloseHandle(handle)

else:

    def process_is_alive(pid: int) -> bool:
        """Whether this computer runs a process with this number, of any user. One that has ended
        and that its parent has not looked after, as in a container without an init, is dead."""
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            pass  # it belongs to another user
        return _stat_of(pid)[:1] not in (["Z"], ["X"])


def mark_of(pid: int) -> str:
    """The mark of the running process `pid` of this computer: 16 hexadecimal digits, half of them
    for computer and boot, half for the process's number and start. "" if there is no such process.

    >>> mark_of(os.getpid()) == mark_of(os.getpid()), mark_of(2**31 - 1)
    (True, '')
    """
    return here() + _digest(f"{pid} {_started(pid)}") if process_is_alive(pid) else ""


def own_mark() -> str:
    """The mark of this process, found once. After a fork the child has its own."""
    return _kept_mark(os.getpid())


@lru_cache(maxsize=1)
def _kept_mark(pid: int) -> str:
    return mark_of(pid)


def is_running(pid: int, mark: str) -> bool:
    """Whether the process `pid` that had this mark still runs on this computer."""
    return bool(mark) and mark_of(pid) == mark


@cache
def here() -> str:
    """The half of each mark that all processes of this computer share until it restarts."""
    import platform  # a process that only reads needs no mark

    boot = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return _digest(f"{platform.node()} {boot}")


def _started(pid: int) -> str:
    """When a process began, in whatever form the system has it; "" if it does not tell."""
    with suppress(IndexError):
        return _stat_of(pid)[19]
    if os.name != "posix":
        return ""
    import subprocess  # slow to load, and most systems tell by a file

    with suppress(OSError, subprocess.SubprocessError):
        command = ["ps", "-o", "lstart=", "-p", str(pid)]
        return subprocess.run(command, capture_output=True, text=True, timeout=10).stdout.strip()
    return ""


def _stat_of(pid: int) -> list[str]:
    """The fields of a process's `stat` on Linux, from its state on; empty on other systems."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return []
    return said.rpartition(")")[2].split()  # the name, in brackets, may have spaces and brackets


def _digest(text: str) -> str:
    import hashlib  # as much to load as all of this module

    return hashlib.sha256(text.encode()).hexdigest()[:_CHARS]
