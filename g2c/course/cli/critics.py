"""The command that measures the critics: how many broken drafts does each approve?"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from g2c.course.cli.console import ModelOption, err, load, out, show_model
from g2c.course.errors import import_students

app = typer.Typer()


@app.command()
def critics(
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME,NAME", help="Only these critics.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Only the first N tasks.")
    ] = None,
    model: ModelOption = None,
) -> None:
    """Measure the critics: show each critic the good and the broken drafts that the course has.

    A task has two drafts, and every critic is asked about each, one call for each draft.
    The report says how many drafts each critic approves, with intervals, and what that is
    worth. It uses your paired_bootstrap (21.7).

    Example: g2c critics --only strict,gentle --limit 4
    """
    import_students("g2c.critic")
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from g2c.critic.assembled.measuring import approvals_report, measure_approvals
    from g2c.critic.assembled.roles import Critic
    from g2c.critic.bootstrap import paired_bootstrap
    from g2c.critic.provided.labelled import load_labelled
    from g2c.critic.provided.prompts import CRITICS

    names = [name.strip() for name in only.split(",")] if only else list(CRITICS)
    if unknown := [name for name in names if name not in CRITICS]:
        raise ValueError(f"There is no critic {unknown[0]!r}; there are {', '.join(CRITICS)}.")
    paired_bootstrap([0], [0])  # if it is not written yet, it says so now and not after minutes
    tasks = load_labelled()[:limit]
    backend = load(model)
    show_model(backend)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=err, transient=True) as progress:
        bar = progress.add_task("reviewing", total=2 * len(tasks) * len(names))

        def show(critic: str, task: str) -> None:
            progress.update(bar, advance=1, description=escape(f"{critic}: {task}"))

        asked = {name: Critic(backend, CRITICS[name], form="json") for name in names}
        measured = measure_approvals(asked, tasks, on_review=show)
    out.print("\n" + approvals_report(measured), markup=False, soft_wrap=True, end="")
