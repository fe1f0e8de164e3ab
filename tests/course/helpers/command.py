"""The `g2c` command within this process, which has loaded all of it once.

The exercises are what they are here, so the references. What is about a process (its signals, its
environment, a student's own file) is tried with a `Checkout`.
"""

import io
import os
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

import typer

from g2c.cli import console
from g2c.cli.main import main
from g2c.course.manifest import load_exercises
from g2c.paths import cache_dir

for exercise in load_exercises():  # now, and not while a test says which references it wants
    import_module(exercise.import_name)

_get_command = cache(typer.main.get_command)
"""It puts all commands together anew for each call, which takes longer than most of them do."""


def g2c(
    *arguments: str, root: Path, typed: str = "", reference: str | None = "all", **environment: str
) -> CompletedProcess[str]:
    """Run the command as in a course in `root`; it finds only the Ollama that it is told of, or
    one at the usual port.

    `reference` is what the command takes `G2C_REFERENCE` for: None, where what was skipped
    counts. The processes that it starts have the functions of `root`.
    """
    given = {
        "G2C_CACHE": str(cache_dir()),
        "G2C_EXACT": "1",
        "G2C_ROOT": str(root),
        "PYTHONPATH": str(root),
    }
    if reference is not None:
        given["G2C_REFERENCE"] = reference
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("G2C_", "OLLAMA_"))}
    said, told, code = io.StringIO(), io.StringIO(), 0
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, kept | given | environment, clear=True))
        stack.enter_context(patch.object(sys, "argv", ["g2c", *arguments]))
        stack.enter_context(patch.object(sys, "stdin", io.StringIO(typed)))
        stack.enter_context(patch("typer.main.get_command", _get_command))
        for stream in (console.out, console.err):
            stack.enter_context(patch.object(stream, "_width", 200))
        stack.enter_context(chdir(root))
        stack.enter_context(redirect_stdout(said))
        stack.enter_context(redirect_stderr(told))
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return CompletedProcess(["g2c", *arguments], code, said.getvalue(), told.getvalue())
