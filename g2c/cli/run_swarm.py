"""How `g2c swarm` runs: the supervisor in this process, and each worker in its own."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.live import Live
from rich.markup import escape
from rich.table import Table

from g2c.cli.console import count, err, out, show, tell_aside
from g2c.cli.guarding import make_guard
from g2c.cli.options import G2C, load
from g2c.course.errors import import_students
from g2c.course.manifest import load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.files import if_possible
from g2c.json_files import replace_own_json
from g2c.text import one_line, printable
from g2c.tracing import tell_outcome

if TYPE_CHECKING:
    from g2c.memory import MemoryStore
    from g2c.swarm.app.folder import Posted, SwarmFiles
    from g2c.swarm.app.leases import Leases
    from g2c.swarm.app.library import Library
    from g2c.swarm.app.order import Order
    from g2c.swarm.app.view import View
    from g2c.swarm.core.reading import Errand, Reply

POLL_S = 0.2
SHOWN_CHARS = 60


def run_swarm(files: SwarmFiles, order: Order, *, is_supervised: bool = False) -> int:
    """Run the supervisor to the end. Return the exit code. Only if it `is_supervised`, a request to
    stop from before is heard (else whoever made it wants the swarm to go on now), and a server that
    is away is waited for (else a person sees the error)."""
    from g2c.course.swarm_workers import on_cluster
    from g2c.inference.patient import patiently
    from g2c.json_files import read_object
    from g2c.memory import MemoryStore
    from g2c.swarm.app.crew import Crew
    from g2c.swarm.app.library import Library
    from g2c.swarm.app.note import keep_note
    from g2c.swarm.app.reader import with_numbers
    from g2c.swarm.app.record import Record
    from g2c.swarm.app.supervisor import Supervisor
    from g2c.swarm.app.view import worker_names
    from g2c.swarm.core.reading import Question
    from g2c.swarm.read_all import read_all
    from g2c.tools import ToolError

    try:
        library = Library(Path(order.folder), files.root, reads_well=order.reads_well)
    except ToolError as error:
        raise ValueError(str(error)) from error
    for sentence in library.left_out:
        tell_aside(sentence)
    if not library.files:
        raise ValueError(f"{order.folder} has no file that can be read.")
    question = Question(f"What is {order.sought}?", order.about, order.kind, order.then)
    store = MemoryStore(Path(order.memory), agent_id="supervisor")
    command = [*G2C, "swarm", "work", str(files.root.resolve())]
    began = time.monotonic()
    identify = partial(_made_by, order)
    made_by = patiently(identify, tell_aside, files.stop.exists) if is_supervised else identify()
    names = [] if order.scheduler else worker_names(order.workers)
    with (
        _alone(files, hears_old_stop=is_supervised),
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
                read = _quoting(library, files)
                on_cluster(order.scheduler, files, read, order.model or "auto")(begun)

        supervisor = Supervisor(
            files,
            library.files,
            at_once=order.workers,
            budget=order.tokens,
            wait=wait,
            digests=library.digests,
            made_by=made_by,
            begin=begin,
        )

        def ask(errands: Sequence[Errand]) -> list[Reply]:
            replies = supervisor.ask(errands)
            return with_numbers(replies) if order.kind == "total" else replies

        if order.scheduler:  # a cluster's workers do not continue another supervisor's errands
            for lost in files.posted():
                (files.errands / f"{lost.name}.json").unlink()
        files.forget_failures()
        record.add("asked", about=order.sought, files=len(library.files), process=os.getpid())
        try:
            answer = read_all(question, library.files, ask, order.tokens)
        except _StoppedError:
            crew.join()
            tell_outcome("stopped")
            out.print(f"stopped; g2c swarm resume{escape(files.options)} goes on.", soft_wrap=True)
            return 1
        spent = supervisor.spent
        said = None if answer is None else str(answer).strip()
        failed = [found for found in supervisor.results if found.error]
        if failed:
            tell_aside(f"{count(len(failed), 'errand')} failed, such as: {failed[0].error}")
        if failed and not said:
            tell_outcome("failed")
            again = f"g2c swarm resume{escape(files.options)} asks again what failed."
            out.print(f"No answer yet: {again}", soft_wrap=True)
            return 1
        if read_object(files.answer).get("answer", "") != said:
            _remember(store, "user", question.text)
            _remember(store, "assistant", f"{order.sought} is {said}" if said else "No answer.")
            # An exercise of module 20 may not be written yet
            with suppress(NotImplementedError), if_possible("the note of this swarm"):
                keep_note(store, order.sought, said, supervisor.results, datetime.now(UTC).date())
        ended = {"answer": said, "tokens": spent}
        replace_own_json(files.answer, ended)
        record.add("answered", **ended).result()
    show("Answer", answer_text(said), "green" if said else "yellow")
    seconds = time.monotonic() - began
    log = f"g2c swarm log{escape(files.options)}"
    cost = f"{spent:,} of {order.tokens:,} tokens, {seconds:.0f} s."
    out.print(f"[dim]{cost} {log}[/]", soft_wrap=True)
    tell_outcome("answered" if said else "no answer")
    return 0 if said else 1


def _made_by(order: Order) -> str:
    """A key of all that an errand's result depends on besides its files: the model, the code, and
    the exercises that a worker runs."""
    from g2c.course.sweep_workers import evaluation_state
    from g2c.guard.quote_data import quote_data
    from g2c.kept import key_of, key_of_code
    from g2c.memory.is_grounded import is_grounded
    from g2c.swarm.write_brief import write_brief

    if order.scheduler:  # its workers have the model, and run the references
        return key_of(order.scheduler, order.model, evaluation_state())
    identity = load(order.model, order.model_options).identity
    own = key_of_code(write_brief, is_grounded, quote_data)
    return key_of(identity, evaluation_state(), own)


class _StoppedError(BaseException):
    """Somebody asked the swarm to stop. No `except Exception` of a `read_all` may catch it."""


@contextmanager
def _alone(files: SwarmFiles, *, hears_old_stop: bool) -> Iterator[None]:
    """Take the lock of the swarm's supervisor, and clear an old stop request.

    Raises:
        ValueError: another process leads the swarm.
    """
    from g2c.loop.core.folder import exclusive, holder
    from g2c.loop.core.types import LoopError

    with ExitStack() as stack:
        try:
            stack.enter_context(exclusive(files.lock))
        except LoopError:
            raise ValueError(
                f"Process {holder(files.lock)} leads this swarm at the moment; wait until it ends, "
                f"or ask it to with g2c swarm stop{files.options}."
            ) from None
        if not hears_old_stop:
            files.stop.unlink(missing_ok=True)
        yield


def check_written() -> None:
    """Refuse to begin if an exercise that workers need has no body.

    Raises:
        ValueError: so it is; the message names the first one.
    """
    from g2c.broken import broken_files

    references = requested_references()
    for module, why in broken_files().items():
        if module.startswith("g2c.swarm."):
            raise ValueError(why)
    for exercise in load_exercises():
        is_needed = exercise.module == "24" and exercise.id != "24.5"  # no swarm chooses a route
        if is_needed and is_stub(exercise) and not is_requested(exercise.id, references):
            raise ValueError(
                f"A swarm needs {exercise.id} {exercise.function}: not started. {exercise.lesson}"
            )


def answer_text(answer: str | None) -> str:
    return answer or "Nobody can tell, by what was read."


def _remember(store: MemoryStore, role: str, content: str) -> None:
    # 20.1 may not be written yet
    with suppress(NotImplementedError), if_possible("what was asked and found, in the memory"):
        store.log_turn(role, content)


@contextmanager
def _shown(files: SwarmFiles, order: Order) -> Iterator[Callable[[], None]]:
    """Show a table of the working swarm; without a terminal, a line when errands end."""
    from g2c.swarm.app.view import look_at

    leases = leases_of(files)
    if not out.is_terminal:
        told = 0

        def tell() -> None:
            nonlocal told
            view = look_at(files, order.workers, leases)
            if view.ended > told:
                told = view.ended
                err.print(f"{count(view.ended, 'errand')} ended, {view.tokens:,} tokens")

        yield tell
        return
    with Live(console=out, transient=True, auto_refresh=False) as live:
        yield lambda: live.update(
            table_of(look_at(files, order.workers, leases), order), refresh=True
        )


def table_of(view: View, order: Order) -> Table:
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


def run_worker(folder: Path, worker: str) -> None:
    """Be a worker of the swarm in that folder, until it has no supervisor."""
    import_students("g2c.swarm.app.worker")
    from g2c.inference.patient import PatientBackend, patiently
    from g2c.loop.core.folder import holder
    from g2c.memory import MemoryStore
    from g2c.swarm.app.folder import Found, SwarmFiles
    from g2c.swarm.app.library import Library
    from g2c.swarm.app.order import read_order
    from g2c.swarm.app.reader import read_for
    from g2c.swarm.app.record import Record
    from g2c.swarm.app.worker import Effects, work

    files = SwarmFiles(folder)
    order = read_order(files)
    library = Library(Path(order.folder), files.root)
    store = MemoryStore(Path(order.memory), agent_id=worker)

    read_file = _quoting(library, files)

    def read(errand: Errand) -> Found:
        found = read_for(errand, read_file, backend, worker)
        _remember(store, "action", f"read_for {json.dumps(asdict(errand), ensure_ascii=False)}")
        claims = [
            f"{claim.about} is {claim.value} ({', '.join(claim.sources)})" for claim in found.claims
        ]
        _remember(store, "assistant", "\n".join(claims) or f"Nothing says {errand.look_for}.")
        return found

    def wait() -> bool:
        time.sleep(POLL_S)
        return holder(files.lock) is not None  # without a supervisor, there are no new errands

    with Record(files.record, worker, time.time) as record:
        waiting: dict[str, Callable[..., Any]] = {
            "tell": lambda sentence: record.add("waits", why=sentence),
            "is_stopped": lambda: files.stop.exists() or holder(files.lock) is None,
        }
        loaded = patiently(lambda: load(order.model, order.model_options), **waiting)
        backend = PatientBackend(loaded, **waiting)
        work(files, worker, leases_of(files), record, Effects(read, wait))


def _quoting(library: Library, files: SwarmFiles) -> Callable[[str], str]:
    """A reader of the library's files for a prompt: each text is on one line, and quoted."""
    from g2c.home import Home

    guard = make_guard(Home(files.root.parent.parent), "worker", lambda *_: "later")

    def read_file(name: str) -> str:
        text = one_line(printable(library.read_file(name)))
        return guard.quote(text) if guard else text

    return read_file


def leases_of(files: SwarmFiles) -> Leases:
    from g2c.swarm.app.leases import Leases
    from g2c.swarm.app.worker import LEASE_S

    return Leases(files, LEASE_S, time.time)
