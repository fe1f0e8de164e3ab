"""What stands around a student's process: bubblewrap, a container, or nothing but limits.

A process sees the interpreter, the files that it is given, an empty home in memory, and one file
that it may write: its report. All paths are the same inside and outside. docs/instructor.md says
what each kind protects from, and what not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CHOICES = ("auto", "bwrap", "container", "none")
ENGINES = ("podman", "docker")

IMAGE = "g2c-grader"
"""What `docker/grader.Dockerfile` is built as."""

MOST_DISK_MB = 64
"""Mebibytes of the home, which is a file system in memory."""

MOST_PROCESSES = 64
"""More than any test starts."""

MOST_TASKS = 256
"""Processes and threads, where the system counts the threads as well."""

_NO_SANDBOX = (
    "There is no sandbox: a student's code runs as you. It can read and change all that you can, "
    "and use the network."
)

_PROBE_S = 60.0
"""Seconds for the sandbox to start once."""


@dataclass(frozen=True)
class Sees:
    """The files that a process has: `reads` to read, an empty `home`, and `report` to write. It
    starts in `folder`, which is one of `reads` or holds one."""

    folder: Path
    home: Path
    report: Path
    reads: tuple[Path, ...]


@dataclass(frozen=True)
class Chosen:
    """`kind` is `bwrap`, `podman`, `docker` or `none`; `warning` says what is missing, if anything
    is."""

    kind: str
    warning: str = ""


def choose(wanted: str) -> Chosen:
    """The sandbox that works here; for `auto`, the first of `bwrap`, a container, and none.

    Raises:
        ValueError: the one that was asked for does not work here; the message says why.
    """
    if wanted not in CHOICES:
        raise ValueError(f"There is no sandbox {wanted!r}; there are {', '.join(CHOICES)}.")
    reasons = []
    if wanted in ("auto", "bwrap"):
        if not (trouble := trouble_with_bwrap()):
            return Chosen("bwrap")
        reasons.append(trouble)
    if wanted in ("auto", "container"):
        for engine in ENGINES:
            if not (trouble := _trouble_with(engine)):
                return Chosen(engine)
            reasons.append(trouble)
    if wanted in ("bwrap", "container"):
        raise ValueError(f"The sandbox {wanted} does not work here. {' '.join(reasons)}")
    return Chosen("none", " ".join([_NO_SANDBOX, *reasons]))


def wrapped(
    kind: str,
    arguments: Sequence[str],
    sees: Sees,
    environment: Mapping[str, str],
    *,
    memory_mb: int,
    seconds: float,
    limits: Mapping[str, int],
) -> list[str]:
    """The command that runs this Python with `arguments` in a sandbox of that kind. `limits` go by
    their names in `resource`; a container has to be told of them."""
    if kind == "none":
        return [sys.executable, *arguments]
    if kind == "bwrap":
        return [*_bwrap(sees), sys.executable, *arguments]
    own = _container(kind, sees, environment, memory_mb, seconds, limits)
    return [*own, "python", *arguments]


def _bwrap(sees: Sees) -> list[str]:
    options = [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
        *("--die-with-parent", "--new-session", "--hostname", "sandbox"),
        *("--uid", "65534", "--gid", "65534"),
    ]
    for path in ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"):
        options += ["--ro-bind-try", path, path]
    for path in [*_interpreter(), *map(str, sees.reads)]:
        options += ["--ro-bind-try", path, path]
    installed = Path(sysconfig.get_path("purelib")) / "g2c"
    if installed.is_dir():  # it has the solutions
        options += ["--tmpfs", str(installed), "--remount-ro", str(installed)]
    for path in (str(sees.home), "/dev/shm"):
        if path == "/dev/shm":
            options += ["--dev", "/dev"]
        options += ["--size", str(MOST_DISK_MB * 2**20), "--tmpfs", path]
    options += ["--bind", str(sees.report), str(sees.report), "--proc", "/proc"]
    # What bwrap itself makes is in memory and has no size.
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(sees.folder)]
    # Only inside: outside, all of the user's processes would count.
    counted = ["prlimit", f"--nproc={MOST_TASKS}", "--"] if shutil.which("prlimit") else []
    return ["bwrap", *options, "--", *counted]


def _interpreter() -> Iterator[str]:
    """The folders of this Python: its environment's, and those that its links lead through."""
    yield sys.base_prefix
    yield sys.prefix
    path = Path(sys.executable)
    while path.is_symlink():
        path = path.parent / path.readlink()
        yield str(path.parents[1])


def _container(
    engine: str,
    sees: Sees,
    environment: Mapping[str, str],
    memory_mb: int,
    seconds: float,
    limits: Mapping[str, int],
) -> list[str]:
    size = f"{memory_mb}m"
    options = [
        *("run", "--rm", "--name", container_of(sees), "--network", "none"),
        *("--read-only", "--cap-drop", "ALL"),
        *("--security-opt", "no-new-privileges", "--pids-limit", str(MOST_TASKS)),
        *("--memory", size, "--memory-swap", size),
        *("--user", f"{os.getuid()}:{os.getgid()}"),
    ]
    if engine == "podman":
        options += ["--read-only-tmpfs=false"]  # else /tmp and others may be written, without bound
        # Without it, the report is somebody else's. Root's podman has it so already.
        options += ["--userns", "keep-id"] if os.getuid() else []
    for name in ("cpu", "fsize", "core"):
        if (limit := limits.get(f"RLIMIT_{name.upper()}")) is not None:
            options += ["--ulimit", f"{name}={limit}"]
    # Left to itself, an engine asks for more than it may have where it is confined itself. How many
    # processes there may be is the pids limit's business: this one counts the user's others, too.
    options += ["--ulimit", "nofile=1024", "--ulimit", "nproc=16384"]
    for path in filter(Path.exists, sees.reads):
        options += ["--volume", f"{path}:{path}:ro"]
    options += ["--volume", f"{sees.report}:{sees.report}"]
    options += ["--tmpfs", f"{sees.home}:rw,size={MOST_DISK_MB}m,mode=1777"]
    for name, value in environment.items():
        options += ["--env", f"{name}={value}"]
    options += ["--workdir", str(sees.folder), IMAGE]
    # For a grader that is killed before it can remove the container.
    return [engine, *options, "timeout", "--kill-after=1", f"{seconds:g}"]


def container_of(sees: Sees) -> str:
    """The container's name; each process has a folder of its own for its report."""
    return f"{IMAGE}-{sees.report.parent.name}"


def remove_container(engine: str, sees: Sees) -> None:
    """Stop and remove the container, if it is still there: it does not end with the engine's own
    command."""
    command = [engine, "rm", "--force", container_of(sees)]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def trouble_with_bwrap() -> str:
    """Why bubblewrap does not work here; "" if it does."""
    if not shutil.which("bwrap"):
        return "There is no command bwrap; install bubblewrap 0.8 or later."
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "home").mkdir()
        (folder / "report").touch()
        sees = Sees(folder, folder / "home", folder / "report", ())
        command = [*_bwrap(sees), sys.executable, "-I", "-S", "-c", ""]
        return _trouble_of(command, "bwrap")


def _trouble_with(engine: str) -> str:
    if not shutil.which(engine):
        return f"There is no command {engine}."
    return _trouble_of([engine, "image", "inspect", IMAGE], engine)


def _trouble_of(command: Sequence[str], name: str) -> str:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PROBE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{name} does not run: {error}."
    if done.returncode == 0:
        return ""
    said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return f"{name} does not work: {said[-1]}."
