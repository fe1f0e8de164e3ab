"""The command that opens a notebook: notebook."""

from __future__ import annotations

import shlex
import subprocess
from datetime import datetime
from typing import Annotated

import typer
from rich.markup import escape

from g2c.course.cli.console import out

app = typer.Typer()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def notebook(
    context: typer.Context,
    module: Annotated[str, typer.Argument(metavar="MODULE", help="Its number, such as 19.")],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Move your copy to archive/ and begin again.")
    ] = False,
    no_launch: Annotated[
        bool, typer.Option("--no-launch", help="Say where the notebook is, and how to open it.")
    ] = False,
) -> None:
    """Open your working copy of a module's notebook in JupyterLab.

    The copy is work/19-agent.ipynb. It is made when first needed, and never overwritten.

    Further arguments go to JupyterLab, such as --no-browser.

    Example: g2c notebook 19
    """
    from g2c.course.notebook.copies import (
        archive_copy,
        jupyterlab_command,
        require_jupyterlab,
        working_copy,
    )

    require_jupyterlab()
    if fresh and (kept := archive_copy(module, datetime.now())):
        out.print(f"Your copy was moved to {escape(str(kept))}", soft_wrap=True)
    copy = working_copy(module)
    if no_launch:
        out.print(escape(str(copy)), soft_wrap=True)
        out.print(f"Open it with: {escape(shlex.join(jupyterlab_command(copy)))}", soft_wrap=True)
        return
    raise typer.Exit(_run([*jupyterlab_command(copy), *context.args]))


def _run(command: list[str]) -> int:
    """Run `command` and return its exit code. Ctrl-C is left to the command: JupyterLab asks, and a
    second Ctrl-C answers yes."""
    with subprocess.Popen(command) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue
