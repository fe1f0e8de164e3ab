"""The commands that act on a loop from outside: supervise, tell."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.console import err, out, tell_aside
from g2c.cli.guarding import in_words, log_of, show_question, waiting_in
from g2c.cli.loop_views import state_of
from g2c.cli.options import G2C, HomeOption, find_home, find_loop, require_home
from g2c.cli.sentences import SentenceCommand
from g2c.paths import home_options, project_root

if TYPE_CHECKING:
    from g2c.loop.core.folder import LoopFiles

app = typer.Typer()

PANIC = 3
BUSY_S = 2.0
"""Seconds between two looks at a loop that another process runs, or that waits."""


class Unit(StrEnum):
    """Systems that can start a supervisor with the machine."""

    systemd = "systemd"
    cron = "cron"
    launchd = "launchd"


@app.command()
def supervise(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The name of the loop; default: main.")
    ] = None,
    home: HomeOption = None,
    tokens_per_day: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="The maximum number of tokens a day; the loop goes on the next day.",
        ),
    ] = None,
    unit: Annotated[
        Unit | None,
        typer.Option(
            help="Print the configuration that starts this supervisor with the machine, and end."
        ),
    ] = None,
) -> None:
    """Keep a loop running: heal it, wait longer each time it fails, and give up in time.

    g2c loop start begins the loop; this command runs it in a process of its own. You may kill both
    at any time; the next g2c loop supervise goes on. The exit code is 0 if the loop is done, 1 if
    it was stopped or has used up its budget, and 3 if a person is needed: the healer gave up, and
    the reason is in the outbox, too; or the loop ended again and again before a tick.

    Example: g2c loop supervise garden --tokens-per-day 200000
    """
    files = find_loop(None, home, name)
    if unit:
        job = _unit(unit, files.root.name, _again(files, tokens_per_day))
        out.print(job, markup=False, soft_wrap=True)
        return
    from g2c.home.supervisor import Effects, supervise
    from g2c.loop.app.lifecycle import is_closed
    from g2c.loop.app.recovery import heal
    from g2c.loop.core.folder import exclusive

    state_of(files)
    effects = Effects(
        state=lambda: state_of(files),
        run=lambda tokens: _run(files, tokens),
        heal=lambda: heal(files.root, datetime.now(UTC)),
        wait=lambda seconds: wait(seconds, lambda: files.stop.exists() or not files.state.exists()),
        is_stop_asked=files.stop.exists,
        is_closed=lambda: is_closed(files, state_of(files)),
        tell=tell_aside,
        now=lambda: datetime.now().astimezone(),
    )
    with exclusive(files.supervisor_lock):
        is_done = supervise(effects, files.day, tokens_per_day)
    state = state_of(files)
    out.print(f"The loop is {state.status} after tick {state.tick}.")
    if is_done is None:
        if state.status == "failed":
            err.print(f"The healer gave up; {files.flares} says why.", markup=False, soft_wrap=True)
        raise typer.Exit(PANIC)
    raise typer.Exit(0 if is_done else 1)


@app.command(cls=SentenceCommand)
def tell(
    text: Annotated[str | None, typer.Argument(help="The message for the agent.")] = None,
    yes: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Permit once the call that the agent asked for."),
    ] = None,
    always: Annotated[
        str | None, typer.Option(metavar="ID", help="Permit exactly this call for 90 days.")
    ] = None,
    no: Annotated[str | None, typer.Option(metavar="ID", help="Refuse the call.")] = None,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The loop that reads the message; default: the next loop or chat."
        ),
    ] = None,
    home: HomeOption = None,
) -> None:
    """Leave a message for the agent, or answer its questions.

    The next tick of a loop, or the next chat, reads a message once. Without arguments, show the
    open questions.

    Example: g2c loop tell "The shop closes at six today."
    """
    lives = find_home(home)
    answers = {"yes": yes, "always": always, "no": no}
    given = {answer: id for answer, id in answers.items() if id is not None}
    if len(given) + (text is not None) > 1:
        raise ValueError("Tell it one thing: a message, or one answer.")
    for answer, id in given.items():
        question = log_of(lives).answer(id, answer)  # type: ignore[arg-type]
        out.print(f"{id}: {answer}. {escape(in_words(question))}", soft_wrap=True)
        return
    if text is None:
        waiting, at = waiting_in(lives), home_options(lives.root)
        for question in waiting:
            show_question(question)
            out.print(
                f"g2c loop tell{at} --yes {question.id}, --always {question.id} or --no "
                f"{question.id}"
            )
        if not waiting:
            out.print(f'It asks nothing. g2c loop tell{at} "TEXT" leaves it a message.')
        return
    from g2c.loop.core.inbox import leave

    folder = lives.inbox
    if home:
        require_home(lives)
    if name:
        files = find_loop(None, home, name)
        state_of(files)
        folder = files.inbox
    leave(folder, text, datetime.now(UTC))
    out.print("The next tick reads it." if name else "The next tick or chat reads it.")


def _run(files: LoopFiles, tokens: int | None) -> str:
    """Run the loop until its process ends, and return the last line of its errors. If another
    process runs it, wait for that one."""
    from g2c.loop.core.folder import holder

    if process := holder(files.lock):
        tell_aside(f"Process {process} works on the loop already; it waits for that one.")
        while holder(files.lock):
            time.sleep(BUSY_S)
        return ""
    budget = ["--tokens-today", str(tokens)] if tokens else []
    child = subprocess.Popen(
        [*G2C, "loop", "resume", "--supervised", *files.arguments, *budget],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    tell_aside(f"Process {child.pid} works on the loop.")
    last_line = ""
    try:
        assert child.stderr is not None
        for line in child.stderr:
            sys.stderr.write(line)
            last_line = line.strip() or last_line
        child.wait()
        return last_line
    finally:
        if child.poll() is None:  # ticks on the disk are safe
            child.terminate()
            child.wait()


def wait(seconds: float, is_over: Callable[[], bool]) -> None:
    """Wait until it is over, at most `seconds`, of which those count that the computer slept."""
    ends, ends_by_date = time.monotonic() + seconds, time.time() + seconds
    with err.status("waiting"):
        while (left := min(ends - time.monotonic(), ends_by_date - time.time())) > 0:
            if is_over():
                return
            time.sleep(min(left, BUSY_S))


def _again(files: LoopFiles, tokens_per_day: int | None) -> list[str]:
    """The command line that starts this supervisor from anywhere."""
    budget = ["--tokens-per-day", str(tokens_per_day)] if tokens_per_day else []
    home = ["--home", str(Path(files.shared).resolve())]
    return [*G2C, "loop", "supervise", files.root.name, *home, *budget]


def _unit(unit: Unit, name: str, command: list[str]) -> str:
    line, folder = shlex.join(command), project_root().resolve()
    if unit is Unit.cron:
        return f"@reboot cd {shlex.quote(str(folder))} && {line}"
    if unit is Unit.launchd:
        import plistlib

        job = {
            "Label": f"g2c.supervise.{name}",
            "ProgramArguments": command,
            "WorkingDirectory": str(folder),
            "KeepAlive": {"SuccessfulExit": False, "Crashed": True},
        }
        return plistlib.dumps(job).decode().rstrip()
    words = " ".join(
        '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"'
        for word in command
    )
    return f"""\
[Unit]
Description=g2c loop supervise {name}

[Service]
ExecStart={words}
WorkingDirectory={str(folder).replace("%", "%%")}
Restart=on-abnormal
RestartSec=10

[Install]
WantedBy=default.target"""
