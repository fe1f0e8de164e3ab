"""The command that makes a submission: submit."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.console import out
from g2c.cli.places import OutputFile
from g2c.files import open_file
from g2c.text import printable

app = typer.Typer()

SHOWN = 5
"""The most places of possible secrets that are listed."""


@app.command("submit")
def submit(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="[FILE]", help="The archive; default: submission.zip.", show_default=False
        ),
        OutputFile(None, unless="check"),
    ] = Path("submission.zip"),
    check: Annotated[
        bool, typer.Option("--check", help="Show what the archive contains, without making one.")
    ] = False,
) -> None:
    """Put everything that is graded in your course into one zip.

    The zip contains your exercises, notebooks, catalogue and runs, and a list of hashes. With
    --check, the exit code is 1 if the archive lacks an exercise, or if a file differs from the
    list.

    Example: g2c submit ada.zip && g2c submit --check ada.zip
    """
    from g2c.course.packing import pack
    from g2c.course.submission import (
        doubts_about_answers,
        inspect_archive,
        is_submission,
        secrets_in,
    )
    from g2c.files import replace_bytes
    from g2c.paths import in_shell, project_root

    if not check:
        if file.exists() and not is_submission(file):
            raise ValueError(
                f"{file} exists and is not a zip of a submission; it stays as it is. Name another."
            )
        now = datetime.now(UTC)
        replace_bytes(file, pack(project_root(), follow_links=True, now=now, tell=_warn))
    elif not file.exists():
        raise ValueError(f"There is no file {file}. g2c submit {in_shell(file)} makes it.")
    with open_file(file, "rb") as archive:
        found = inspect_archive(archive)
        secrets, doubts = secrets_in(archive), doubts_about_answers(archive)
    packed = f", packed {found.packed}" if found.packed else ""
    out.print(f"{escape(str(file))}: {len(found.files)} files{escape(packed)}")
    for name in found.files:
        if not name.startswith("g2c/"):
            out.print(f"  {escape(name)}")
    exercises = sum(name.startswith("g2c/") for name in found.files)
    out.print(f"  {exercises} files of exercises")
    if found.untouched:
        none = "[yellow]No exercise is written.[/] " if len(found.untouched) == exercises else ""
        out.print(f"  {none}As shipped: {', '.join(found.untouched)}", soft_wrap=True)
    for name in found.lacks:
        out.print(f"[yellow]lacks {escape(name)}[/]")
    for sentence in doubts:
        _warn(sentence)
    for name in found.changed:
        out.print(f"[red]{escape(name)} is not as the list of hashes says[/]")
    for place in secrets[:SHOWN]:
        out.print(f"[yellow]{escape(place)}: is this a key or a password?[/] It would be read.")
    if len(secrets) > SHOWN:
        out.print(f"[yellow]and {len(secrets) - SHOWN} more places[/]")
    if not found.course:
        out.print("[yellow]It has no list of hashes; g2c submit makes one.[/]")
    if check and (found.lacks or found.changed or not found.course):
        raise typer.Exit(1)


def _warn(sentence: str) -> None:
    out.print(f"[yellow]{escape(printable(sentence))}[/]", soft_wrap=True)
