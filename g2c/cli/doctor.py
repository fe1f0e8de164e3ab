"""The command that says what is installed and what is missing: doctor."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

import g2c
from g2c.cli.console import out
from g2c.cli.guarding import rules_of
from g2c.cli.options import find_home
from g2c.text import reason_of

if TYPE_CHECKING:
    from g2c.inference.served.diagnosis import Check

MARKS = {True: ("ok", "green"), False: ("missing", "red"), None: ("-", "dim")}
LIVE_MARKS = {True: ("ok", "green"), False: ("wrong", "red"), None: ("-", "dim")}

app = typer.Typer()


@app.command()
def doctor(
    live: Annotated[
        str | None,
        typer.Option(
            metavar="TAG", help="Try this model of your Ollama server, and print a report."
        ),
    ] = None,
) -> None:
    """Say what is there, what is missing, and how to get it.

    With --live, the command tests everything that the course needs of your Ollama server. That
    takes some minutes. If a line is "wrong", open an issue with all lines.

    Example: g2c doctor --live llama3.2:3b
    """
    missing = 0
    for check in _checks(live):
        mark, colour = MARKS[check.ok] if live is None else LIVE_MARKS[check.ok]
        said = f"[{colour}]{mark:7}[/] {check.name}: {escape(check.detail)}"
        out.print(said, soft_wrap=True)
        if check.remedy:
            out.print(f"        {escape(check.remedy)}", soft_wrap=True)
        missing += check.ok is False
    if missing:
        raise typer.Exit(1)


def _checks(live: str | None) -> Iterator[Check]:
    if live is None:
        from g2c.inference.served.diagnosis import diagnose

        yield from diagnose()
        yield _rules()
        return
    from g2c.inference.served.live import try_out

    out.print(f"g2c {g2c.__version__}, {platform.platform()}, Python {platform.python_version()}")
    yield from try_out(live)


def _rules() -> Check:
    """Whether the usual home's agent.toml can be used, and each of its rules can apply."""
    from g2c.inference.served.diagnosis import Check

    try:
        home = find_home(None)
        rules = rules_of(home)
    except (ValueError, OSError) as error:
        return Check("agent.toml", False, "", reason_of(error))
    return Check("agent.toml", True, f"{len(rules)} rules in {home.settings_file}")
