"""The command that measures models on the course's own work: eval."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.course.cli.console import err, out, show_model
from g2c.exercise import REFERENCE_VARIABLE

if TYPE_CHECKING:
    from g2c.inference import Backend

app = typer.Typer()

_WITH = "embedded+"


@app.command("eval")
def evaluate(
    models: Annotated[
        list[str],
        typer.Argument(metavar="MODEL...", help="One or more, to be compared."),
    ],
    family: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this family of tasks; may be given again."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Only N tasks of each family.")
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Also keep every outcome in this file."),
    ] = None,
) -> None:
    """Measure models on a fixed suite of tasks: what they solve, and at what cost.

    MODEL is what g2c model takes, or embedded+FILE for the small model with that adapter.
    The tasks come from all four modules, from one call of a tool to a tick of a loop.
    It runs the course's reference functions, not yours, at temperature 0.
    The whole suite takes the small model many minutes.

    Example: g2c eval embedded llama3.2:3b --family recovery --limit 10
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    from json import dumps

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )

    from g2c.evaluation.report import to_data, to_markdown
    from g2c.evaluation.running import Attempt, run_suite
    from g2c.evaluation.suite import fingerprint, load_suite
    from g2c.files import replace_text

    tasks = load_suite(family or (), limit)
    backends = {_label(name): _load(name) for name in models}  # one that is missing says so now
    if len(backends) < len(models):
        raise ValueError("Name each model once; the report tells them apart by their names.")
    measured: dict[str, tuple[Attempt, ...]] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=err, transient=True) as progress:
        for name, backend in backends.items():
            bar = progress.add_task(escape(name), total=len(tasks))

            def show(outcome: Attempt, name: str = name, bar: TaskID = bar) -> None:
                said = escape(f"{name}: {outcome.family}")
                progress.update(bar, advance=1, description=said)

            measured[name] = run_suite(backend, tasks, show)
            if json:  # after each model, for the next may take long
                data = to_data(measured, fingerprint(tasks))
                replace_text(json, dumps(data, ensure_ascii=False, indent=1) + "\n")
    out.print("\n" + to_markdown(measured), markup=False, soft_wrap=True, end="")


def _load(name: str) -> Backend:
    from g2c.inference.embedded import EmbeddedBackend
    from g2c.inference.selection import load_selection

    with err.status("loading the model"):
        if name.startswith(_WITH):
            backend: Backend = EmbeddedBackend(adapter=name.removeprefix(_WITH))
        else:
            backend = load_selection(name)
    show_model(backend)
    return backend


def _label(name: str) -> str:
    return Path(name).stem if name.endswith(".gguf") else name
