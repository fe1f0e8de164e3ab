"""The commands about recorded runs: g2c runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from g2c.cli.console import count, out, show
from g2c.cli.places import OutputFile
from g2c.course.errors import import_students
from g2c.course.runs import find_run, list_runs, read_run, read_transcript
from g2c.files import replace_text
from g2c.text import printable, reason_of

if TYPE_CHECKING:
    from g2c.course.traces import Ends
    from g2c.home import AgentSettings

app = typer.Typer()
runs = typer.Typer()
app.add_typer(runs, name="runs")

RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The run: its name or the beginning of it, its number in g2c runs, or last.",
    ),
]


ALARM = 0.2
"""The share of refinements that may end at their cap. Above it, the cap decides instead of the
critic."""


@runs.callback(invoke_without_command=True)
def table_of_runs(
    context: typer.Context,
    summary: Annotated[
        bool, typer.Option("--summary", help="Show how the runs of each command ended.")
    ] = False,
) -> None:
    """List the recorded runs, newest first, or show, trace, export or write up one.

    With --summary, show how chats, loops, refinements, reviews and dreams ended, from their traces.

    Example: g2c runs --summary
    """
    if context.invoked_subcommand:
        return
    if summary:
        _summary()
        return
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


@runs.command("export")
def export_runs(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file."), OutputFile(None)],
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="The runs, named as for g2c runs show."),
    ] = None,
    all_answered: Annotated[
        bool, typer.Option("--all-answered", help="Every run that gave an answer, right or wrong.")
    ] = False,
    as_chats: Annotated[
        bool, typer.Option("--chat", help="Each run as a chat: one line with its messages.")
    ] = False,
) -> None:
    """Write the runs that you name to a new file, to train a model on.

    Without --chat it has each prompt and completion. The file contains your texts: questions,
    answers, what tools read, and without --chat the prompts with what the memory added. Text in the
    form of a key or a password is replaced, but some may be missed. Nothing is sent.

    Example: g2c runs export good.jsonl 1 4 --chat
    """
    if bool(runs) == all_answered:
        raise ValueError("Name the runs that are good, or write --all-answered.")
    if file.exists():
        raise ValueError(f"{file} is there already; name a new file.")
    from g2c.course.run_export import chat_of, line_of, traces_of

    lines: list[str] = []
    left_out: list[str] = []
    done = 0
    for path in list_runs() if all_answered else dict.fromkeys(map(find_run, runs or [])):
        try:
            run = read_run(path)
            lines += map(line_of, [chat_of(run)] if as_chats else traces_of(run))
            done += 1
        except (ValueError, OSError) as error:
            if not all_answered:
                raise ValueError(f"{path.stem}: {reason_of(error)}") from error
            left_out.append(f"{path.stem}: {reason_of(error)}")
    for sentence in left_out:
        out.print(f"[dim]left out {escape(printable(sentence))}[/]", soft_wrap=True)
    if not lines:
        raise ValueError("No run is left, so nothing was written.")
    replace_text(file, "".join(lines))
    out.print(
        f"{escape(str(file))} has {done} of {done + len(left_out)} runs. "
        "They are texts of yours: read the file before you hand it on.",
        soft_wrap=True,
    )


def _summary() -> None:
    from g2c.cli.options import find_home
    from g2c.course.traces import ends_of, list_traces
    from g2c.tracing import untold_text

    ends, unreadable = ends_of(list_traces())
    if not ends and not unreadable:
        out.print("No run has left a trace yet; g2c chat, refine, review and loop do.")
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("command")
    table.add_column("runs", justify="right")
    table.add_column("tokens", justify="right")
    settings = find_home(None).settings()
    if settings.prices:
        table.add_column("price", justify="right")
    table.add_column("ended with", overflow="fold")
    for end in ends:
        outcomes = ", ".join(f"{name} {count}" for name, count in end.outcomes)
        tokens = f"{sum(map(sum, end.tokens.values())):,}"
        price = [_price_of(end, settings)] if settings.prices else []
        told = escape(printable(outcomes))
        table.add_row(escape(end.command), str(end.runs), tokens, *price, told)
    out.print(table)
    for end in ends:
        if end.untold:
            said = f"{end.command}: {untold_text(end.untold)}"
            out.print(escape(said), soft_wrap=True)
    if unreadable:
        out.print(
            f"{count(len(unreadable), 'run')} could not be read, and are in no figure: "
            f"{escape(printable(unreadable[0]))}",
            soft_wrap=True,
        )
    for end in ends:
        capped = dict(end.outcomes).get("max_rounds", 0)
        if capped and capped >= ALARM * end.runs:
            out.print(
                f"[yellow]{capped} of {end.runs} runs of {escape(end.command)} ended at their "
                "cap on rounds, without a verdict. Look at what the critic asks for: it may want "
                "something that no draft has.[/]",
                soft_wrap=True,
            )


def _price_of(ends: Ends, settings: AgentSettings) -> str:
    """The cost by the prices in agent.toml; "" if one is missing."""
    costs = [settings.price_of(model, *tokens) for model, tokens in ends.tokens.items()]
    known = [cost for cost in costs if cost is not None]
    return f"{sum(known):.4g}" if known and len(known) == len(costs) else ""


@runs.command("show")
def show_run(
    run: RunArgument,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the run as Markdown, as a write-up quotes it.")
    ] = False,
) -> None:
    """Show a recorded run step by step.

    Example: g2c runs show last
    """
    from g2c.cli.steps import show_end, show_step

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
