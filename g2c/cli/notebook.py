"""The command that opens a notebook: notebook."""

import os
import shlex
import subprocess
from contextlib import suppress
from datetime import datetime
from typing import Annotated, NoReturn

import typer
from rich.markup import escape

from g2c.cli.console import out
from g2c.extras import require
from g2c.surroundings import own_environment

app = typer.Typer()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def notebook(
    context: typer.Context,
    module: Annotated[
        str, typer.Argument(metavar="MODULE", help="The number of the module, such as 19.")
    ],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Move your copy to archive/ and begin again.")
    ] = False,
    no_launch: Annotated[
        bool,
        typer.Option("--no-launch", help="Only show where the notebook is, and how to open it."),
    ] = False,
) -> None:
    """Open your working copy of a module's notebook in JupyterLab.

    The copy is work/19-agent.ipynb. It is made when first needed, and never overwritten.

    Further arguments go to JupyterLab, such as --no-browser. Ctrl-C ends it.

    Example: g2c notebook 19
    """
    from g2c.course.notebook.copies import archive_copy, jupyterlab_command, working_copy

    require("course", "jupyterlab")
    if fresh and (kept := archive_copy(module, datetime.now())):
        out.print(f"Your copy was moved to {escape(str(kept))}", soft_wrap=True)
    copy = working_copy(module)
    if no_launch:
        out.print(escape(str(copy)), soft_wrap=True)
        out.print(f"Open it with: {escape(shlex.join(jupyterlab_command(copy)))}", soft_wrap=True)
        return
    _become([*jupyterlab_command(copy, alone=True), *context.args])


def _become(command: list[str]) -> NoReturn:
    """Replace this process by `command`, so that signals and the exit code are shared. On Windows,
    which cannot do that, run it as a child and wait."""
    if os.name == "posix":
        os.execve(command[0], command, own_environment())
    with subprocess.Popen(command, env=own_environment()) as process:
        while True:
            with suppress(KeyboardInterrupt):  # JupyterLab gets it, too
                raise typer.Exit(process.wait())
