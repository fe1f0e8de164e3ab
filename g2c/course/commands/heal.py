"""The command that gets a loop out of a hole: heal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from g2c.course.console import err, out
from g2c.course.importing import import_students
from g2c.paths import project_root

app = typer.Typer()

UNSENT, PANIC = 2, 3


@app.command("heal")
def heal_loop(
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="FOLDER", help="The loop; else loop/ in the course."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be restored, and change nothing.")
    ] = False,
) -> None:
    """Bring a loop whose ticks keep failing back to its newest good state, if it needs that.

    It does not run the loop. The exit code, for cron, is 0 where there is nothing to do or the loop
    is mended, 3 where a person is needed, and 2 where the outbox cannot be written to say so.

    Example: g2c heal --dry-run
    """
    import_students("g2c.loop.heal")
    from g2c.loop.files import LoopFiles
    from g2c.loop.heal import heal
    from g2c.loop.locking import holder
    from g2c.memory.store import utc_now

    root = folder or project_root() / "loop"
    if process := holder(LoopFiles(root).lock):
        out.print(f"Nothing to do: process {process} works on the loop in {root}.", markup=False)
        return
    result = heal(root, utc_now(), dry_run=dry_run)
    out.print(result.said, markup=False, soft_wrap=True)
    if dry_run and result.diff:
        from rich.syntax import Syntax

        out.print(Syntax(result.diff, "diff", background_color="default", word_wrap=True))
    if result.unsent:
        err.print(result.unsent, markup=False, soft_wrap=True)
        raise typer.Exit(UNSENT)
    if result.decision.action == "panic":
        raise typer.Exit(PANIC)
