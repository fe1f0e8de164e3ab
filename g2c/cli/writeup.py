"""The commands about the catalogue of failures: writeup new, writeup check."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.console import out
from g2c.cli.runs import RunArgument
from g2c.course.runs import find_run, read_transcript, runs_dir
from g2c.paths import project_root

app = typer.Typer()
writeup = typer.Typer(no_args_is_help=True)
app.add_typer(writeup, name="writeup")


@writeup.callback()
def about_writeup() -> None:
    """Write and check the catalogue of your agent's failures, docs/agent-failure-modes.md.

    Example: g2c runs writeup new last --title "It answered before it looked"
    """


@writeup.command("new")
def new_entry(
    run: RunArgument, title: Annotated[str, typer.Option(help="What went wrong, in a few words.")]
) -> None:
    """Add an entry about a recorded run; you write its hypothesis and its mitigation.

    Example: g2c runs writeup new last --title "It answered before it looked"
    """
    from g2c.course.writeup import append_entry, render_entry, writeup_file

    path = find_run(run)
    append_entry(writeup_file(), render_entry(title, path.stem, read_transcript(path)))
    out.print(f"Added to {escape(_short(writeup_file()))}.", soft_wrap=True)
    out.print("Write its hypothesis and its mitigation there, then: g2c runs writeup check")


@writeup.command("check")
def check_entries() -> None:
    """Show what each entry of the catalogue lacks. The exit code is 0 if three are complete.

    Example: g2c runs writeup check
    """
    from g2c.course.writeup import check_writeup, writeup_file

    if not writeup_file().exists():
        raise ValueError(f"There is no {_short(writeup_file())}; g2c runs writeup new starts it.")
    check = check_writeup(writeup_file(), runs_dir())
    for number, entry in enumerate(check.entries, 1):
        state = "[yellow]to do[/]" if entry.lacks else "[green]complete[/]"
        title = escape(entry.entry.title) or "(no title)"
        out.print(f"{number}. {title}: {state}", soft_wrap=True)
        for sentence in entry.lacks:
            out.print(f"   {escape(sentence)}", soft_wrap=True)
    for sentence in check.lacks:
        out.print(escape(sentence), soft_wrap=True)
    if check.is_complete:
        out.print("The catalogue is complete. docs/rubrics/module-19.md says how it is graded.")
    raise typer.Exit(0 if check.is_complete else 1)


def _short(path: Path) -> str:
    """The path relative to the project's folder."""
    return path.relative_to(project_root()).as_posix()
