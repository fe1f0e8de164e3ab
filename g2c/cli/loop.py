"""The commands about a loop: start, resume, success, stop, abandon, status, log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.console import out, tell_aside
from g2c.cli.loop_views import loop_log, loop_status, state_of
from g2c.cli.options import (
    DreamOption,
    HomeOption,
    JudgeModelOption,
    LoopFolderOption,
    LoopNameOption,
    McpOption,
    ModelOption,
    find_loop,
)
from g2c.cli.places import Store
from g2c.cli.run_loop import next_command, run_loop
from g2c.cli.sentences import SentenceCommand
from g2c.course.traces import leaves_trace

if TYPE_CHECKING:
    from g2c.loop.app.setup import LoopSettings
    from g2c.loop.core.folder import LoopFiles

app = typer.Typer()
loop = typer.Typer(no_args_is_help=True)
app.add_typer(loop, name="loop")

TokensOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="The maximum number of tokens in all. Default: no limit; for resume, the limit "
        "that the loop has.",
    ),
]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        min=1,
        help="The maximum number of seconds in all. Default: no limit; for resume, the limit "
        "that the loop has.",
    ),
]


@loop.callback()
def about_loop() -> None:
    """Let an agent work on a goal by itself, tick after tick, in a folder of its own.

    Example: g2c loop start "Write list.txt. It is to say: milk" --success "grep -q milk list.txt"
    """


@loop.command("start", cls=SentenceCommand)
@leaves_trace("loop")
def start_loop(
    goal: Annotated[str, typer.Argument(help="The goal of the agent, in words.")],
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder whose files the agent may change; default: work/ in the loop's "
            "folder.",
        ),
        Store(),
    ] = None,
    ticks: Annotated[int, typer.Option(min=1, help="The maximum number of ticks.")] = 20,
    tokens: TokensOption = None,
    seconds: SecondsOption = None,
    success: Annotated[
        str | None,
        typer.Option(
            metavar="CMD",
            help="A command that runs in the folder of the files, without a shell. Its exit code "
            "0 means that the goal is reached.",
        ),
    ] = None,
    checkpoint: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Review the loop every N ticks. A loop with --ticks below 10 has no review.",
        ),
    ] = 5,
    recall: Annotated[
        bool, typer.Option("--recall/--no-recall", help="Let the agent use its memory.")
    ] = True,
    review: Annotated[
        bool, typer.Option("--review/--no-review", help="Let a critic review the loop.")
    ] = True,
    evolve: Annotated[
        bool,
        typer.Option("--evolve/--no-evolve", help="Let the agent change its own files at the end."),
    ] = True,
    claim: Annotated[
        bool,
        typer.Option(
            "--claim", help="Count the goal as reached when the agent claims it, without a check."
        ),
    ] = False,
    dream: DreamOption = True,
    mcp: McpOption = None,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Begin a loop, and run it to its end. The exit code is 0 if it is done, and 1 if not.

    The loop is done when the success command ends with exit code 0. Without such a command, a
    critic looks at the files that the goal names; see also --claim. With --mcp the agent also has
    the tools of a server; docs/mcp.md explains what such a server may do.

    Ctrl-C stops the loop at once, and drops the current tick; g2c loop stop lets that tick end. The
    new loop has what an earlier loop in the folder has learned.

    Example: g2c loop start "Write list.txt. It is to say: milk" --success "grep -q milk list.txt"
    """
    opened = find_loop(folder, home, name)
    from g2c.loop.app.claims import check_goal
    from g2c.loop.app.lifecycle import check_replaceable
    from g2c.loop.app.setup import LoopSettings
    from g2c.loop.core.success import parse_success
    from g2c.loop.core.types import Budget
    from g2c.tools.private import check_root

    if files:
        check_root(files, opened.own)
    settings = LoopSettings(
        files=str(files.resolve()) if files else None,
        success=parse_success(success or ""),
        checkpoint=checkpoint,
        recall=recall,
        review=review,
        evolve=evolve,
        model=model,
        judge_model=judge_model,
        claim=claim,
        mcp=tuple(mcp or ()),
    )
    if not settings.success and not claim:
        check_goal(goal)
    check_replaceable(opened)
    _check_success(opened, settings)
    run_loop(opened, settings, goal, Budget(ticks, tokens, seconds), dream=dream)


@loop.command("resume")
@leaves_trace("loop")
def resume_loop(
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
    ticks: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The maximum number of ticks, counted from the start; default: the limit that "
            "the loop has.",
        ),
    ] = None,
    tokens: TokensOption = None,
    seconds: SecondsOption = None,
    dream: DreamOption = True,
    mcp: McpOption = None,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
    tokens_today: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            hidden=True,
            help="Stop at N tokens, counted from the start. The loop's own limit stays as it is.",
        ),
    ] = None,
    supervised: Annotated[
        bool, typer.Option("--supervised", hidden=True, help="Wait for a server that is away.")
    ] = False,
) -> None:
    """Continue a loop that was stopped or killed, or give it a new budget. Exit codes as for start.

    Example: g2c loop resume --ticks 40
    """
    files = find_loop(folder, home, name)
    from g2c.loop.app.setup import LoopSettings, settings_file
    from g2c.loop.core.types import Budget

    settings = LoopSettings.load(files.root)
    state = state_of(files)
    if state.status in ("done", "failed"):
        out.print(
            f"The loop is {state.status}. {escape(next_command(files, state.status))}",
            soft_wrap=True,
        )
        raise typer.Exit(0 if state.status == "done" else 1)
    if not settings_file(files.root).exists():
        tell_aside(
            f"A program began this loop. It goes on with the files in {files.work}, and without a "
            f"success command; g2c loop success{files.options} gives it one."
        )
    old = state.budget
    budget = Budget(ticks or old.ticks, tokens or old.tokens, seconds or old.seconds)
    models = (model or settings.model, judge_model or settings.judge_model)
    servers = settings.mcp if mcp is None else tuple(mcp)
    settings = replace(settings, model=models[0], judge_model=models[1], mcp=servers)
    run_loop(
        files,
        settings,
        None,
        budget,
        dream=dream,
        tokens_today=tokens_today,
        is_supervised=supervised,
    )


@loop.command("success")
def change_success(
    command: Annotated[
        str,
        typer.Argument(
            metavar="CMD", help='The new success command, as for g2c loop start; "" for none.'
        ),
    ],
    name: LoopNameOption = None,
    home: HomeOption = None,
    folder: LoopFolderOption = None,
) -> None:
    """Change the success command of a loop, while no process runs it.

    Example: g2c loop success "grep -q milk list.txt"
    """
    files = find_loop(folder, home, name)
    from g2c.loop.app.claims import check_goal
    from g2c.loop.app.setup import LoopSettings
    from g2c.loop.core.folder import exclusive
    from g2c.loop.core.success import parse_success

    goal = state_of(files).goal
    with exclusive(files.lock):
        settings = replace(LoopSettings.load(files.root), success=parse_success(command))
        if not settings.success and not settings.claim:
            check_goal(goal)
        _check_success(files, settings)
        settings.save(files.root)
    then = escape(next_command(files, "stopped"))
    out.print(f"The loop has this success command from its next tick on; {then}", soft_wrap=True)


@loop.command("abandon")
def abandon_loop(
    name: LoopNameOption = None, home: HomeOption = None, folder: LoopFolderOption = None
) -> None:
    """End a loop that no process runs, so that a new one can begin. Nothing is deleted.

    Example: g2c loop abandon
    """
    files = find_loop(folder, home, name)
    from g2c.loop.app.lifecycle import abandon
    from g2c.loop.core.folder import exclusive
    from g2c.memory import MemoryStore
    from g2c.memory.app.store import utc_now

    state_of(files)
    with exclusive(files.lock):
        past = abandon(files, store=MemoryStore(files.memory), now=utc_now(), tell=tell_aside)
    begin = f"g2c loop start{files.options}"
    said = f"Its files are in {past}; its memory stays. {begin} begins a new one."
    out.print(said, markup=False, soft_wrap=True)


@loop.command("stop")
def stop_loop(
    name: LoopNameOption = None, home: HomeOption = None, folder: LoopFolderOption = None
) -> None:
    """Ask a loop to stop when its current tick is over.

    Example: g2c loop stop
    """
    files = find_loop(folder, home, name)
    from g2c.loop.core.folder import elsewhere, holder

    state = state_of(files)
    supervisor = holder(files.supervisor_lock)
    if state.status in ("done", "stopped") or not (supervisor or state.status == "running"):
        out.print(f"The loop is {state.status}; there is nothing to stop.")
        return
    files.stop.touch()
    if process := holder(files.lock):
        out.print(f"Process {process} stops when the tick under way is over.")
    elif supervisor:
        out.print(f"Process {supervisor}, its supervisor, ends before another tick.")
    elif unseen := elsewhere(files.lock):
        out.print(f"It is asked to stop; {escape(unseen)}.", soft_wrap=True)
    else:
        out.print("No process runs it at the moment; the next one stops before its first tick.")


def _check_success(files: LoopFiles, settings: LoopSettings) -> None:
    """Refuse a success command that cannot run, or that succeeds already."""
    from g2c.loop.core.success import check_success
    from g2c.loop.core.types import LoopConfig

    if settings.success:
        folder = Path(settings.files) if settings.files else files.work
        check_success(settings.success, folder, LoopConfig().success_timeout)


loop.command("status")(loop_status)
loop.command("log")(loop_log)
