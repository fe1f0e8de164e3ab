"""The command that says what is installed and what is missing: doctor."""

from __future__ import annotations

import typer
from rich.markup import escape

from g2c.cli.console import out

app = typer.Typer()


@app.command()
def doctor() -> None:
    """Say what is there, what is missing, and how to get it.

    Example: g2c doctor
    """
    from g2c.inference.served.diagnosis import diagnose

    missing = 0
    for check in diagnose():
        mark = {True: "[green]ok     [/]", False: "[red]missing[/]", None: "[dim]-      [/]"}
        out.print(f"{mark[check.ok]} {check.name}: {escape(check.detail)}", soft_wrap=True)
        if check.remedy:
            out.print(f"        {escape(check.remedy)}", soft_wrap=True)
        missing += check.ok is False
    if missing:
        raise typer.Exit(1)
