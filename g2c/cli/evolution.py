"""The commands about what an agent changes in itself: history, revert, pending, accept, refuse."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.confirm import confirm
from g2c.cli.console import out, show, show_diff
from g2c.cli.options import HomeOption, LoopFolderOption, find_home, find_loop, require_home
from g2c.paths import home_options
from g2c.visible import visible

app = typer.Typer()
evolution = typer.Typer(no_args_is_help=True)
app.add_typer(evolution, name="evolution")

ChangeId = Annotated[
    str,
    typer.Argument(metavar="ID", help="The change's id, as g2c loop evolution pending shows it."),
]
_COLOURS = {"evolved": "green", "reverted": "yellow", "proposed": "cyan", "refused": "red"}


@evolution.callback()
def about_evolution() -> None:
    """Show, undo, accept or refuse the changes that an agent makes in its own files.

    Example: g2c loop evolution history
    """


@evolution.command("history")
def show_history(home: HomeOption = None, folder: LoopFolderOption = None) -> None:
    """Show every change that was made or refused, oldest first, with its version and its reason.

    Example: g2c loop evolution history --folder loop
    """
    agent = _agent_folder(home, folder)
    from g2c.loop.app.evolution import history

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
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Go back without asking.")] = False,
) -> None:
    """Go back to the files of an older version, as a new version, after showing what changes.

    Nothing is deleted, and the constitution does not change.

    Example: g2c loop evolution revert 2
    """
    agent = _agent_folder(home, folder)
    from g2c.loop.app.evolution import diff_to, revert
    from g2c.loop.core.identity import read_texts

    before = read_texts(agent)
    if diff := diff_to(agent, version, before=before):
        show_diff(diff)
        if not (yes or confirm(f"Go back to version {version}?")):
            raise typer.Exit(1)
    change = revert(agent, version, datetime.now(UTC), before=before)
    out.print(f"The files are as in version {version}; that is version {change.version} now.")


@evolution.command("pending")
def show_pending(home: HomeOption = None, folder: LoopFolderOption = None) -> None:
    """Show the change that waits for your answer. The exit code is 1 if there is none.

    Example: g2c loop evolution pending
    """
    agent = _agent_folder(home, folder)
    from g2c.loop.app.proposal import waiting

    if (change := waiting(agent)) is None:
        out.print("No change waits for you.")
        raise typer.Exit(1)
    show("Change", change.id, "bold")
    show("Why", visible(change.why), "cyan")
    show_diff(change.diff)
    at = find_loop(folder).options if folder else home_options(find_home(home).root)
    out.print(
        f"g2c loop evolution accept {change.id}{at} makes it; "
        f"g2c loop evolution refuse {change.id}{at} drops it."
    )


@evolution.command("accept")
def accept_pending(id: ChangeId, home: HomeOption = None, folder: LoopFolderOption = None) -> None:
    """Make the change that waits for your answer, as a new version.

    Example: g2c loop evolution accept 5f3a90c1
    """
    from g2c.loop.app.proposal import accept

    change = accept(_agent_folder(home, folder), id, datetime.now(UTC))
    out.print(f"The files are in version {change.version} now.")


@evolution.command("refuse")
def refuse_pending(id: ChangeId, home: HomeOption = None, folder: LoopFolderOption = None) -> None:
    """Drop the change that waits for your answer. The log notes it.

    Example: g2c loop evolution refuse 5f3a90c1
    """
    from g2c.loop.app.proposal import refuse

    refuse(_agent_folder(home, folder), id, datetime.now(UTC))
    out.print("It was dropped; no file has changed.")


def _agent_folder(home: Path | None, folder: Path | None) -> Path:
    if folder is None:
        require_home(find_home(home))
    agent = find_loop(folder).agent if folder else find_home(home).identity
    if not agent.is_dir():
        raise ValueError(f"There is no agent in {agent.parent}; a chat or a loop makes one.")
    return agent
