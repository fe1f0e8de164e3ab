"""The commands about runs: chat, runs, show, writeup."""

from __future__ import annotations

import typer

app = typer.Typer()
