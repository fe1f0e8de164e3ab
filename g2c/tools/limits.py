"""A Python process with limits on what it may use. It ends together with all that it started.

A limit works only if it is set before the code runs, and a kill only if it reaches the children.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

MAX_FILE_BYTES = 16 * 2**20
"""The longest file that a process of somebody's code may write, which includes its output."""

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
            pass  # some systems know a limit only by its name, as macOS knows RLIMIT_AS
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


def run_limited(
    arguments: Sequence[str],
    *,
    timeout: float,
    limits: Mapping[str, float],
    folder: Path,
    environment: Mapping[str, str],
    output: IO[bytes],
) -> int | None:
    """Run this Python with `arguments` in `folder`, with only the variables of `environment`.

    After `timeout` seconds the process and every process of its group are killed. If the process
    ends by itself, the rest of its group is killed. `limits` go by their names in `resource`
    (`RLIMIT_AS`, in bytes). A limit that the system does not have is skipped; on Windows all are.
    The process reads nothing, and all that it prints goes to `output`. `output` is a file, not a
    pipe, so nobody has to read while it runs.

    Returns:
        The exit code, or minus the signal that ended the process; None if it was stopped.
    """
    import subprocess

    from g2c.ending import wait_in_session

    if os.name == "posix":
        listed = " ".join(f"{name}={int(value)}" for name, value in limits.items())
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
    return wait_in_session(process, timeout)


def describe_exit(status: int | None, timeout: float) -> str:
    """The result of `run_limited` in words.

    >>> describe_exit(3, 5.0), describe_exit(None, 0.5)
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


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """An empty folder for unknown code, removed afterwards with everything in it."""
    import tempfile

    folder = Path(tempfile.mkdtemp()).resolve()
    try:
        yield folder
    finally:
        remove_tree(folder)


def remove_tree(folder: Path) -> None:
    """Remove `folder`, however deep it is; what the system does not let us remove stays. A folder's
    contents are first moved to the top. So no path becomes too long for the system, and there is no
    recursion, unlike in `shutil.rmtree`.
    """
    mark = os.urandom(8).hex()
    moved = 0
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        with contextlib.suppress(OSError):
            if path.is_symlink() or not path.is_dir():
                path.unlink()
                continue
            path.chmod(0o700)
            for child in list(path.iterdir()):
                if child.is_dir() and not child.is_symlink():
                    child.chmod(0o700)  # a folder that cannot be written cannot be moved
                moved += 1
                top = folder / f"{mark}.{moved}"
                child.rename(top)
                waiting.append(top)
            if path != folder:
                path.rmdir()
    with contextlib.suppress(OSError):
        folder.rmdir()


def read_ends(output: IO[bytes], limit: int) -> str:
    """The text of a file. If it has more than `limit` bytes, its middle is left out."""
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= limit:
        return output.read().decode("utf-8", "replace")
    head = output.read(limit // 2).decode("utf-8", "replace")
    output.seek(-(limit // 2), os.SEEK_END)
    tail = output.read(limit // 2).decode("utf-8", "replace")
    return f"{head}\n[{size - limit} bytes left out]\n{tail}"
