"""Asking models the tasks of a suite, on this machine or a cluster: what eval and compare share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from g2c.cli.console import err
from g2c.cli.steps import show_model

if TYPE_CHECKING:
    from g2c.evaluation.assembled.sweep import Outcomes
    from g2c.evaluation.assembled.tasks import SuiteTask
    from g2c.inference import Backend


def ask_all(
    tasks: Sequence[SuiteTask], models: Sequence[str], file: Path | None, scheduler: str | None
) -> Outcomes:
    """Ask the models all `tasks`, but for what is in `file` already.

    Raises:
        ValueError: two models have one name, the file has something else, or some of it could not
            be asked.
        BackendError: a model cannot be had.
    """
    from g2c.course.sweep_workers import label_of, load, on_cluster, on_this_machine
    from g2c.evaluation.assembled.settings import split_name
    from g2c.evaluation.assembled.sweep import Outcomes

    labels = {label_of(name): name for name in models}
    if len(labels) < len(models):
        raise ValueError("Name each model once; the report tells them apart by their names.")
    outcomes = Outcomes(tasks, tuple(labels), file)
    if outcomes.kept:
        err.print(f"{outcomes.kept} outcomes are in {escape(str(file))} already.", soft_wrap=True)
    done = outcomes.done()
    if scheduler:
        ask = on_cluster(scheduler)
    else:
        asked = [name for label, name in labels.items() if done[label] < len(tasks)]
        loaded: dict[str, Backend] = {}
        with err.status("loading the model"):  # all of them: one that is missing says so now
            for model in dict.fromkeys(split_name(name)[0] for name in asked):
                loaded[model] = load(model)
        for backend in loaded.values():
            show_model(backend)
        ask = on_this_machine({name: loaded[split_name(name)[0]] for name in asked})
    with _progress(tasks, done) as show:
        missing = outcomes.complete(labels, ask, show)
    if missing:
        go_on = "Run it again to go on." if file else "With --json FILE you could go on from here."
        raise ValueError(f"{missing} {go_on}")
    return outcomes


@contextmanager
def _progress(
    tasks: Sequence[SuiteTask], done: Mapping[str, int]
) -> Iterator[Callable[[str, str], None]]:
    """A bar for each model; what is given moves the bar of a model, with what it was asked."""
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
