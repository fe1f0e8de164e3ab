"""The commands about a swarm: start, resume, supervise, status, stop, log."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from g2c.cli.asking import SchedulerOption
from g2c.cli.console import count, err, out, show, tell_aside
from g2c.cli.options import G2C, HomeOption, ModelOption, find_home, load
from g2c.course.errors import import_students
from g2c.course.manifest import load_exercises
from g2c.course.stubs import is_stub
from g2c.course.traces import leaves_trace
from g2c.exercise import is_requested, requested_references
from g2c.tracing import tell_outcome

if TYPE_CHECKING:
    from g2c.memory import MemoryStore
    from g2c.swarm.assembled.folder import Posted, SwarmFiles
    from g2c.swarm.assembled.leases import Leases
    from g2c.swarm.assembled.view import View
    from g2c.swarm.provided.reading import Errand, Reply

app = typer.Typer()
swarm = typer.Typer(no_args_is_help=True)
app.add_typer(swarm, name="swarm")

POLL_S = 0.2
SHOWN_CHARS = 60
MOST_FAILURES = 5
PANIC = 3
NOTE_READINGS = 25
NOTE_CHARS = 200


class Kind(StrEnum):
    """How the answer follows from the files."""

    fact = "fact"
    linked = "linked"
    total = "total"


@dataclass(frozen=True)
class Order:
    """What a swarm is to do: what is looked for in which folder, by how many workers with which
    model, for how many tokens in all. `memory` is the folder of what they remember. With a
    `scheduler` they are those of its cluster, and their functions are the reference's."""

    about: str
    kind: str
    folder: str
    workers: int
    tokens: int
    model: str | None
    memory: str
    scheduler: str | None = None
    then: str = ""

    @property
    def sought(self) -> str:
        """What the answer is, such as "the telephone of the keeper of the mill" if it is linked."""
        return self.then.replace("{}", self.about) or self.about


NameOption = Annotated[
    str, typer.Option("--name", metavar="NAME", help="Of the swarm in the home.")
]


@swarm.callback()
def about_swarm() -> None:
    """Let several workers read what does not fit into one context.

    Example: g2c swarm start "the code of the cellar" --files notes
    """


@swarm.command("start")
@leaves_trace("swarm")
def start_swarm(
    about: Annotated[str, typer.Argument(metavar="WHAT", help='Such as "the code of the cellar".')],
    files: Annotated[Path, typer.Option(metavar="FOLDER", help="The files that may be read.")],
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes read.")] = 2,
    tokens: Annotated[int, typer.Option(min=1, help="The most tokens in all.")] = 100_000,
    kind: Annotated[
        Kind,
        typer.Option(
            help="fact: what the files say. linked: what they say about what they say, by --then. "
            "total: the sum of what each says."
        ),
    ] = Kind.fact,
    then: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help='For --kind linked: what is looked for then, such as "the telephone of {}". {} '
            "is what the files say WHAT is.",
        ),
    ] = "",
    scheduler: SchedulerOption = None,
    name: NameOption = "main",
    home: HomeOption = None,
    model: ModelOption = None,
) -> None:
    """Find out what many files say, with workers side by side, by your functions of module 24.

    Your read_all (24.7) cuts the work and puts it together. Each errand is taken by one worker, a
    process of its own with its own name in the memory. All may be killed at any time: g2c swarm
    resume goes on, and asks nothing twice. The exit code is 0 if there is an answer, and 1 if not.

    Example: g2c swarm start "the code of the cellar" --files notes --workers 3
    """
    if not about.strip():
        raise ValueError('Say what is looked for, such as "the code of the cellar".')
    if not files.is_dir():
        raise ValueError(f"{files} is no folder.")
    if kind is Kind.linked and "{}" not in then:
        raise ValueError(
            '--kind linked needs --then with {} in it, such as --then "the telephone of {}".'
        )
    if then and kind is not Kind.linked:
        raise ValueError("--then is for --kind linked.")
    found = _find(home, name)
    lives = find_home(home)
    helper = lives.settings().helper or None
    order = Order(
        about=about,
        kind=kind.value,
        folder=str(files.resolve()),
        workers=workers,
        tokens=tokens,
        model=model or helper,
        memory=str(lives.memory.resolve()),
        scheduler=scheduler,
        then=then,
    )
    from g2c.files import locked, replace_text

    with locked(found.root / ".order.lock"):  # two may begin one at the same moment
        if found.order.exists():
            raise ValueError(
                f"There is a swarm {name!r} already: g2c swarm resume goes on with it, and --name "
                "begins another one."
            )
        _check_written()
        replace_text(found.order, json.dumps(asdict(order), ensure_ascii=False) + "\n")
    raise typer.Exit(_run(found, order))


@swarm.command("resume")
@leaves_trace("swarm")
def resume_swarm(name: NameOption = "main", home: HomeOption = None) -> None:
    """Go on with a swarm that was stopped or killed. What was found is not looked for again.

    Example: g2c swarm resume
    """
    found = _find(home, name)
    order = _order(found)
    _check_written()
    raise typer.Exit(_run(found, order))


@swarm.command("supervise")
def supervise_swarm(name: NameOption = "main", home: HomeOption = None) -> None:
    """Resume a swarm again and again until it has ended, whatever happens to its supervisor.

    It waits longer each time that nothing more was found. The exit code is 0 if there is an answer,
    1 if there is none or somebody stopped it, and 3 if it gave up and a person is needed.

    Example: g2c swarm supervise
    """
    found = _find(home, name)
    _order(found)
    from g2c.home.supervisor import wait_after
    from g2c.swarm.assembled.folder import read_json

    at = ["--name", name, *(["--home", str(home)] if home else [])]
    failures = 0
    while failures <= MOST_FAILURES:
        before = len(list(found.found.glob("*.json")))
        subprocess.run([*G2C, "swarm", "resume", *at], check=False)
        if ended := read_json(found.answer):
            raise typer.Exit(0 if ended["answer"] else 1)
        if found.stop.exists():
            raise typer.Exit(1)
        failures = 0 if len(list(found.found.glob("*.json"))) > before else failures + 1
        time.sleep(wait_after(failures))
    tell_aside(f"It gave up: {MOST_FAILURES} times nothing more was found. See g2c swarm log.")
    raise typer.Exit(PANIC)


@swarm.command("status")
def swarm_status(name: NameOption = "main", home: HomeOption = None) -> None:
    """Show who does what, what waits, and what it has cost.

    Example: g2c swarm status
    """
    found = _find(home, name)
    order = _order(found)
    from g2c.loop.provided.folder import holder
    from g2c.swarm.assembled.folder import read_json
    from g2c.swarm.assembled.view import look_at

    process = holder(found.lock)
    show("Looks for", f"{order.sought} ({order.kind}) in {order.folder}", "bold")
    ended = read_json(found.answer)
    nobody = "nobody; it has answered" if ended else "nobody; g2c swarm resume goes on"
    show("Supervisor", f"process {process}" if process else nobody, "cyan")
    if ended:
        answer = str(ended.get("answer") or "")
        show("Answer", _said(answer), "green" if answer else "yellow")
    out.print(_table(look_at(found, order.workers, _leases(found)), order))


@swarm.command("stop")
def stop_swarm(name: NameOption = "main", home: HomeOption = None) -> None:
    """Ask all processes of a swarm to end. An errand under way is ended first.

    Example: g2c swarm stop
    """
    found = _find(home, name)
    _order(found)
    found.stop.touch()
    out.print("It stops when the errands under way have ended. g2c swarm resume goes on.")


@swarm.command("log")
def swarm_log(
    name: NameOption = "main",
    home: HomeOption = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many lines.")] = 30,
) -> None:
    """Show what each agent of a swarm did, in the order of the record.

    Example: g2c swarm log
    """
    found = _find(home, name)
    _order(found)
    from g2c.foreign_json import load_json
    from g2c.text import printable
    from g2c.written import lines_of

    if not found.record.exists():
        raise ValueError("Nothing is recorded yet.")
    for line in lines_of(found.record.read_text("utf-8", "backslashreplace"))[-n:]:
        try:
            data = load_json(line)
            at = datetime.fromtimestamp(data.pop("at")).strftime("%H:%M:%S")
            who, what = str(data.pop("agent")), str(data.pop("what"))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError):
            continue  # a line that a kill tore, or somebody else's
        rest = ", ".join(f"{key} {value}" for key, value in data.items() if value != "")
        out.print(escape(printable(f"{at} {who:<11} {what:<8} {rest}")), soft_wrap=True)


@swarm.command("work", hidden=True)
def work_for_swarm(folder: Path, worker: str) -> None:
    """Be a worker of the swarm in that folder. g2c swarm start begins them."""
    import_students("g2c.swarm.assembled.worker")
    from g2c.loop.provided.folder import holder
    from g2c.memory import MemoryStore
    from g2c.swarm.assembled.folder import Found, SwarmFiles
    from g2c.swarm.assembled.library import Library
    from g2c.swarm.assembled.reader import read_for
    from g2c.swarm.assembled.record import Record
    from g2c.swarm.assembled.worker import Hands, work

    files = SwarmFiles(folder)
    order = _order(files)
    library = Library(Path(order.folder), files.root)
    backend = load(order.model)
    store = MemoryStore(Path(order.memory), agent_id=worker)

    def read(errand: Errand) -> Found:
        found = read_for(errand, library.read_file, backend, worker)
        _remember(store, "action", f"read_for {json.dumps(asdict(errand), ensure_ascii=False)}")
        claims = [f"{one.about} is {one.value} ({', '.join(one.sources)})" for one in found.claims]
        _remember(store, "assistant", "\n".join(claims) or f"Nothing says {errand.look_for}.")
        return found

    def wait() -> bool:
        time.sleep(POLL_S)
        return holder(files.lock) is not None  # without a supervisor nobody asks for more

    with Record(files.record, worker, time.time) as record:
        work(files, worker, _leases(files), record, Hands(read, wait))


def _run(files: SwarmFiles, order: Order) -> int:
    """Be the supervisor, to the end. Returns the exit code."""
    from g2c.course.swarm_workers import on_cluster
    from g2c.files import replace_text
    from g2c.memory import MemoryStore
    from g2c.swarm.assembled.crew import Crew
    from g2c.swarm.assembled.library import Library
    from g2c.swarm.assembled.reader import with_numbers
    from g2c.swarm.assembled.record import Record
    from g2c.swarm.assembled.supervisor import Supervisor
    from g2c.swarm.assembled.view import worker_names
    from g2c.swarm.provided.reading import Question
    from g2c.swarm.reading import read_all
    from g2c.tools import ToolError

    try:
        library = Library(Path(order.folder), files.root)
    except ToolError as error:
        raise ValueError(str(error)) from error
    for sentence in library.left_out:
        tell_aside(sentence)
    if not library.files:
        raise ValueError(f"{order.folder} has no file that can be read.")
    question = Question(f"What is {order.sought}?", order.about, order.kind, order.then)  # type: ignore[arg-type]
    store = MemoryStore(Path(order.memory), agent_id="supervisor")
    command = [*G2C, "swarm", "work", str(files.root.resolve())]
    began = time.monotonic()
    names = [] if order.scheduler else worker_names(order.workers)
    with (
        _alone(files),
        Record(files.record, "supervisor", time.time) as record,
        Crew(files, names, command, record) as crew,
        _shown(files, order) as show_it,
    ):

        def wait() -> None:
            if files.stop.exists():
                raise _StoppedError
            crew.look_after()
            show_it()
            time.sleep(POLL_S)

        def begin(begun: Sequence[Posted]) -> None:
            if order.scheduler:
                read = library.read_file
                on_cluster(order.scheduler, files, read, order.model or "auto")(begun)

        supervisor = Supervisor(
            files,
            library.files,
            at_once=order.workers,
            budget=order.tokens,
            wait=wait,
            begin=begin,
        )

        def ask(errands: Sequence[Errand]) -> list[Reply]:
            replies = supervisor.ask(errands)
            return with_numbers(replies) if order.kind == Kind.total else replies

        if order.scheduler:  # no worker of a cluster goes on with what another supervisor gave out
            for lost in files.posted():
                (files.errands / f"{lost.name}.json").unlink()
        record.add("asked", about=order.sought, files=len(library.files), process=os.getpid())
        try:
            answer = read_all(question, library.files, ask, order.tokens)
        except _StoppedError:
            crew.let_end()
            tell_outcome("stopped")
            out.print("stopped; g2c swarm resume goes on.")
            return 1
        spent = supervisor.spent
        said = None if answer is None else str(answer).strip()
        if not files.answer.exists():
            _remember(store, "user", question.text)
            _remember(store, "assistant", f"{order.sought} is {said}" if said else "No answer.")
            _keep_note(store, files, order, said)
        ended = {"answer": said, "tokens": spent}
        replace_text(files.answer, json.dumps(ended, ensure_ascii=False) + "\n")
        record.add("answered", **ended).result()
        files.stop.touch()
    _tell_failed(files)
    show("Answer", _said(said), "green" if said else "yellow")
    seconds = time.monotonic() - began
    out.print(f"[dim]{spent:,} of {order.tokens:,} tokens, {seconds:.0f} s. g2c swarm log[/]")
    tell_outcome("answered" if said else "no answer")
    return 0 if said else 1


class _StoppedError(BaseException):
    """Somebody asked the swarm to stop. No `except Exception` of a `read_all` may catch it."""


@contextmanager
def _alone(files: SwarmFiles) -> Iterator[None]:
    """Be the swarm's one supervisor; nothing asks it to stop yet.

    Raises:
        ValueError: another process is.
    """
    from g2c.loop.provided.folder import exclusive, holder
    from g2c.loop.provided.types import LoopError

    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive(files.lock))
        except LoopError:
            raise ValueError(
                f"Process {holder(files.lock)} leads this swarm at the moment; wait until it ends, "
                f"or ask it to with g2c swarm stop --name {files.root.name}."
            ) from None
        files.stop.unlink(missing_ok=True)
        yield


def _check_written() -> None:
    """Refuse to begin where workers would fail: an exercise that a swarm stands on has no body.

    Raises:
        ValueError: so it is; the message names the first one.
    """
    from g2c.broken import broken_files

    references = requested_references()
    for module, why in broken_files().items():
        if module.startswith("g2c.swarm."):
            raise ValueError(why)
    for one in load_exercises():
        is_needed = one.module == "24" and one.id != "24.5"  # no swarm chooses a route
        if is_needed and is_stub(one) and not is_requested(one.id, references):
            raise ValueError(f"A swarm needs {one.id} {one.name}: not started. {one.lesson}")


def _tell_failed(files: SwarmFiles) -> None:
    failed = [one for one in files.results() if one.error]
    if failed:
        tell_aside(f"{count(len(failed), 'errand')} failed, such as: {failed[0].error}")


def _said(answer: str | None) -> str:
    return answer or "Nobody can tell, by what was read."


def _keep_note(store: MemoryStore, files: SwarmFiles, order: Order, answer: str | None) -> None:
    """Keep a dated note of what was asked and found, with the sources."""
    from g2c.swarm.merging import merge_reports
    from g2c.swarm.provided.reports import Report

    reports = [Report(found.worker, found.claims) for found in files.results()]
    day = datetime.now(UTC).date()
    readings = [
        f"- {finding.about} is {reading.value} ({', '.join(reading.sources[:5])})"
        for finding in merge_reports(reports)
        for reading in finding.readings
    ]
    said = [
        f"On {day} a swarm looked for {order.sought}.",
        f"It answered: {answer or 'nothing'}",
        *readings[:NOTE_READINGS],
    ]
    lines = [line[:NOTE_CHARS] for line in said]  # a topic has its limit
    try:
        store.write_topic(
            f"{day} swarm: {order.sought}"[:120],
            order.sought[:200],
            "\n".join(lines),
            type="episode",
        )
    except NotImplementedError:  # an exercise of module 20 that is not written yet
        return


def _remember(store: MemoryStore, role: str, content: str) -> None:
    try:
        store.log_turn(role, content)
    except NotImplementedError:  # 20.1 is not written yet
        return


@contextmanager
def _shown(files: SwarmFiles, order: Order) -> Iterator[Callable[[], None]]:
    """A table that shows the swarm while it works; without a terminal, a line when errands end."""
    from g2c.swarm.assembled.view import look_at

    leases = _leases(files)
    if not out.is_terminal:
        told = [0]

        def tell() -> None:
            view = look_at(files, order.workers, leases)
            if view.ended > told[0]:
                told[0] = view.ended
                err.print(f"{count(view.ended, 'errand')} ended, {view.tokens:,} tokens")

        yield tell
        return
    with Live(console=out, transient=True, auto_refresh=False) as live:
        yield lambda: live.update(
            _table(look_at(files, order.workers, leases), order), refresh=True
        )


def _table(view: View, order: Order) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("worker", no_wrap=True)
    table.add_column("looks for", overflow="ellipsis", no_wrap=True)
    for title in ("files", "errands", "claims", "tokens"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in view.workers:
        table.add_row(
            escape(row.name),
            escape(row.looks_for[:SHOWN_CHARS]) or "[dim]waits[/]",
            str(row.files or ""),
            str(row.errands),
            str(row.claims),
            f"{row.tokens:,}",
        )
    table.add_row(
        "[dim]all[/]",
        f"[dim]waiting: {count(view.waiting, 'errand')}[/]",
        "",
        str(view.ended),
        "",
        f"{view.tokens:,} of {order.tokens:,}",
    )
    return table


def _find(home: Path | None, name: str) -> SwarmFiles:
    import_students("g2c.swarm")
    from g2c.swarm.assembled.folder import SwarmFiles

    return SwarmFiles(find_home(home).swarm(name))


def _leases(files: SwarmFiles) -> Leases:
    from g2c.swarm.assembled.leases import Leases
    from g2c.swarm.assembled.worker import LEASE_S

    return Leases(files, LEASE_S, time.time)


def _order(files: SwarmFiles) -> Order:
    from g2c.swarm.assembled.folder import read_json

    if not files.order.exists():
        raise ValueError(f"There is no swarm in {files.root}; g2c swarm start begins one.")
    try:
        order = Order(**read_json(files.order))
    except TypeError:
        order = None
    if order is None or not _is_sound(order):
        raise ValueError(
            f"{files.order} cannot be read; delete {files.root}, and g2c swarm start begins anew."
        )
    return order


def _is_sound(order: Order) -> bool:
    texts = (order.about, order.kind, order.folder, order.memory, order.then)
    maybe = (order.model, order.scheduler)
    return (
        all(isinstance(one, str) for one in texts)
        and all(one is None or isinstance(one, str) for one in maybe)
        and order.kind in list(Kind)
        and all(type(one) is int and one >= 1 for one in (order.workers, order.tokens))
    )
