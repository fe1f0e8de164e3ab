"""The commands about a loop: start, status, stop, resume, log."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from g2c.course.console import ModelOption, err, load, out, show
from g2c.course.looping import Settings, make_runner
from g2c.paths import project_root

if TYPE_CHECKING:
    from g2c.agent import AgentStep
    from g2c.loop.base import Budget, LoopState, TickRecord
    from g2c.loop.files import LoopFiles

app = typer.Typer()
loop = typer.Typer(no_args_is_help=True)
app.add_typer(loop, name="loop")

FolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="The loop's; else loop/ in the course."),
]
TokensOption = Annotated[int | None, typer.Option(min=1, help="Tokens that it may use in all.")]
SecondsOption = Annotated[float | None, typer.Option(min=1, help="Seconds that it may take.")]

NEXT = {
    "done": "g2c loop log shows how; g2c evolution history what it changed in itself.",
    "stopped": "g2c loop resume goes on.",
    "budget_exceeded": "g2c loop resume --ticks N (or --tokens, --seconds) gives it more.",
    "failed": "g2c loop log shows what broke; g2c heal goes back to where all was well.",
}
"""What a person may want to do, by the loop's status."""


@loop.callback()
def about_loop() -> None:
    """Have an agent work on a goal by itself, tick after tick, in a folder of its own.

    Example: g2c loop start "Write list.txt. It is to say: milk" --success "grep -q milk list.txt"
    """


@loop.command("start")
def start_loop(
    goal: Annotated[str, typer.Argument(help="What is to be reached, in words.")],
    folder: FolderOption = None,
    files: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The files it may change; else work/ in its folder."),
    ] = None,
    ticks: Annotated[int, typer.Option(min=1, help="Ticks that it may take.")] = 20,
    tokens: TokensOption = None,
    seconds: SecondsOption = None,
    success: Annotated[
        str | None,
        typer.Option(metavar="CMD", help="A program, run among the files; 0 means goal reached."),
    ] = None,
    checkpoint: Annotated[
        int, typer.Option(min=1, metavar="N", help="A review every N ticks, from 10 ticks on.")
    ] = 5,
    recall: Annotated[bool, typer.Option("--recall/--no-recall", help="Use its memory.")] = True,
    review: Annotated[bool, typer.Option("--review/--no-review", help="Review it.")] = True,
    evolve: Annotated[
        bool, typer.Option("--evolve/--no-evolve", help="Let it change itself at the end.")
    ] = True,
    model: ModelOption = None,
) -> None:
    """Begin a loop, and run it to its end. The exit code is 0 if it is done, and 1 if not.

    Ctrl-C stops it at once, and drops the tick under way; g2c loop stop lets that tick end. What an
    earlier loop in the folder has learned stays.

    Example: g2c loop start "Write list.txt. It is to say: milk" --success "grep -q milk list.txt"
    """
    from g2c.loop.base import Budget
    from g2c.loop.opening import check_replaceable

    if files and not files.is_dir():
        raise ValueError(f"{files} is not a folder; --files takes one that exists.")
    settings = Settings(
        files=str(files.resolve()) if files else None,
        success=tuple(shlex.split(success or "")),
        checkpoint=checkpoint,
        recall=recall,
        review=review,
        evolve=evolve,
        model=model,
    )
    root = _root(folder)
    check_replaceable(_files(root))
    settings.save(root)
    _run(root, settings, goal, Budget(ticks, tokens, seconds))


@loop.command("resume")
def resume_loop(
    folder: FolderOption = None,
    ticks: Annotated[
        int | None, typer.Option(min=1, help="Ticks that it may take, from the start.")
    ] = None,
    tokens: TokensOption = None,
    seconds: SecondsOption = None,
    model: ModelOption = None,
) -> None:
    """Go on with a loop that was stopped or killed, or with a new budget. Exit codes as for start.

    Example: g2c loop resume --ticks 40
    """
    from g2c.loop.base import Budget

    root = _root(folder)
    settings = Settings.load(root)
    state = _state(root)
    if state.status in ("done", "failed"):
        out.print(f"The loop is {state.status}. {NEXT[state.status]}", soft_wrap=True)
        raise typer.Exit(0 if state.status == "done" else 1)
    old = state.budget
    budget = Budget(ticks or old.ticks, tokens or old.tokens, seconds or old.seconds)
    _run(root, replace(settings, model=model or settings.model), None, budget)


@loop.command("stop")
def stop_loop(folder: FolderOption = None) -> None:
    """Ask a loop to stop when the tick under way is over.

    Example: g2c loop stop
    """
    from g2c.loop.locking import holder

    root = _root(folder)
    files, state = _files(root), _state(root)
    if state.status != "running":
        out.print(f"The loop is {state.status}; there is nothing to stop.")
        return
    files.stop.touch()
    if process := holder(files.lock):
        out.print(f"Process {process} stops when the tick under way is over.")
    else:
        out.print("No process runs it at the moment; the next one stops before its first tick.")


@loop.command("status")
def loop_status(folder: FolderOption = None) -> None:
    """Show what a loop is doing: its state, what it has spent, and whether a process runs it.

    Example: g2c loop status
    """
    from g2c.loop.locking import holder

    root = _root(folder)
    files, state = _files(root), _state(root)
    show("Goal", state.goal, "bold")
    process = holder(files.lock)
    doing = "works on it" if state.status == "running" else "does what follows the loop"
    runs = f"process {process} {doing}" if process else "no process works on it"
    show("Status", f"{state.status}; {runs}", "cyan")
    spent, budget = state.spent, state.budget
    show(
        "Spent",
        f"{_of(spent.ticks, budget.ticks)} ticks, {_of(spent.tokens, budget.tokens)} tokens, "
        f"{_of(round(spent.seconds), budget.seconds)} seconds",
        "cyan",
    )
    show("Last tick", f"{state.tick}, {state.updated.astimezone():%Y-%m-%d %H:%M:%S}", "cyan")
    if files.stop.exists():
        show("Stop", "somebody asked for it", "red")
    for name, text in (
        ("Feedback", state.feedback),
        ("Directive", state.directive),
        ("Its page", state.body),
    ):
        if text:
            show(name, text, "yellow")
    if not process and (advice := NEXT.get(state.status, "g2c loop resume goes on.")):
        out.print(f"[dim]{advice}[/]", soft_wrap=True)


@loop.command("log")
def loop_log(
    folder: FolderOption = None,
    tick: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="All about this one.")
    ] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many ticks.")] = 10,
) -> None:
    """Show the ticks: what each remembered, what the reviewer had said, what it did; and what the
    loop has changed in itself.

    Example: g2c loop log --tick 3
    """
    from g2c.loop.ticklog import read_ticks

    root = _root(folder)
    records = read_ticks(_files(root).ticks, _state(root).tick)
    if tick is not None:
        found = next((record for record in records if record.tick == tick), None)
        if found is None:
            raise ValueError(f"There is no tick {tick}; the loop has {len(records)}.")
        _show_tick(found)
        show("Prompt", found.prompt, "dim")
        return
    for record in records[-n:]:
        out.rule(_headline(record), align="left", style="dim")
        _show_tick(record)
    _show_evolution(_files(root))


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


def _show_evolution(files: LoopFiles) -> None:
    from g2c.loop.evolution import history

    for change in history(files.agent):
        made = f"version {change.version}" if change.version else change.kind
        said = "\n".join([f"{made}: {change.why}", *change.broken])
        show("Evolution", said, "magenta")


def _run(root: Path, settings: Settings, goal: str | None, budget: Budget) -> None:
    backend = load(settings.model)
    files = _files(root)
    with _progress(files, budget) as callbacks:
        runner = make_runner(root, settings, backend, tell=_tell, **callbacks)
        before = _evolved(files)
        state = runner.run(goal, budget)
    ended = f"[bold]{state.status}[/] after tick {state.tick}. {NEXT[state.status]}"
    out.print(ended, soft_wrap=True)
    if (version := _evolved(files)) != before:
        folder = "" if root == _root(None) else f" --folder {shlex.quote(str(root))}"
        _tell(
            f"It has changed itself: g2c evolution history{folder} shows how, and g2c evolution "
            f"revert {version - 1}{folder} undoes it."
        )
    raise typer.Exit(0 if state.status == "done" else 1)


def _evolved(files: LoopFiles) -> int:
    """The newest version that evolution made; 0 for none."""
    from g2c.loop.evolution import history

    made = [change.version or 0 for change in history(files.agent) if change.kind == "evolved"]
    return max(made, default=0)


def _tell(sentence: str) -> None:
    err.print(f"[dim]{escape(sentence)}[/]", soft_wrap=True)


@contextlib.contextmanager
def _progress(files: LoopFiles, budget: Budget) -> Iterator[dict[str, Any]]:
    """Callbacks for a runner: a line a tick, and on a terminal a bar below, with the tick, what is
    spent, and the last action."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("tick {task.fields[tick]}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[tokens]:,} tokens"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[action]}", markup=False),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=budget.ticks, tick=1, tokens=0, action="begins")

        def on_step(step: AgentStep) -> None:
            action = step.action.tool if step.action else "answers" if step.final_answer else "…"
            bar.update(task, action=action)

        def on_tick(state: LoopState, record: TickRecord) -> None:
            last = record.error or (record.actions[-1] if record.actions else record.answer)
            said = " ".join(last.split())[:100]
            out.print(f"[cyan]{_headline(record)}[/] {escape(said)}", soft_wrap=True)
            bar.update(task, completed=state.tick, tick=state.tick + 1, tokens=state.spent.tokens)

        yield {"on_step": on_step, "on_tick": on_tick}


def _headline(record: TickRecord) -> str:
    return f"tick {record.tick}: {record.outcome}, {record.tokens:,} tokens, {record.seconds:.1f} s"


def _of(spent: float, bound: float | None) -> str:
    return f"{spent:,}" if bound is None else f"{spent:,} of {bound:,}"


def _root(folder: Path | None) -> Path:
    return folder or project_root() / "loop"


def _files(root: Path) -> LoopFiles:
    from g2c.loop.files import LoopFiles

    return LoopFiles(root)


def _state(root: Path) -> LoopState:
    from g2c.loop.state import read_state

    try:
        return read_state(_files(root).state)
    except FileNotFoundError:
        raise ValueError(f"There is no loop in {root}; g2c loop start begins one.") from None
