"""The commands about a loop: start, resume, success, stop, abandon, status, log."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from g2c.course.cli.console import (
    HomeOption,
    JudgeModelOption,
    LoopFolderOption,
    LoopNameOption,
    ModelOption,
    err,
    find_loop,
    load,
    loop_options,
    out,
    show,
    tell_aside,
)

if TYPE_CHECKING:
    from g2c.agent import AgentStep
    from g2c.loop.assembled.setup import LoopSettings
    from g2c.loop.provided.folder import LoopFiles
    from g2c.loop.provided.types import Budget, LoopState, TickRecord

app = typer.Typer()
loop = typer.Typer(no_args_is_help=True)
app.add_typer(loop, name="loop")

TokensOption = Annotated[int | None, typer.Option(min=1, help="The most tokens in all.")]
DreamOption = Annotated[
    bool, typer.Option("--dream/--no-dream", help="Dream at the end, if it is time.")
]
SecondsOption = Annotated[float | None, typer.Option(min=1, help="The most seconds in all.")]

NEXT = {
    "done": "g2c loop log{at} shows how it went.",
    "stopped": "g2c loop resume{at} goes on.",
    "budget_exceeded": "g2c loop resume{at} --ticks N (or --tokens, --seconds) gives it more.",
    "failed": "g2c loop log{at} shows what broke; g2c heal{at} goes back to the last good state.",
}
"""What a person may want to do, by the loop's status. `at` are the options that name the loop."""


def _next(files: LoopFiles, status: str) -> str:
    return NEXT.get(status, "g2c loop resume{at} goes on.").format(at=loop_options(files))


@loop.callback()
def about_loop() -> None:
    """Have an agent work on a goal by itself, tick after tick, in a folder of its own.

    Example: g2c loop start "Write list.txt. It is to say: milk" --success "grep -q milk list.txt"
    """


@loop.command("start")
def start_loop(
    goal: Annotated[str, typer.Argument(help="What the agent has to reach, in words.")],
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="With the files that it may change; default: work/ in its own."
        ),
    ] = None,
    ticks: Annotated[int, typer.Option(min=1, help="The most ticks.")] = 20,
    tokens: TokensOption = None,
    seconds: SecondsOption = None,
    success: Annotated[
        str | None,
        typer.Option(
            metavar="CMD",
            help="A program with its arguments, without a shell, that runs among the files; its "
            "exit code 0 means that the goal is reached.",
        ),
    ] = None,
    checkpoint: Annotated[
        int, typer.Option(min=1, metavar="N", help="A review every N ticks, from 10 ticks on.")
    ] = 5,
    recall: Annotated[bool, typer.Option("--recall/--no-recall", help="Use its memory.")] = True,
    review: Annotated[bool, typer.Option("--review/--no-review", help="Review it.")] = True,
    evolve: Annotated[
        bool, typer.Option("--evolve/--no-evolve", help="Let it change itself at the end.")
    ] = True,
    dream: DreamOption = True,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Begin a loop, and run it to its end. The exit code is 0 if it is done, and 1 if not.

    Ctrl-C stops it at once, and drops the tick under way; g2c loop stop lets that tick end. What an
    earlier loop in the folder has learned stays.

    Example: g2c loop start "Write list.txt. It is to say: milk" --success "grep -q milk list.txt"
    """
    if files and not files.is_dir():
        raise ValueError(f"{files} is not a folder; --files takes one that exists.")
    opened = find_loop(folder, home, name)
    from g2c.loop.assembled.lifecycle import check_replaceable
    from g2c.loop.assembled.setup import LoopSettings
    from g2c.loop.provided.success import parse_success
    from g2c.loop.provided.types import Budget

    settings = LoopSettings(
        files=str(files.resolve()) if files else None,
        success=parse_success(success or ""),
        checkpoint=checkpoint,
        recall=recall,
        review=review,
        evolve=evolve,
        model=model,
        judge_model=judge_model,
    )
    check_replaceable(opened)
    _check_success(opened, settings)
    _run(opened, settings, goal, Budget(ticks, tokens, seconds), dream=dream)


@loop.command("resume")
def resume_loop(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    ticks: Annotated[
        int | None, typer.Option(min=1, help="The most ticks, counted from the start.")
    ] = None,
    tokens: TokensOption = None,
    seconds: SecondsOption = None,
    dream: DreamOption = True,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Go on with a loop that was stopped or killed, or with a new budget. Exit codes as for start.

    Example: g2c loop resume --ticks 40
    """
    files = find_loop(folder, home, name)
    from g2c.loop.assembled.setup import LoopSettings
    from g2c.loop.provided.types import Budget

    settings = LoopSettings.load(files.root)
    state = _state(files)
    if state.status in ("done", "failed"):
        out.print(f"The loop is {state.status}. {_next(files, state.status)}", soft_wrap=True)
        raise typer.Exit(0 if state.status == "done" else 1)
    old = state.budget
    budget = Budget(ticks or old.ticks, tokens or old.tokens, seconds or old.seconds)
    models = (model or settings.model, judge_model or settings.judge_model)
    _run(
        files, replace(settings, model=models[0], judge_model=models[1]), None, budget, dream=dream
    )


@loop.command("success")
def change_success(
    command: Annotated[
        str, typer.Argument(metavar="CMD", help="As for g2c loop start; empty for none.")
    ],
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
) -> None:
    """Change the success command of a loop that nobody runs at the moment.

    Example: g2c loop success "grep -q milk list.txt"
    """
    files = find_loop(folder, home, name)
    from g2c.loop.assembled.setup import LoopSettings
    from g2c.loop.provided.folder import exclusive
    from g2c.loop.provided.success import parse_success

    _state(files)
    with exclusive(files.lock):
        settings = replace(LoopSettings.load(files.root), success=parse_success(command))
        _check_success(files, settings)
        settings.save(files.root)
    out.print(
        f"The loop has this success command from its next tick on; {_next(files, 'stopped')}",
        soft_wrap=True,
    )


@loop.command("abandon")
def abandon_loop(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
) -> None:
    """End a loop that nobody runs at the moment, so that a new one can begin. Nothing is deleted.

    Example: g2c loop abandon
    """
    files = find_loop(folder, home, name)
    from g2c.loop.assembled.lifecycle import abandon
    from g2c.loop.provided.folder import exclusive
    from g2c.memory import MemoryStore
    from g2c.memory.assembled.store import utc_now

    _state(files)
    with exclusive(files.lock):
        past = abandon(files, store=MemoryStore(files.memory), now=utc_now(), tell=tell_aside)
    out.print(f"Its files are in {past}; its memory stays. g2c loop start begins a new one.")


@loop.command("stop")
def stop_loop(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
) -> None:
    """Ask a loop to stop when the tick under way is over.

    Example: g2c loop stop
    """
    files = find_loop(folder, home, name)
    from g2c.loop.provided.folder import holder

    state = _state(files)
    if state.status != "running":
        out.print(f"The loop is {state.status}; there is nothing to stop.")
        return
    files.stop.touch()
    if process := holder(files.lock):
        out.print(f"Process {process} stops when the tick under way is over.")
    else:
        out.print("No process runs it at the moment; the next one stops before its first tick.")


@loop.command("status")
def loop_status(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
) -> None:
    """Show what a loop is doing: its state, what it has spent, and whether a process runs it.

    Example: g2c loop status
    """
    files = find_loop(folder, home, name)
    from g2c.loop.provided.folder import holder

    state = _state(files)
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
    for title, text in (
        ("Feedback", state.feedback),
        ("Directive", state.directive),
        ("Its page", state.body),
    ):
        if text:
            show(title, text, "yellow")
    if not process:
        out.print(f"[dim]{_next(files, state.status)}[/]", soft_wrap=True)


@loop.command("log")
def loop_log(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    tick: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Show everything about this tick.")
    ] = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many ticks.")] = 10,
) -> None:
    """Show the ticks: what each remembered, what the reviewer had said, what it did; and what the
    loop has changed in itself.

    Example: g2c loop log --tick 3
    """
    files = find_loop(folder, home, name)
    from g2c.loop.assembled.evolution import history
    from g2c.loop.provided.journal import read_ticks

    records = read_ticks(files.ticks, _state(files).tick)
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


def _state(files: LoopFiles) -> LoopState:
    from g2c.loop.provided.state import read_state

    try:
        return read_state(files.state)
    except FileNotFoundError:
        raise ValueError(f"There is no loop in {files.root}; g2c loop start begins one.") from None


def _check_success(files: LoopFiles, settings: LoopSettings) -> None:
    """Refuse a success command that cannot run, or succeeds already."""
    from g2c.loop.provided.success import check_success
    from g2c.loop.provided.types import LoopConfig

    if settings.success:
        folder = Path(settings.files) if settings.files else files.work
        check_success(settings.success, folder, LoopConfig().success_timeout)


def _run(
    files: LoopFiles, settings: LoopSettings, goal: str | None, budget: Budget, *, dream: bool
) -> None:
    from g2c.home import Home, dream_if_due
    from g2c.loop.assembled.proposal import waiting
    from g2c.loop.assembled.setup import make_runner

    backend = load(settings.model)
    judge = load(settings.judge_model) if settings.judge_model else backend
    if goal is not None:
        settings.save(files.root)
    tools: tuple[str, ...] = ("files",)
    if files.shared != files.root:
        agent = Home(files.shared).settings()
        tools = agent.tools_for(backend.info, in_loop=True)
        settings = replace(
            settings,
            evolve=settings.evolve and agent.evolve != "never",
            ask_before_evolving=agent.evolve == "ask",
        )
    with _progress(budget) as callbacks:
        runner = make_runner(
            files.root, settings, backend, judge, tools=tools, tell=tell_aside, **callbacks
        )
        before = _evolved(files)
        if runner.store is not None:
            runner.store.start_session()
        state = runner.run(goal, budget)
    ended = f"[bold]{state.status}[/] after tick {state.tick}. {_next(files, state.status)}"
    out.print(ended, soft_wrap=True)
    at = loop_options(files)
    if waiting(files.agent):
        tell_aside(f"It would change itself; g2c evolution pending{at} shows how.")
    if (version := _evolved(files)) != before:
        tell_aside(
            f"It has changed itself: g2c evolution history{at} shows how, and g2c evolution "
            f"revert {version - 1}{at} undoes it."
        )
    if dream and runner.store is not None:
        with err.status("dreaming, if it is time"):
            dream_if_due(runner.store, judge, tell_aside)
    raise typer.Exit(0 if state.status == "done" else 1)


def _evolved(files: LoopFiles) -> int:
    """The newest version that evolution made; 0 for none."""
    from g2c.loop.assembled.evolution import history

    made = [change.version or 0 for change in history(files.agent) if change.kind == "evolved"]
    return max(made, default=0)


@contextlib.contextmanager
def _progress(budget: Budget) -> Iterator[dict[str, Any]]:
    """Callbacks for a runner. They print a line for each tick; on a terminal, a bar below shows the
    tick, what is spent, and the last action."""
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
            line = " ".join(last.split())[:100]
            out.print(f"[cyan]{_headline(record)}[/] {escape(line)}", soft_wrap=True)
            bar.update(task, completed=state.tick, tick=state.tick + 1, tokens=state.spent.tokens)

        yield {"on_step": on_step, "on_tick": on_tick}


def _headline(record: TickRecord) -> str:
    return f"tick {record.tick}: {record.outcome}, {record.tokens:,} tokens, {record.seconds:.1f} s"


def _of(spent: float, bound: float | None) -> str:
    return f"{spent:,}" if bound is None else f"{spent:,} of {bound:,}"
