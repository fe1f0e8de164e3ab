"""The commands about what an agent has changed in itself: history, revert."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.course.cli.console import LoopFolderOption, find_loop, out, show

app = typer.Typer()
evolution = typer.Typer(no_args_is_help=True)
app.add_typer(evolution, name="evolution")

_COLOURS = {"evolved": "green", "reverted": "yellow", "refused": "red"}


@evolution.callback()
def about_evolution() -> None:
    """See how an agent changed the files that it reads before it works, and undo that.

    Example: g2c evolution history
    """


@evolution.command("history")
def show_history(folder: LoopFolderOption = None) -> None:
    """Show every change that was made or refused, oldest first, with its version and its reason.

    Example: g2c evolution history --folder loop
    """
    agent = _agent_folder(folder)
    from g2c.loop.assembled.evolution import history

    changes = history(agent)
    for change in changes:
        style = _COLOURS.get(change.kind, "dim")
        made = f"version {change.version}" if change.version else "no version"
        files = f": {', '.join(change.files)}" if change.files else ""
        line = f"{change.ts:%Y-%m-%d %H:%M}  [{style}]{change.kind:9}[/]  {made}"
        out.print(line + escape(files), soft_wrap=True)
        for text in filter(None, (change.why, *change.broken)):
            show("", text, style)
    if not changes:
        out.print("Nothing has changed yet, and nothing was tried.")


@evolution.command("revert")
def revert_to(
    version: Annotated[int, typer.Argument(metavar="N", help="The version to go back to.")],
    folder: LoopFolderOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Bring the texts of an older version back, as a new version. It shows what changes, and asks.

    Nothing is deleted, and the constitution stays as it is.

    Example: g2c evolution revert 2
    """
    agent = _agent_folder(folder)
    from g2c.loop.assembled.evolution import diff_to, revert

    if diff := diff_to(agent, version):
        from rich.syntax import Syntax

        out.print(Syntax(diff, "diff", background_color="default", word_wrap=True))
        if not (yes or typer.confirm(f"Go back to version {version}?")):
            raise typer.Exit(1)
    change = revert(agent, version, datetime.now(UTC))
    out.print(f"The files are as in version {version}; that is version {change.version} now.")


def _agent_folder(folder: Path | None) -> Path:
    files = find_loop(folder)
    if not files.agent.is_dir():
        raise ValueError(f"There is no loop in {files.root}; g2c loop start begins one.")
    return files.agent
