"""The command that opens a notebook."""

from __future__ import annotations

import typer

app = typer.Typer()
