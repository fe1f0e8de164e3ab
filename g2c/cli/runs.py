"""The commands about recorded runs: runs, show."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from g2c.cli.console import out, show
from g2c.cli.steps import show_end, show_step
from g2c.course.errors import import_students
from g2c.course.runs import find_run, list_runs, read_run, read_transcript
from g2c.text import printable

app = typer.Typer()

RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="A run's name or its beginning, its number in g2c runs, or last."
    ),
]


@app.command("runs")
def table_of_runs() -> None:
    """List the recorded runs, newest first.

    Example: g2c runs
    """
    paths = list_runs()
    if not paths:
        out.print("No run is recorded yet; g2c chat records each run.")
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("name", overflow="fold", min_width=15)
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("stopped", no_wrap=True)
    table.add_column("question", overflow="fold", min_width=10)
    table.add_column("model", overflow="fold")
    import_students("g2c.agent")
    for number, path in enumerate(paths, 1):
        try:
            result = read_run(path)
        except (ValueError, OSError):
            table.add_row(str(number), escape(path.stem), "[red]unreadable[/]")
            continue
        model = result.metadata.get("backend_model_id", "")
        cells = [path.stem, len(result.steps), result.stopped_reason, result.user_message, model]
        table.add_row(str(number), *(escape(" ".join(str(cell).split())) for cell in cells))
    out.print(table)


@app.command("show")
def show_run(
    run: RunArgument,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a write-up quotes it.")] = False,
) -> None:
    """Show a recorded run step by step.

    Example: g2c show last
    """
    path = find_run(run)
    if markdown:
        typer.echo(printable(read_transcript(path)), nl=False)
        return
    result = read_run(path)
    show("Run", path.stem, "dim")
    show("Question", result.user_message, "bold")
    if result.plan:
        steps = [f"{number}. {step}" for number, step in enumerate(result.plan.steps, 1)]
        show("Plan", "\n".join([result.plan.goal, *steps]), "magenta")
    for number, step in enumerate(result.steps, 1):
        out.rule(f"step {number}", align="left", style="dim")
        show_step(step)
    show_end(result)
