"""The command that shows where a run spent its time and its tokens: trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from g2c.cli.console import out
from g2c.cli.places import PAGE
from g2c.course.errors import import_students
from g2c.text import printable

if TYPE_CHECKING:
    from g2c.evaluation.core.spans import Span

app = typer.Typer()

MAX_LINES = 60
BAR = 20


@app.command()
def trace(
    run: Annotated[
        str,
        typer.Argument(
            metavar="[RUN]",
            help="The run: its name or the beginning of it, its number in --list, or last.",
        ),
    ] = "last",
    listed: Annotated[
        bool, typer.Option("--list", help="List the runs that left a trace.")
    ] = False,
    whole: Annotated[bool, typer.Option("--all", help="Show every line of a long trace.")] = False,
    text: Annotated[
        bool,
        typer.Option(
            "--text", help="Include the texts of prompts and answers in --page and --otlp."
        ),
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the trace to this file, as one HTML page."),
        PAGE,
    ] = None,
    otlp: Annotated[
        bool,
        typer.Option("--otlp", help="Send the trace to the viewer at OTEL_EXPORTER_OTLP_ENDPOINT."),
    ] = False,
) -> None:
    """Show a run as a tree: each step, how long it took, and how many tokens it used.

    Your functions from 23.1 and 23.2 make the tree. chat, refine, review, memory dream and loop
    leave a trace. The table below the tree shows where the time went: for each kind of step its own
    seconds, and the seconds that the run waited for it. Texts of prompts are shown or sent only
    with --text.

    Example: g2c runs trace last --page trace.html
    """
    if listed:
        return _list()
    from g2c.course.traces import find_trace, name_of, read_events

    import_students("g2c.evaluation")
    path = find_trace(run)
    from g2c.evaluation.build_spans import build_spans

    spans = build_spans(read_events(path), with_text=text)
    if not spans:
        raise ValueError(f"{path} has no events.")
    if page:
        from g2c.evaluation.app.trace_view import to_html
        from g2c.files import replace_text

        replace_text(page, to_html(name_of(path), spans))
        out.print(f"written to {escape(str(page))}", soft_wrap=True)
        return None
    if otlp:
        return _send(spans)
    _show(name_of(path), spans, whole)
    return None


def _list() -> None:
    from g2c.course.traces import list_traces, name_of

    table = Table(box=None, pad_edge=False, show_header=False)
    for number, path in enumerate(list_traces(), 1):
        table.add_row(str(number), escape(name_of(path)))
    out.print(table if table.rows else "No run has left a trace yet; g2c chat leaves one.")


def _show(name: str, spans: tuple[Span, ...], whole: bool) -> None:
    from g2c.cli.options import find_home
    from g2c.evaluation.app.trace_view import bar, costs_of, lines_of, shares, tokens_of, untold_in
    from g2c.evaluation.profile import profile
    from g2c.tracing import untold_text

    out.print(f"[bold]{escape(name)}[/]", soft_wrap=True)
    lines = lines_of(spans)
    shown = lines if whole else lines[:MAX_LINES]
    tree = Table(box=None, pad_edge=False, header_style="dim")
    cells = [(f"{item.span.seconds:.2f}", tokens_of(item.span)) for item in shown]
    seconds, tokens = (max(len(text) for text in column) for column in zip(*cells, strict=True))
    room = max(12, out.width - seconds - max(tokens, 6) - BAR - 6)
    tree.add_column("what", overflow="ellipsis", no_wrap=True, max_width=room)
    tree.add_column("s", justify="right", no_wrap=True, min_width=seconds)
    tree.add_column("tokens", justify="right", no_wrap=True, min_width=tokens)
    tree.add_column("", no_wrap=True, width=BAR)
    for line in shown:
        span = line.span
        said = span.error or span.outcome
        style = "red" if span.error else "dim"
        label = "  " * line.depth + escape(printable(line.label))
        after = f" [{style}]{escape(printable(said))}[/]" if said else ""
        color = "red" if span.error else {"model": "yellow", "tool": "blue"}.get(span.kind, "white")
        tree.add_row(
            label + after, f"{span.seconds:.2f}", tokens_of(span), f"[{color}]{bar(line, BAR)}[/]"
        )
    out.print(tree)
    if len(shown) < len(lines):
        out.print(f"[dim]and {len(lines) - len(shown)} more; --all shows them[/]")
    rows = profile(spans)
    share = shares(rows)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("kind")
    for title in ("spans", "own s", "waited s", "", "read", "written"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            escape(row.kind),
            f"{row.spans}",
            f"{row.self_s:.2f}",
            f"{row.critical_s:.2f}",
            f"{100 * share[row.kind]:.0f} %",
            f"{row.input_tokens:,}",
            f"{row.output_tokens:,}",
        )
    out.print()
    out.print(table)
    if untold := untold_in(spans):
        out.print(f"[dim]{untold_text(untold)}[/]", soft_wrap=True)
    settings = find_home(None).settings()
    for model, (read, written) in costs_of(spans).items():
        price = settings.price_of(model, read, written)
        costs = "" if price is None else f", {price:.4g} by the prices in agent.toml"
        said = f"{printable(model)}: {read:,} tokens read, {written:,} written{costs}"
        out.print(f"[dim]{escape(said)}[/]", soft_wrap=True)


def _send(spans: tuple[Span, ...]) -> None:
    import logging
    import os

    from g2c.evaluation.app.otel import export
    from g2c.guard.app.masking import masked

    if not any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}ENDPOINT") for name in ("", "TRACES_")):
        raise ValueError(
            "Say where to send it: OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:6006 "
            "g2c runs trace last --otlp"
        )
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ModuleNotFoundError:
        raise ValueError(
            "Sending a trace needs OpenTelemetry: pip install 'g2c[trace]', or in a checkout "
            "pip install -e '.[trace]'."
        ) from None
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)  # each retry is a paragraph
    if not export(spans, OTLPSpanExporter(timeout=10), masked):
        raise ValueError(
            "The viewer did not take the trace; does one run at OTEL_EXPORTER_OTLP_ENDPOINT?"
        )
    out.print(f"{len(spans)} spans sent")
