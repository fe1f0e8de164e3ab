"""The command that measures models on the course's own work: eval."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from g2c.cli.asking import (
    FamilyOption,
    FreshOption,
    LimitOption,
    OutcomesOption,
    SchedulerOption,
    SuiteOption,
    ask_all,
)
from g2c.cli.console import out
from g2c.course.traces import leaves_trace
from g2c.exercise import REFERENCE_VARIABLE

app = typer.Typer()


class Channels(StrEnum):
    """The channel of function calls."""

    text = "text"
    native = "native"
    both = "both"


@app.command("eval")
@leaves_trace("eval")
def evaluate(
    models: Annotated[
        list[str], typer.Argument(metavar="MODEL...", help="One or more models to compare.")
    ],
    family: FamilyOption = None,
    limit: LimitOption = None,
    fresh: FreshOption = None,
    suite: SuiteOption = None,
    channel: Annotated[
        Channels,
        typer.Option(
            help="Ask for single calls in text, in the model's own format (native), or in both."
        ),
    ] = Channels.both,
    examples: Annotated[
        bool, typer.Option(help="Put the tools' worked examples into the prompts.")
    ] = True,
    scheduler: SchedulerOption = None,
    json: OutcomesOption = None,
) -> None:
    """Measure models on a suite of tasks: what they solve, and at what cost.

    MODEL is a model as for g2c model, or embedded+FILE: the small model with that adapter. Settings
    may follow it, as for g2c compare.
    The tasks come from modules 19 to 22, from one call of a tool to a tick of a loop. The command
    runs the course's reference functions, not yours, at temperature 0.
    The whole suite takes many minutes with the small model. A model uses all cores, so a machine
    asks one task at a time; --scheduler uses more machines.
    docs/modules/23-evaluation/suites.md explains what is measured and how.

    Example: g2c eval embedded llama3.2:3b --family recovery --limit 10

    Example: g2c eval embedded --fresh 4711 --json fresh.json

    Example: g2c eval embedded --no-examples --limit 10

    Example: g2c eval llama3.2:3b --suite mine.jsonl --channel native

    Example: g2c eval embedded embedded+a.gguf --scheduler tcp://10.0.0.1:8786 --json sweep.json
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    from g2c.suite.report import FIXED, about_suite, drawn_from, to_markdown
    from g2c.suite.suite import CHANNELS, load_suite, without_examples
    from g2c.suite.suite_file import load_suite_file

    if fresh is not None and suite:
        raise ValueError("A file's tasks cannot be drawn anew: give --fresh or --suite, not both.")
    channels = tuple(name for name in CHANNELS if channel in (name, Channels.both))
    if suite:
        tasks = load_suite_file(suite, family or (), limit, channels=channels)
        source = f"of {suite}"
    else:
        tasks = load_suite(family or (), limit, seed=fresh, channels=channels)
        source = FIXED if fresh is None else drawn_from(fresh)
    if not examples:
        tasks, source = without_examples(tasks), f"without worked examples, {source}"
    outcomes, missing = ask_all(tasks, models, json, scheduler)
    if measured := {model: each for model, each in outcomes.measured().items() if each}:
        report = to_markdown(measured, about_suite(tasks, source))
        out.print("\n" + report, markup=False, soft_wrap=True, end="")
    if missing:
        missing.end()
