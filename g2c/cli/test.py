"""The command that runs the tests of the course: test."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Annotated

import typer

from g2c.cli.console import err
from g2c.ending import wait_in_session
from g2c.extras import require
from g2c.paths import project_root
from g2c.surroundings import own_environment

app = typer.Typer()

LONGEST_S = 2400
"""Seconds after which a test counts as hanging: it fails, and says where. The slowest takes 200
seconds on two quiet cores, and 900 beside other work."""

LONG = {
    "break": "first versions of the exercises, on the real model",
    "browser": "the course in a browser's tab, with its model",
    "crash": "kills and races at length",
    "growth": "whether time grows with the text",
    "hostile_sandboxes": "submissions that attack the grader, in the other sandboxes",
    "hostile_submissions": "submissions that attack the grader",
    "loop_crash": "loops that are killed",
    "mcp": "MCP servers, good and bad ones",
    "memory_kept": "what recall keeps, while processes are killed",
    "notebook": "module 19's notebook",
    "notebook_20": "module 20's notebook",
    "notebook_21": "module 21's notebook",
    "notebook_22": "module 22's notebook",
    "notebook_browser": "a notebook in a browser",
    "notebook_live": "each experiment and each control of the notebooks, in a kernel",
    "ollama_hostile": "a model server that misbehaves",
    "site": "the site in a browser",
    "story": "one agent over three days, on the real model",
    "surroundings": "files and settings of a student's that reach no check",
    "teaching": "a tool's description, on the real model",
    "wrong_answers": "every wrong answer against the student's tests",
}
"""The files of `tests/course` that only --all runs, and what they try. Single tests that take
several seconds are marked `long` instead."""

IGNORED = [f"--ignore-glob=tests/course/*test_{name}.py" for name in LONG]
"""A star also matches folders, or none: a file may be beside them."""


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Also run the tests that take long.")
    ] = False,
) -> None:
    """Run the tests of the exercises on the reference, and the course's own, on two cores.

    Further arguments go to pytest; --durations=20 lists the slowest tests.
    To test your own functions: pytest tests/test_agent.py

    Example: g2c test -k Parse
    """
    require("dev", "pytest", "pytest_timeout", "xdist")
    # -P and not the environment variable: processes that a test starts have their own folders.
    command = [sys.executable, "-P", "-m", "pytest", "-rfE", "--doctest-modules", "--reference=all"]
    command += ["-p", "pytest_timeout", f"--timeout={LONGEST_S}", "--timeout-method=signal"]
    # A file's tests stay together: they share slow set-up, such as a loaded model. There are more
    # workers than cores, because tests also wait for processes and pages.
    processes = ["-p", "xdist", "-n", "4" if everything else "3"]
    by_file = ["--dist", "loadfile", "--no-loadscope-reorder"]
    left_out = [] if everything else [*IGNORED, "-m", "not long"]
    command += [*processes, *by_file, *left_out, *context.args]
    environment = own_environment()
    del environment["PYTHONSAFEPATH"]
    if "CI" in os.environ:  # there, a check of what is shipped is never skipped
        environment["CI"] = os.environ["CI"]
    # A session of its own: what pytest's processes and the tests started can be ended with it.
    process = subprocess.Popen(command, cwd=project_root(), env=environment, start_new_session=True)
    code = wait_in_session(process)
    if left_out:
        tried = ", ".join([*LONG.values(), "and single tests that are marked long"])
        err.print(f"Left out, because they take long: {tried}. g2c test --all runs them, too.")
    raise typer.Exit(1 if code is None else code)
