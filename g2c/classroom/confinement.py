"""The sandbox of a student's process: bubblewrap, a container, or only limits.

A process sees the interpreter, the given files, an empty home in memory, and one file that it may
write: its report. All paths are the same inside and outside. docs/instructor.md says what each kind
protects against, and what not.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from g2c.text import short_reason

CHOICES = ("auto", "bwrap", "container", "none")
ENGINES = ("podman", "docker")

IMAGE = "g2c-grader"
"""The image that is built from `maintain/docker/grader.Dockerfile`."""

MAX_DISK_MB = 64
"""Mebibytes of the home, a file system in memory."""

MAX_PROCESSES = 64
"""The most processes; no test starts that many."""

MAX_TASKS = 256
"""The limit for a system that counts threads as processes."""

COURSE = Path(__file__).resolve().parents[2]
"""The checkout that the grader runs from, whatever `G2C_ROOT` says."""

_SYSTEMS = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache")
_KEPT = (
    *("/boot", "/dev", "/etc", "/home", "/media", "/mnt", "/opt", "/proc", "/root", "/run"),
    *("/srv", "/sys", "/tmp", "/var"),
)

_MAX_LINKS = 40
"""The most links in a row, as in Linux."""

_NO_SANDBOX = (
    "There is no sandbox: a student's code runs as you. It can read and change all that you can, "
    "and use the network."
)

_SEES_NONE = """
import os, sys
seen = [path for path in sys.argv[1:] if os.path.lexists(path)]
sys.exit("it shows " + ", ".join(seen[:3]) if seen else 0)
"""

_PROBE_S = 60.0
"""Seconds for the sandbox to start once."""


@dataclass(frozen=True)
class Sees:
    """The files of a process: `reads` to read, an empty `home`, and `report` to write. It starts in
    `folder`, which is one of `reads` or contains one. `placed` has further folders to read, each
    with its place in the sandbox; only bubblewrap supports that."""

    folder: Path
    home: Path
    report: Path
    reads: tuple[Path, ...]
    placed: tuple[tuple[Path, Path], ...] = ()


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
    """The command that runs this Python with `arguments` in a sandbox of that kind. `limits` have
    their names in `resource`; a container gets them as options.

    Raises:
        ValueError: the sandbox would show what it must not.
    """
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
    of_this_machine = shown()
    for path in [*of_this_machine, *sees.reads]:
        options += ["--ro-bind-try", str(path), str(path)]
    for path, place in sees.placed:
        options += ["--ro-bind", str(path), str(place)]
    for link in _command_of_python()[:-1]:
        if not any(link.is_relative_to(path) for path in of_this_machine):
            options += ["--symlink", str(link.readlink()), str(link)]
    installed = Path(sysconfig.get_path("purelib")) / "g2c"
    if installed.is_dir():  # it has the solutions
        options += ["--tmpfs", str(installed), "--remount-ro", str(installed)]
    in_memory = ["--size", str(MAX_DISK_MB * 2**20), "--tmpfs"]
    options += [*in_memory, str(sees.home), "--dev", "/dev", *in_memory, "/dev/shm"]
    options += ["--bind", str(sees.report), str(sees.report), "--proc", "/proc"]
    # bwrap's own folders are in memory, without a limit.
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(sees.folder)]
    # Only inside the sandbox: outside, all of the user's processes would count.
    prlimit = Path("/usr/bin/prlimit")
    counted = [str(prlimit), f"--nproc={MAX_TASKS}", "--"] if prlimit.exists() else []
    return [_command("bwrap"), *options, "--", *counted]


def _command(name: str) -> str:
    """The whole path of a command, for a process that has no PATH."""
    found = shutil.which(name)
    return str(Path(found).absolute()) if found else name


def shown() -> list[Path]:
    """The paths of this machine that every process may read: the system's programs and libraries,
    and the libraries of this Python and of its environment.

    Raises:
        ValueError: one of them leads outside of the libraries.
    """
    of_python = [
        Path(prefix, part)
        for prefix in dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, sys.prefix))
        for part in ("lib", "lib64", "pyvenv.cfg")
    ]
    found = [*map(Path, _SYSTEMS), *of_python, _command_of_python()[-1]]
    for path in found:
        if wide := _wider_than_a_library(path):
            raise ValueError(f"It would show {wide}, to which {path} leads.")
    return [path for path in found if path.exists()]


def _command_of_python() -> list[Path]:
    """The links from this Python's command to its program, and the program."""
    found = [Path(sys.executable)]
    while found[-1].is_symlink() and len(found) < _MAX_LINKS:
        found.append(Path(os.path.normpath(found[-1].parent / found[-1].readlink())))
    return found


def _wider_than_a_library(path: Path) -> Path | None:
    """The target of a path if it is or contains a person's home, this course, or a system's private
    folder; else None."""
    real = path.resolve()
    kept = (Path.home(), COURSE, *map(Path, _KEPT))
    return real if any(folder.resolve().is_relative_to(real) for folder in kept) else None


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
        *("--security-opt", "no-new-privileges", "--pids-limit", str(MAX_TASKS)),
        *("--memory", size, "--memory-swap", size),
        *("--user", f"{os.getuid()}:{os.getgid()}"),
    ]
    if engine == "podman":
        options += ["--read-only-tmpfs=false"]  # or /tmp and others can be written without bound
        # Without it, another user owns the report. Root's podman needs no option.
        options += ["--userns", "keep-id"] if os.getuid() else []
    for name in ("cpu", "fsize", "core"):
        if (limit := limits.get(f"RLIMIT_{name.upper()}")) is not None:
            options += ["--ulimit", f"{name}={limit}"]
    # By default, an engine that is itself confined asks for more than it may have. The pids limit
    # bounds the processes: nproc also counts the user's others.
    options += ["--ulimit", "nofile=1024", "--ulimit", "nproc=16384"]
    for path in filter(Path.exists, sees.reads):
        options += ["--volume", f"{path}:{path}:ro"]
    options += ["--volume", f"{sees.report}:{sees.report}"]
    options += ["--tmpfs", f"{sees.home}:rw,size={MAX_DISK_MB}m,mode=1777"]
    for name, value in environment.items():
        options += ["--env", f"{name}={value}"]
    options += ["--workdir", str(sees.folder), IMAGE]
    # In case the grader is killed before it can remove the container.
    return [_command(engine), *options, "timeout", "--kill-after=1", f"{seconds:g}"]


def container_of(sees: Sees) -> str:
    """The container's name, from the unique folder of the process's report."""
    return f"{IMAGE}-{sees.report.parent.name}"


def remove_container(engine: str, sees: Sees) -> None:
    """Stop and remove the container, if it is still there: it does not end with the engine's own
    command."""
    command = [_command(engine), "rm", "--force", container_of(sees)]
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
        try:
            command = [*_bwrap(sees), sys.executable, "-I", "-c", _SEES_NONE, *_hidden_paths()]
        except ValueError as error:
            return f"bwrap does not work: {error}"
        return _trouble_of(command, "bwrap")


def _hidden_paths() -> list[str]:
    """Samples of paths that must be invisible in a sandbox: the person's, the system's, and the
    course's."""
    own = [path for path in (Path.home(), COURSE) for path in path.iterdir()]
    needed = [*shown(), *_command_of_python()]
    hidden = [path for path in own if not any(place.is_relative_to(path) for place in needed)]
    return [*map(str, hidden), "/etc/passwd", "/etc/shadow", "/var/log"]


def _trouble_with(engine: str) -> str:
    if not shutil.which(engine):
        return f"There is no command {engine}."
    return _trouble_of([_command(engine), "image", "inspect", IMAGE], engine)


def _trouble_of(command: Sequence[str], name: str) -> str:
    # A sandbox starts without the grader's environment, but a container engine needs it.
    environment: dict[str, str] | None = None if name in ENGINES else {}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PROBE_S,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{name} does not run: {short_reason(error)}."
    if done.returncode == 0:
        return ""
    said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return f"{name} does not work: {said[-1]}."
