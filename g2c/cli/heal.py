"""The command that brings a broken loop back to a good state: heal."""

from typing import Annotated

import typer

from g2c.cli.console import err, out, show_diff
from g2c.cli.options import HomeOption, LoopFolderOption, LoopNameOption, find_loop

app = typer.Typer()

UNSENT, PANIC = 2, 3


@app.command("heal")
def heal_loop(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be restored, and change nothing.")
    ] = False,
) -> None:
    """Bring a loop back to its newest good state, if its ticks keep failing.

    The command does not run the loop. Its exit code, for cron, is 0 if there is nothing to do or
    the loop is repaired, 3 if a person is needed, and 2 if that message cannot be written to the
    outbox.

    Example: g2c loop heal --dry-run
    """
    files = find_loop(folder, home, name)
    from g2c.loop.app.recovery import heal
    from g2c.loop.core.folder import holder
    from g2c.memory.app.store import utc_now

    if process := holder(files.lock):
        busy = f"Nothing to do: process {process} works on the loop in {files.root}."
        out.print(busy, markup=False, soft_wrap=True)
        return
    result = heal(files.root, utc_now(), dry_run=dry_run)
    out.print(result.message, markup=False, soft_wrap=True)
    if dry_run and result.diff:
        show_diff(result.diff)
    if result.unsent:
        err.print(result.unsent, markup=False, soft_wrap=True)
        raise typer.Exit(UNSENT)
    if result.decision.action == "panic":
        raise typer.Exit(PANIC)
