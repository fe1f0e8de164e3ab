"""The command that runs the tests of the course: test."""

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

SINCE_VARIABLE = "G2C_TEST_SINCE"
"""Names the commit for the settings of the course's own tests, which select by it."""

MAX_TEST_S = 2400
"""Seconds after which a test counts as hanging: it fails, and says where. The slowest takes 200
seconds on two quiet cores, and 900 beside other work."""


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Also run the slow tests.")] = False,
    since: Annotated[
        str,
        typer.Option(
            metavar="COMMIT",
            help="Also run the slow tests of what has changed since COMMIT, and a tenth of the "
            "others, drawn by the name of the last commit.",
        ),
    ] = "",
) -> None:
    """Run the tests of the exercises on the reference, and the course's own, on two cores.

    Further arguments go to pytest; --durations=20 lists the slowest tests.
    To test your own functions: pytest tests/test_agent.py

    Example: g2c test -k Parse
    """
    require("dev", "pytest", "pytest_timeout", "xdist")
    # -P and not the environment variable: processes that a test starts have their own folders.
    command = [sys.executable, "-P", "-m", "pytest", "-rfE", "--doctest-modules", "--reference=all"]
    command += ["-p", "pytest_timeout", f"--timeout={MAX_TEST_S}", "--timeout-method=signal"]
    # A file's tests stay together: they share slow set-up, such as a loaded model. There are more
    # workers than cores, because tests also wait for processes and pages.
    processes = ["-p", "xdist", "-n", "4" if everything or since else "3"]
    by_file = ["--dist", "loadfile", "--no-loadscope-reorder"]
    is_quick = not (everything or since)
    command += [*processes, *by_file, *(["-m", "not slow"] if is_quick else []), *context.args]
    environment = own_environment()
    if since and not everything:
        environment[SINCE_VARIABLE] = since
    del environment["PYTHONSAFEPATH"]
    if "CI" in os.environ:  # there, a check of what is shipped is never skipped
        environment["CI"] = os.environ["CI"]
    # A session of its own: what pytest's processes and the tests started can be ended with it.
    process = subprocess.Popen(command, cwd=project_root(), env=environment, start_new_session=True)
    code = wait_in_session(process)
    if is_quick:
        err.print("Without the slow tests. g2c test --all runs them, too.")
    raise typer.Exit(1 if code is None else code)
