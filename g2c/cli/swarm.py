"""The commands about a swarm: start, resume, supervise, status, stop, log."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.asking import SchedulerOption
from g2c.cli.console import out, show, tell_aside
from g2c.cli.options import G2C, HomeOption, ModelOption, find_home, load, options_for
from g2c.cli.places import Input, Store
from g2c.cli.run_swarm import answer_text, check_written, leases_of, run_swarm, run_worker, table_of
from g2c.cli.sentences import SentenceCommand
from g2c.cli.steps import show_model
from g2c.cli.supervise import PANIC, wait
from g2c.course.errors import import_students
from g2c.course.traces import leaves_trace
from g2c.inference.model_options import NO_OPTIONS

if TYPE_CHECKING:
    from g2c.swarm.app.folder import SwarmFiles
    from g2c.swarm.app.order import Order

app = typer.Typer()
swarm = typer.Typer(no_args_is_help=True)
app.add_typer(swarm, name="swarm")

SMALL_READS_WELL = 800
"""The small model in the box is right on 7 of 12 questions with eight short notes at once, and on 3
of 12 with 48 of them (notebook 24)."""
MAX_FAILURES = 5


class Kind(StrEnum):
    """How the answer follows from the files."""

    fact = "fact"
    linked = "linked"
    total = "total"


NameOption = Annotated[
    str, typer.Option("--name", metavar="NAME", help="The name of the swarm in the home.")
]


@swarm.callback()
def about_swarm() -> None:
    """Let several workers read files that do not fit into one context.

    Example: g2c swarm start "the code of the cellar" --files notes --workers 3
    """


@swarm.command("start", cls=SentenceCommand)
@leaves_trace("swarm")
def start_swarm(
    about: Annotated[
        str,
        typer.Argument(metavar="WHAT", help='What to look for, such as "the code of the cellar".'),
    ],
    files: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder with the files to read."), Input()
    ],
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="The number of processes that read.")
    ] = 2,
    tokens: Annotated[
        int, typer.Option(min=1, help="The maximum number of tokens in all.")
    ] = 100_000,
    kind: Annotated[
        Kind,
        typer.Option(
            help="How the answer follows from the files. fact: a file states it. linked: it "
            "takes a second question, --then, about the first answer. total: it is the sum "
            "of the numbers in the files."
        ),
    ] = Kind.fact,
    then: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help='For --kind linked: what to look for next, such as "the telephone of {}". {} is '
            "the answer to WHAT.",
        ),
    ] = "",
    reads_well: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many tokens the model reads well at once; default: 8,000, and 800 with the "
            "small model in the box.",
        ),
    ] = None,
    scheduler: SchedulerOption = None,
    name: NameOption = "main",
    home: HomeOption = None,
    model: ModelOption = None,
) -> None:
    """Answer a question from many files, with several workers and your functions of module 24.

    Your read_all (24.7) cuts the work and puts the answers together. One worker takes each errand.
    A worker is a process of its own, with its own name in the memory. You may kill all of them at
    any time: g2c swarm resume goes on, and asks nothing twice. The exit code is 0 if there is an
    answer, and 1 if not.

    Example: g2c swarm start "the code of the cellar" --files notes --workers 3
    """
    if not about.strip():
        raise ValueError('Say what to look for, such as "the code of the cellar".')
    if not files.is_dir():
        raise ValueError(f"{files} is not a folder.")
    if kind is Kind.linked and "{}" not in then:
        raise ValueError(
            '--kind linked needs --then with {} in it, such as --then "the telephone of {}".'
        )
    if then and kind is not Kind.linked:
        raise ValueError("--then is for --kind linked.")
    found = _find(home, name)
    lives = find_home(home)
    settings = lives.settings()
    takes_helper = bool(settings.helper) and not model
    options = NO_OPTIONS if takes_helper else options_for(model, settings.model)
    from g2c.files import locked
    from g2c.swarm.app.order import Order, keep_order
    from g2c.swarm.core.reading import CONTEXT

    order = Order(
        about=about,
        kind=kind.value,
        folder=str(files.resolve()),
        workers=workers,
        tokens=tokens,
        model=model or settings.helper or None,
        memory=str(lives.memory.resolve()),
        scheduler=scheduler,
        then=then,
        reads_well=reads_well or CONTEXT,
        options=options.known(),
    )

    with locked(found.root / ".order.lock"):  # two may begin one at the same moment
        if found.order.exists():
            raise ValueError(
                f"There is a swarm {name!r} already: g2c swarm resume{found.options} goes on with "
                "it, and --name begins another one."
            )
        check_written()
        if reads_well is None and not scheduler:
            order = replace(order, reads_well=_reads_well(order))
        keep_order(found, order)
    raise typer.Exit(run_swarm(found, order))


@swarm.command("resume")
@leaves_trace("swarm")
def resume_swarm(
    name: NameOption = "main",
    home: HomeOption = None,
    supervised: Annotated[
        bool,
        typer.Option("--supervised", hidden=True, help="Obey an earlier request to stop, too."),
    ] = False,
) -> None:
    """Continue a swarm that was stopped or killed, without looking again for what it has found.

    Example: g2c swarm resume
    """
    found = _find(home, name)
    order = _order_of(found)
    check_written()
    raise typer.Exit(run_swarm(found, order, is_supervised=supervised))


@swarm.command("supervise")
def supervise_swarm(name: NameOption = "main", home: HomeOption = None) -> None:
    """Resume a swarm again and again until it has ended, even if its supervisor is killed.

    The command waits longer after each attempt that found nothing new. The exit code is 0 if there
    is an answer, 1 if there is none or somebody stopped the swarm, and 3 if it gave up and a person
    is needed.

    Example: g2c swarm supervise
    """
    found = _find(home, name)
    _order_of(found)
    from g2c.home.supervisor import wait_after
    from g2c.json_files import read_object
    from g2c.loop.core.folder import holder

    at = ["--name", name, *(["--home", str(home)] if home else [])]
    if not holder(found.lock):
        found.stop.unlink(missing_ok=True)
    failures = 0
    while failures <= MAX_FAILURES:
        before = sum(not result.error for result in found.results())
        child = subprocess.Popen([*G2C, "swarm", "resume", "--supervised", *at])
        try:
            child.wait()
        finally:
            child.terminate()  # nothing, if it has ended
            child.wait()
        if ended := read_object(found.answer):
            raise typer.Exit(0 if ended.get("answer") else 1)
        if found.stop.exists():
            raise typer.Exit(1)
        more = sum(not result.error for result in found.results()) > before
        failures = 0 if more else failures + 1
        wait(wait_after(failures), found.stop.exists)
    tell_aside(
        f"It gave up after {MAX_FAILURES} attempts without progress. "
        f"See g2c swarm log{found.options}."
    )
    raise typer.Exit(PANIC)


@swarm.command("status")
def swarm_status(name: NameOption = "main", home: HomeOption = None) -> None:
    """Show what each worker does, which errands wait, and what the swarm has spent.

    Example: g2c swarm status
    """
    found = _find(home, name)
    order = _order_of(found)
    from g2c.json_files import read_object
    from g2c.loop.core.folder import elsewhere, holder
    from g2c.swarm.app.view import look_at

    process = holder(found.lock)
    show("Looks for", f"{order.sought} ({order.kind}) in {order.folder}", "bold")
    ended = read_object(found.answer)
    goes_on = f"g2c swarm resume{found.options} goes on"
    nobody = f"nobody; {'it has answered' if ended else goes_on}"
    nobody = elsewhere(found.lock) or nobody
    show("Supervisor", f"process {process}" if process else nobody, "cyan")
    if ended:
        answer = str(ended.get("answer") or "")
        show("Answer", answer_text(answer), "green" if answer else "yellow")
    out.print(table_of(look_at(found, order.workers, leases_of(found)), order))


@swarm.command("stop")
def stop_swarm(name: NameOption = "main", home: HomeOption = None) -> None:
    """Ask all processes of a swarm to end, each after its current errand.

    Example: g2c swarm stop
    """
    found = _find(home, name)
    _order_of(found)
    from g2c.json_files import read_object
    from g2c.loop.core.folder import holder

    if read_object(found.answer) and not holder(found.lock):
        out.print("The swarm has ended; there is nothing to stop.")
        return
    found.stop.touch()
    goes_on = f"g2c swarm resume{found.options} goes on."
    out.print(f"It stops when the errands under way have ended. {goes_on}", soft_wrap=True)


@swarm.command("log")
def swarm_log(
    name: NameOption = "main",
    home: HomeOption = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many of the newest lines to show.")] = 30,
) -> None:
    """Show what each agent of a swarm did, in the order of the record.

    Example: g2c swarm log
    """
    found = _find(home, name)
    _order_of(found)
    from g2c.json_files import objects_in
    from g2c.text import printable

    if not found.record.exists():
        raise ValueError("Nothing is recorded yet.")
    for data in list(objects_in(found.record))[-n:]:
        try:
            at = datetime.fromtimestamp(data.pop("at")).strftime("%H:%M:%S")
            who, what = str(data.pop("agent")), str(data.pop("what"))
        except (ValueError, TypeError, KeyError, OverflowError, OSError):
            continue  # somebody else's
        rest = ", ".join(f"{key} {value}" for key, value in data.items() if value != "")
        out.print(escape(printable(f"{at} {who:<11} {what:<8} {rest}")), soft_wrap=True)


@swarm.command("work", hidden=True)
@leaves_trace("work")
def work_for_swarm(folder: Annotated[Path, typer.Argument(), Store()], worker: str) -> None:
    """Run a worker of the swarm in that folder. g2c swarm start calls this command."""
    run_worker(folder, worker)


def _find(home: Path | None, name: str) -> SwarmFiles:
    import_students("g2c.swarm")
    from g2c.swarm.app.folder import SwarmFiles

    return SwarmFiles(find_home(home).swarm(name))


def _reads_well(order: Order) -> int:
    """Load the model: only then is the meaning of `auto` known, and a missing model fails now and
    not in each worker."""
    from g2c.swarm.core.reading import CONTEXT

    backend = load(order.model, order.model_options)
    show_model(backend)
    return SMALL_READS_WELL if backend.info.is_small else CONTEXT


def _order_of(files: SwarmFiles) -> Order:
    from g2c.swarm.app.order import read_order

    return read_order(files)
