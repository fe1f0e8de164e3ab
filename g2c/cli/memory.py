"""The commands about a memory: show, grep, recall, dream, forget, health, serve."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.broken import BrokenFile
from g2c.cli.confirm import confirm
from g2c.cli.console import count, err, out, show, show_diff, time_limit
from g2c.cli.guarding import ask_later, make_guard
from g2c.cli.options import HomeOption, ModelOption, find_home, load, not_a_home
from g2c.cli.places import Store
from g2c.cli.sentences import SentenceCommand
from g2c.course.errors import import_students, no_body
from g2c.course.traces import leaves_trace
from g2c.files import is_folder
from g2c.paths import home_options, in_shell

if TYPE_CHECKING:
    from g2c.guard.app.guard import Guard
    from g2c.memory import MemoryStore
    from g2c.tools import Tool

app = typer.Typer()
memory = typer.Typer(no_args_is_help=True)
app.add_typer(memory, name="memory")

StoreOption = Annotated[
    Path | None,
    typer.Option("--memory", metavar="FOLDER", help="The folder of a memory outside a home."),
    Store(),
]


@memory.callback()
def about_memory() -> None:
    """Look into an agent's memory: plain files in a folder, which g2c chat and g2c loop fill.

    Example: g2c memory show
    """


@memory.command("show")
def show_memory(
    topic: Annotated[
        str | None,
        typer.Argument(
            metavar="[TOPIC]",
            help="The topic, or the place of a turn, to show; default: the index.",
        ),
    ] = None,
    store: StoreOption = None,
    home: HomeOption = None,
) -> None:
    """Show the index and the size of the memory, one topic, or a turn and those around it.

    Example: g2c memory show
    """
    opened = _open(store, home)
    from g2c.memory.app.tools import DAY, make_read_topic_tool
    from g2c.tools import ToolError

    if topic and DAY.fullmatch(topic):
        try:
            out.print(make_read_topic_tool(opened).func(topic), markup=False, soft_wrap=True)
        except ToolError as error:
            raise ValueError(str(error)) from error
        return
    if topic:
        found = opened.read_topic(topic)
        show("Topic", f"{found.name} ({found.type or 'no type'}, {found.updated:%Y-%m-%d})", "bold")
        show("About", found.description, "cyan")
        if found.sources:
            show("From", ", ".join(found.sources), "dim")
        out.print(found.body, markup=False, soft_wrap=True)
        return
    out.print(opened.context() or "The index is empty.", markup=False, soft_wrap=True)
    days = opened.transcripts.days()
    size = sum(file.stat().st_size for _, file in days)
    health = f"g2c memory health{_options(opened.root, store)}"
    out.print(
        f"\n[dim]{count(len(opened.topics.list()), 'topic')}, {count(len(days), 'day')} of "
        f"transcripts, {size:,} bytes. {escape(health)} says whether it dreams.[/]",
        soft_wrap=True,
    )


GREP_LIMIT_S = 20
"""Seconds for a search: a pattern such as (a+)+$ can take exponential time."""


@memory.command("grep", cls=SentenceCommand)
def grep_memory(
    pattern: Annotated[str, typer.Argument(help="A regular expression.")],
    store: StoreOption = None,
    home: HomeOption = None,
    ignore_case: Annotated[
        bool,
        typer.Option(
            "--ignore-case", "-i", help="Ignore the difference between small letters and capitals."
        ),
    ] = False,
    days: Annotated[int, typer.Option(min=1, help="How many days back to search.")] = 7,
) -> None:
    """Search the lines of the transcripts. As with grep, the exit code is 1 if nothing is found.

    Example: g2c memory grep -i birthday
    """
    opened = _open(store, home)
    days_of = {file: day for day, file in opened.transcripts.days()}
    hits = 0
    with time_limit(
        GREP_LIMIT_S, f"The search took more than {GREP_LIMIT_S} seconds; use a simpler pattern."
    ):
        for hit in opened.grep(pattern, days_back=days, ignore_case=ignore_case):
            hits += 1
            place = f"{hit.file.relative_to(opened.root)}:{hit.line}"
            day = f"{days_of[hit.file]}"
            note = "" if day == hit.file.stem else f" [dim](first seen on {day})[/]"
            said = " ".join(hit.turn.content.split())
            line = f"{hit.turn.role}: {said}"
            out.print(f"[cyan]{escape(place)}[/]{note} {escape(line)}", soft_wrap=True)
    if not hits:
        today = opened.now().astimezone(UTC).date()
        if (past := max(((today - day).days for day in days_of.values()), default=0)) >= days:
            err.print(f"Nothing in the last {count(days, 'day')}; --days {past + 1} searches all.")
        raise typer.Exit(1)


@memory.command("recall", cls=SentenceCommand)
def recall_memory(
    query: Annotated[str, typer.Argument(help="A question, in words.")],
    store: StoreOption = None,
    home: HomeOption = None,
    k: Annotated[
        int, typer.Option("-k", min=1, help="The maximum number of paragraphs to show.")
    ] = 3,
    transcripts: Annotated[
        bool, typer.Option("--transcripts", help="Also search the transcripts.")
    ] = False,
    lexical: Annotated[
        bool, typer.Option("--lexical", help="Compare words only, without a model.")
    ] = False,
    model: ModelOption = None,
) -> None:
    """Find the paragraphs that answer a question best, and show where they are.

    Example: g2c memory recall "When is Anna's birthday?"
    """
    opened = _open(store, home)
    backend = None if lexical else load(model)
    with err.status("searching"):  # the first time, a long memory is read whole
        found = opened.recall(query, k, backend=backend, transcripts=transcripts)
    for hit in found:
        place = f"{hit.file.relative_to(opened.root)}:{hit.line}"
        out.print(f"[cyan]{escape(place)}[/] [dim]{escape(hit.reason)}[/]", soft_wrap=True)
        show("", hit.excerpt, "bold")
        if hit.outdated:
            show("Older", hit.outdated, "dim")
        if hit.sources:
            show("From", ", ".join(hit.sources), "dim")
    if not found and transcripts:
        out.print("No topic and no transcript has a word of that question.")
    elif not found:
        out.print("No topic has a word of that question; --transcripts searches what was said.")
    if not found:
        raise typer.Exit(1)


@memory.command("dream")
@leaves_trace("dream")
def dream_memory(
    store: StoreOption = None,
    home: HomeOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Dream even if a gate is closed.")] = False,
    model: ModelOption = None,
) -> None:
    """Make topics from new turns (a dream), if it is time. The exit code is 1 if it is not.

    --dry-run ignores the gates, and at its end shows what they would decide.

    Example: g2c memory dream --dry-run
    """
    opened = _open(store, home)
    backend = load(model)
    with err.status("dreaming"):
        result = opened.maybe_dream(backend, dry_run=dry_run, force=force)
    if result.diff:
        show_diff(result.diff)
    if not (result.plan or result.closed):
        out.print("The dream was given up, and nothing was changed:")
    out.print(result.reason, markup=False, soft_wrap=True)
    if dry_run:
        out.print(f"The gates: {opened.dream_health()}", markup=False, soft_wrap=True)
    if not (result.dreamed or (dry_run and result.plan)):
        raise typer.Exit(1)


@memory.command("forget", cls=SentenceCommand)
def forget_memory(
    text: Annotated[str, typer.Argument(help="What to take out, as it was written.")],
    store: StoreOption = None,
    home: HomeOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take words out of the memory: in their place stands (forgotten), wherever they were.

    Other files of the home, and the logs in runs/, are named and do not change. A chat that is open
    still knows the words. The exit code is 1 if the memory does not have them.

    Example: g2c memory forget "hunter2"
    """
    opened = _open(store, home)
    from g2c.course.runs import runs_dir
    from g2c.memory.app.forget import forget, places_of

    there = places_of(text, [opened.root])
    for file, times in there.items():
        show(str(file.relative_to(opened.root)), count(times, "time"), "cyan")
    if there and not (yes or confirm(f"Take it out of {count(len(there), 'file')}?")):
        raise typer.Exit(1)
    if there:
        forget(opened, text)
    for file in places_of(text, [runs_dir(), *([] if store else [opened.root.parent])]):
        out.print(f"It also stands in {escape(str(file))}, which you can delete.", soft_wrap=True)
    if not there:
        out.print("The memory does not have these words.")
        raise typer.Exit(1)


@memory.command("health")
def memory_health(store: StoreOption = None, home: HomeOption = None) -> None:
    """Check the memory: its dreams, its topics, and the turns from which they were made.

    If dreams no longer happen, a topic cannot be read, or a turn is missing, the command shows what
    is wrong. Its exit code is then 1.

    Example: g2c memory health
    """
    opened = _open(store, home)
    said = opened.dream_health()
    out.print(said, markup=False)
    with warnings.catch_warnings(action="ignore"):  # faults are printed below
        missing = opened.missing_sources()
    for slug, source in missing:
        show("Missing", f"{source}, a source of topics/{slug}.md", "yellow")
    faults = (*opened.topics.faults(), *opened.transcripts.faults())
    for fault in faults:
        show("File", fault, "yellow")
    for skipped in opened.transcripts.skipped():
        show("Skipped", skipped, "dim")
    if missing or faults or said.startswith("Stalled"):
        raise typer.Exit(1)


@memory.command("serve")
def serve_memory(store: StoreOption = None, home: HomeOption = None) -> None:
    """Offer the memory to an editor or another agent: an MCP server on standard input and output.

    Its tools are recall, remember and read_topic. It ends when its input ends. docs/mcp.md has an
    editor's settings.

    Example: g2c memory serve --memory notes
    """
    import_students("g2c.memory")
    from g2c.memory import MemoryStore, make_read_topic_tool, make_recall_tool, make_remember_tool
    from g2c.tools.mcp_server import serve_tools

    lives = find_home(home)
    opened = MemoryStore(not_a_home(store) if store else lives.memory)  # `remember` may create it
    guard = make_guard(lives, "memory serve", ask_later(lives))
    tools = (
        make_recall_tool(partial(opened.recall, transcripts=True)),
        make_remember_tool(opened),
        make_read_topic_tool(opened),
    )
    serve_tools("g2c-memory", [_in_words(_quoting(tool, guard)) for tool in tools])


def _quoting(tool: Tool, guard: Guard | None) -> Tool:
    """The tool as `guard` lets another agent use it: remembered text counts as untrusted."""
    if guard is None:
        return tool
    from g2c.tools import ToolError

    guarded, quote = guard.guarded(tool), guard.quote

    def func(**arguments: str) -> str:
        try:
            return quote(guarded.func(**arguments))
        except ToolError as error:
            raise ToolError(quote(str(error))) from error

    return replace(guarded, func=func)


def _in_words(tool: Tool) -> Tool:
    """The tool; if an exercise that it needs has no body, its error says which."""
    from g2c.tools import ToolError

    func: Callable[..., str] = tool.func

    def call(**arguments: str) -> str:
        try:
            return func(**arguments)
        except (NotImplementedError, BrokenFile) as error:
            if found := no_body(error):
                raise ToolError(found.says) from error
            raise

    return replace(tool, func=call)


def _options(root: Path, folder: Path | None) -> str:
    """The option that names the memory in `root`, or its home, in a command that is shown."""
    return f" --memory {in_shell(root)}" if folder else home_options(root.parent)


def _open(folder: Path | None, home: Path | None) -> MemoryStore:
    root = not_a_home(folder) if folder else find_home(home).memory
    import_students("g2c.memory")
    from g2c.memory import MemoryStore

    if not is_folder(root):
        begins = f"g2c chat{_options(root, folder)} begins one."
        raise ValueError(f"There is no memory in {root}; {begins}")
    return MemoryStore(root)
