"""Running code that a model wrote, in a process of its own: `make_run_python`.

Limits are not a sandbox. They keep an accident (an endless loop, a list that eats the memory) from
taking the program with it. They do not stop code that means harm.
"""

import math
import os
import re
from pathlib import Path
from typing import IO

from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.tools.limits import (
    MAX_FILE_BYTES,
    describe_exit,
    private_environment,
    read_ends,
    run_limited,
    scratch_folder,
)
from g2c.tools.tool import Tool, ToolError, ToolExample, check_limits

_PYTHON = ["-I", "-S", "-u", "-X", "utf8"]  # the standard library alone; output appears at once
_FENCE = re.compile(r"\A\s*```\w*\n(.*)```\s*\Z", re.DOTALL)

MAX_COPIED_BYTES = 64 * 2**20
"""The most bytes of a person's files that a program gets a copy of."""


def make_run_python(
    timeout: float = 5.0,
    memory_mb: int = 512,
    max_output: int = 10_000,
    *,
    files: str | Path | None = None,
) -> Tool:
    """Return the tool `run_python`, which runs a program and returns what it prints.

    A program gets a new Python with the standard library, an empty folder that is deleted
    afterwards, no input, and none of this process's environment. After `timeout` seconds it and
    every process of its group are killed. On Linux and macOS it also gets at most `timeout` seconds
    of processor time, files of 16 MiB, 64 open files and, unless the user is root, no other process
    or thread. On Linux it gets `memory_mb` mebibytes of memory. If it prints more than `max_output`
    bytes, the middle is left out. A program that fails, or is stopped, is a `ToolError` with what
    it printed.

    If you name the folder `files`, each program finds a copy of its files, without links, as
    `files/` in its own. More than 64 MiB are a `ToolError`.

    **This is not a sandbox.** The program runs as the user: it can read and change the user's
    files, read the environment of the user's other processes, and so a key such as `G2C_API_KEY`
    that this one was given (in `/proc`), use the network, and fill the disk with many small files;
    as root it can leave a process behind that started a group of its own. On Windows only the time
    limit holds, and only for the program itself. Give the tool to a model only where you would run
    its code yourself.

    Raises:
        ToolError: as `check_limits`.

    >>> run = make_run_python().func
    >>> run("print(21 * 2)")
    '42'
    """
    check_limits(timeout=timeout, memory_mb=memory_mb, max_output=max_output)

    def run_python(code: str) -> str:
        import tempfile
        import textwrap

        code = _FENCE.sub(r"\1", code)
        if code[:1].isspace():  # else `dedent` would change texts of several lines
            code = textwrap.dedent(code)
        with scratch_folder() as folder, tempfile.TemporaryFile() as output:
            (folder / "main.py").write_text(code, encoding="utf-8", errors="replace")
            if files:
                _copy_files(Path(files), folder / "files")
            trouble = _run_main(folder, output, timeout, memory_mb)
            text = read_ends(output, max_output).replace(f"{folder}{os.sep}", "").strip("\n")
        if trouble:
            raise ToolError(f"The program {trouble}. It printed:\n{text or '(nothing)'}")
        return text or "(no output; print the result to see it)"

    return Tool(
        name="run_python",
        description="Run a Python program and return what it prints."
        + (" The files are in the folder files." if files else ""),
        parameters=object_schema(code=text_schema(about="the program; it must print its result")),
        func=run_python,
        example=ToolExample(
            question="How many letters are in 'strawberry'?",
            thought="I need to count them with Python.",
            arguments={"code": "print(len('strawberry'))"},
            observation="10",
            answer="There are 10 letters.",
        ),
    )


def _copy_files(source: Path, to: Path) -> None:
    import shutil

    own = [path for path in source.rglob("*") if path.is_file() and not path.is_symlink()]
    if sum(path.stat().st_size for path in own) > MAX_COPIED_BYTES:
        raise ToolError(f"The files have more than {MAX_COPIED_BYTES // 2**20} MiB.")
    for path in own:
        copy = to / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def _run_main(folder: Path, output: IO[bytes], timeout: float, memory_mb: int) -> str:
    """Run `main.py` of `folder`; return how it failed, or an empty string if it ended well."""
    limits = {
        "RLIMIT_AS": memory_mb * 2**20,
        "RLIMIT_CPU": math.ceil(timeout) + 1,  # ends it even if this process is gone
        "RLIMIT_FSIZE": MAX_FILE_BYTES,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_NPROC": 0,
        "RLIMIT_CORE": 0,
    }
    status = run_limited(
        [*_PYTHON, "main.py"],
        timeout=timeout,
        limits=limits,
        folder=folder,
        environment=private_environment(folder),
        output=output,
    )
    return "" if status == 0 else describe_exit(status, timeout)
