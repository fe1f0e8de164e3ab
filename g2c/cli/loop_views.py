"""The commands `g2c loop status` and `g2c loop log`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.console import out, show
from g2c.cli.guarding import actor_of, in_words, waiting_in
from g2c.cli.live import headline
from g2c.cli.loop_watch import watch as watch_loop
from g2c.cli.options import HomeOption, LoopFolderOption, LoopNameOption, find_home, find_loop
from g2c.cli.run_loop import next_command

if TYPE_CHECKING:
    from g2c.home import Home
    from g2c.loop.core.folder import LoopFiles
    from g2c.loop.core.types import LoopState, TickRecord


def loop_status(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Go on showing it until no process works on the loop, or until Ctrl-C."
        ),
    ] = False,
) -> None:
    """Show what a loop is doing: its state, what it has spent, and whether a process runs it.

    With --watch, show each tick as soon as it is over. A line below shows the step, the tokens, the
    seconds, and what the loop waits for. Watching does not disturb the loop.

    Example: g2c loop status --watch
    """
    files = find_loop(folder, home, name)
    state = state_of(files)
    if watch:
        with suppress(KeyboardInterrupt):
            watch_loop(files)
        state = state_of(files)
        ended = f"[bold]{state.status}[/] after tick {state.tick}."
        out.print(f"{ended} {escape(next_command(files, state.status))}", soft_wrap=True)
        return
    from g2c.home import Home
    from g2c.loop.core.folder import elsewhere, holder
    from g2c.loop.core.progress import spent_of

    show("Goal", state.goal, "bold")
    process = holder(files.lock)
    doing = "works on it" if state.status == "running" else "does what follows the loop"
    nobody = elsewhere(files.lock) or "no process works on it"
    runs = f"process {process} {doing}" if process else nobody
    show("Status", f"{state.status}; {runs}", "cyan")
    spent, budget = state.spent, state.budget
    show(
        "Spent",
        f"{spent_of(spent.ticks, budget.ticks)} ticks, "
        f"{spent_of(spent.tokens, budget.tokens)} tokens, "
        f"{spent_of(round(spent.seconds), budget.seconds)} seconds"
        f"{'' if folder else _price_of(spent.tokens, find_home(home))}",
        "cyan",
    )
    show("Last tick", f"{state.tick}, {state.updated.astimezone():%Y-%m-%d %H:%M:%S}", "cyan")
    if files.stop.exists():
        show("Stop", "somebody asked for it", "red")
    for question in waiting_in(Home(files.shared), actor_of(files)):
        show("Asks", f"{question.id}: {in_words(question)}", "yellow")
    for title, text in (
        ("Feedback", state.feedback),
        ("Directive", state.directive),
        ("Its page", state.body),
    ):
        if text:
            show(title, text, "yellow")
    if not process:
        out.print(f"[dim]{escape(next_command(files, state.status))}[/]", soft_wrap=True)


def _price_of(tokens: int, home: Home) -> str:
    """The range of costs of so many tokens, by the prices in agent.toml; "" without prices. A loop
    counts read and written tokens together."""
    prices = [price for pair in home.settings().prices.values() for price in pair]
    if not prices:
        return ""
    low, high = (tokens * price / 1_000_000 for price in (min(prices), max(prices)))
    return f", at a price of {low:.4g} to {high:.4g} by agent.toml"


def loop_log(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    tick: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Show everything about tick N.")
    ] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many of the newest ticks to show.")] = 10,
) -> None:
    """Show the ticks of a loop, and its changes in its own files.

    For each tick, the log shows what it remembered, what the reviewer wrote before it, and what it
    did.

    Example: g2c loop log --tick 3
    """
    files = find_loop(folder, home, name)
    from g2c.loop.app.evolution import history
    from g2c.loop.core.journal import read_ticks

    records = read_ticks(files.ticks, state_of(files).tick)
    if tick is not None:
        found = next((record for record in records if record.tick == tick), None)
        if found is None:
            raise ValueError(f"There is no tick {tick}; the loop has {len(records)}.")
        _show_tick(found)
        show("Prompt", found.prompt, "dim")
        return
    for record in records[-n:]:
        out.rule(headline(record), align="left", style="dim")
        _show_tick(record)
    for change in history(files.agent):
        made = f"version {change.version}" if change.version else change.kind
        show("Evolution", "\n".join([f"{made}: {change.why}", *change.broken]), "magenta")


def _show_tick(record: TickRecord) -> None:
    for excerpt in record.recalled:
        show("Remembered", excerpt, "magenta")
    if record.feedback:
        show("Reviewer", record.feedback, "yellow")
    for action in record.actions:
        show("Action", action, "green")
    if record.answer:
        show("Answer", record.answer, "bold")
    if record.error:
        show("Error", record.error, "red")


def state_of(files: LoopFiles) -> LoopState:
    """The loop's state.

    Raises:
        ValueError: there is no loop; the message says how to begin one.
        LoopError: its state cannot be read.
    """
    from g2c.loop.core.state import read_state

    try:
        return read_state(files.state)
    except FileNotFoundError:
        begin = f"g2c loop start{files.options}"
        raise ValueError(f"There is no loop in {files.root}; {begin} begins one.") from None
