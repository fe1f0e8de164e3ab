"""The command for an instructor."""

from __future__ import annotations

import typer

app = typer.Typer()
