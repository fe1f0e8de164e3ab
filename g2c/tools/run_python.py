"""Running code that a model wrote, in a process of its own: `make_run_python`.

The idea to take away: limits are not a sandbox. They keep an accident (an endless loop, a list that
eats the memory) from taking the program with it; they do not stop code that means harm.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from g2c.tools.base import Tool, ToolError, ToolExample

if TYPE_CHECKING:
    import subprocess

_PYTHON = ["-I", "-S", "-u", "-X", "utf8"]  # the standard library alone; output appears at once

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


def make_run_python(timeout: float = 5.0, memory_mb: int = 512, max_output: int = 10_000) -> Tool:
    """Return the tool `run_python`, which runs a program and returns what it prints.

    A program gets a new Python with the standard library, an empty folder that is deleted
    afterwards, no input, none of this process's environment, and at most `timeout` seconds, after
    which it and every process of its group are killed. On Linux and macOS it also gets at most
    `timeout` seconds of processor time, files of 16 MiB, 64 open files and, unless the user is
    root, no other process or thread; on Linux `memory_mb` mebibytes of memory. Of more than
    `max_output` bytes of output the middle is left out. A program that fails, or is stopped,
    is a `ToolError` with what it printed.

    **This is no sandbox.** The program runs as the user: it can read and change the user's files,
    use the network, and fill the disk with many small files; as root it can leave a process behind
    that started a group of its own. On Windows only the time limit holds, and only for the
    program itself. Give the tool to a model only where you would run its code yourself.

    >>> run = make_run_python().func
    >>> run("print(21 * 2)")
    '42'
    """

    def run_python(code: str) -> str:
        import tempfile

        # To a file, not a pipe: whatever is printed, nothing has to be read meanwhile.
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name,
            tempfile.TemporaryFile() as output,
        ):
            folder = Path(name).resolve()
            (folder / "main.py").write_text(code, encoding="utf-8", errors="replace")
            trouble = _run_main(folder, output, timeout, memory_mb)
            text = _read_ends(output, max_output).replace(f"{folder}{os.sep}", "").strip("\n")
        if trouble:
            raise ToolError(f"The program {trouble}. It printed:\n{text or '(nothing)'}")
        return text or "(no output; print the result to see it)"

    return Tool(
        name="run_python",
        description="Run a Python program and return what it prints.",
        parameters={
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": "the program; it must print its result"}
            },
            "required": ["code"],
            "additionalProperties": False,
        },
        func=run_python,
        example=ToolExample(
            question="How many letters are in 'strawberry'?",
            thought="I need to count them with Python.",
            arguments={"code": "print(len('strawberry'))"},
            observation="10",
            answer="There are 10 letters.",
        ),
    )


def _run_main(folder: Path, output: IO[bytes], timeout: float, memory_mb: int) -> str:
    """Run `main.py` of `folder`; return how it ended, or an empty string if that was well."""
    import subprocess

    python = [*_PYTHON, "main.py"]
    if os.name == "posix":
        python = ["-I", "-S", "-c", _WITH_LIMITS, _limits(timeout, memory_mb), *python]
    process = subprocess.Popen(
        [sys.executable, *python],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        status = process.wait(timeout)
    except subprocess.TimeoutExpired:
        return f"was stopped after {timeout:g} seconds"
    finally:
        _kill_session(process)
    if status < 0:
        return f"was killed by signal {-status} ({signal.strsignal(-status)})"
    return f"failed with exit code {status}" if status else ""


def _limits(timeout: float, memory_mb: int) -> str:
    limits = {
        "RLIMIT_AS": memory_mb * 2**20,
        "RLIMIT_CPU": math.ceil(timeout) + 1,  # ends it even where nobody is left to stop it
        "RLIMIT_FSIZE": 16 * 2**20,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_NPROC": 0,
        "RLIMIT_CORE": 0,
    }
    return " ".join(f"{name}={value}" for name, value in limits.items())


def _environment(folder: Path) -> dict[str, str]:
    folders = dict.fromkeys(("HOME", "TMPDIR", "TEMP"), str(folder))
    return {**folders, "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}  # Windows needs that one


def _kill_session(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # all gone already
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _read_ends(output: IO[bytes], limit: int) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    if size <= limit:
        return output.read().decode("utf-8", "replace")
    head = output.read(limit // 2).decode("utf-8", "replace")
    output.seek(-(limit // 2), os.SEEK_END)
    tail = output.read(limit // 2).decode("utf-8", "replace")
    return f"{head}\n[{size - limit} bytes left out]\n{tail}"
