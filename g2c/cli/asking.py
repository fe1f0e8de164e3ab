"""Asking models the tasks of a suite, on this machine or a cluster, for eval and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.markup import escape

from g2c.cli.console import err, out
from g2c.cli.places import Input, OutputFile
from g2c.cli.steps import show_model
from g2c.interrupted import PartlyMeasuredError, StoppedEarly

if TYPE_CHECKING:
    from g2c.inference import Backend
    from g2c.suite.sweep import Outcomes
    from g2c.suite.tasks import SuiteTask

FamilyOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Ask only the tasks of this family; may be repeated."),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", "-n", min=1, help="Ask only N tasks of each family.")
]
FreshOption = Annotated[
    str | None,
    typer.Option(metavar="SEED", help="Draw new tasks from this seed, a number or a word."),
]
SuiteOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Ask the tasks in this JSON Lines file, instead of the course's."
    ),
    Input(),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Run on the Dask cluster with this scheduler; default: on this machine.",
    ),
]
OutcomesOption = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write every outcome to this file, and skip the tasks whose outcomes it already has.",
    ),
    OutputFile(None),
]


@dataclass(frozen=True)
class Missing:
    """Why some outcomes are missing, and the exit code that says so."""

    why: str
    code: int

    def end(self) -> NoReturn:
        """Say so, and end the command."""
        err.print(f"[red]g2c:[/] {escape(self.why)}", soft_wrap=True)
        raise typer.Exit(self.code)


def ask_all(
    tasks: Sequence[SuiteTask], models: Sequence[str], file: Path | None, scheduler: str | None
) -> tuple[Outcomes, Missing | None]:
    """Ask the models all `tasks` whose outcomes are not in `file` yet. Return the outcomes, and why
    some are missing.

    Raises:
        ValueError: two models have one name, or the file has something else.
        BackendError: a model cannot be had.
        KeyboardInterrupt: it was interrupted before there was an outcome.
    """
    from g2c.course.sweep_workers import (
        identify_on_cluster,
        identity_of,
        label_of,
        load,
        on_cluster,
        on_this_machine,
    )
    from g2c.suite.settings import split_name
    from g2c.suite.sweep import Outcomes

    for name in models:
        _check_settings(name, tasks, scheduler)
    labels = {label_of(name): name for name in models}
    if len(labels) < len(models):
        raise ValueError("Name each model once; the report tells them apart by their names.")
    outcomes = Outcomes(tasks, tuple(labels), file)
    if scheduler:
        ask, identities = on_cluster(scheduler), identify_on_cluster(scheduler, models)
    else:
        loaded: dict[str, Backend] = {}
        with err.status("loading the model"):  # all of them: one that is missing says so now
            for model in dict.fromkeys(split_name(name)[0] for name in models):
                loaded[model] = load(model)
        for backend in loaded.values():
            show_model(backend)
        backends = {name: loaded[split_name(name)[0]] for name in models}
        identities = {name: identity_of(own, split_name(name)[1]) for name, own in backends.items()}
        ask = on_this_machine(backends)
    changed = outcomes.belong_to({label: identities[name] for label, name in labels.items()})
    if changed:
        err.print(
            f"{escape(changed)} It is asked again; {escape(str(file))} keeps the old outcomes as "
            "`earlier`.",
            soft_wrap=True,
        )
    if outcomes.total:
        err.print(f"{outcomes.total} outcomes are in {escape(str(file))} already.", soft_wrap=True)
    trouble, code = "", 1
    with _progress(tasks, outcomes.done()) as show:
        try:
            trouble = outcomes.complete(labels, ask, show)
        except KeyboardInterrupt:
            if not outcomes.total:
                raise
            trouble, code = "it was interrupted.", 130
    if not trouble:
        return outcomes, None
    missing = len(models) * len(tasks) - outcomes.total
    go_on = "Run it again to go on." if file else "With --json FILE you could go on from here."
    why = f"{missing} tasks have no outcome, and count in no figure: {trouble} {go_on}"
    return outcomes, Missing(why, code)


def _check_settings(name: str, tasks: Sequence[SuiteTask], scheduler: str | None) -> None:
    """Refuse settings behind a model's name that would have no effect, or are not available."""
    from g2c.course.other_functions import identity_of_functions
    from g2c.suite.settings import split_name, tools_of

    _, settings = split_name(name)
    identity_of_functions(settings.functions)
    if settings.functions and scheduler:
        raise ValueError(
            f"{name}: other machines do not have this function. Leave --scheduler out."
        )
    if unknown := sorted(set(settings.tools) - set(tools_of(tasks))):
        raise ValueError(f"{name}: no task here names a tool {unknown[0]}.")


@contextmanager
def _progress(
    tasks: Sequence[SuiteTask], done: Mapping[str, int]
) -> Iterator[Callable[[str, str], None]]:
    """Show a bar for each model. The yielded function advances a model's bar, with the family that
    was asked."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=err, transient=True) as progress:
        bars = {
            model: progress.add_task(escape(model), total=len(tasks), completed=count)
            for model, count in done.items()
        }

        def show(model: str, family: str) -> None:
            progress.update(bars[model], advance=1, description=escape(f"{model}: {family}"))

        yield show


@contextmanager
def bar_of(doing: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar with the remaining time, and what was measured if that ends early. The yielded
    function advances the bar and shows the current step."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TextColumn("[dim]left[/]"), TimeRemainingColumn())
    try:
        with Progress(*columns, *times, console=err, transient=True) as progress:
            bar = progress.add_task(doing, total=total)

            def advance(said: str) -> None:
                progress.update(bar, advance=1, description=escape(said))

            yield advance
    except (StoppedEarly, PartlyMeasuredError) as partly:
        first = f"{partly.reason}\n\n" if isinstance(partly, StoppedEarly) else ""
        out.print(f"\n{first}{partly.report}", markup=False, soft_wrap=True, end="")
        raise
