"""First versions that a thoughtful person might write, and what becomes of them: `g2c break`.

There is one file an exercise. It holds the function as one might write it first, `show`, which runs
it on something real and gives what is seen, and a `QUESTION`. The file's docstring says what `show`
is about to do. Nothing in it is staged: the other exercises are the references, files and processes
are real, and the model is the one in the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import BrokenBarrierError, Event
from typing import Any, TypeAlias

Seen: TypeAlias = Iterator[tuple[str, str]]
"""What `show` gives, as it happens: a label and a text. The last two are `CAME` and `WISHED`."""

CAME = "came of it"
WISHED = "wished"


def outcome(call: Callable[[], object]) -> str:
    """What a call gave, or the error that it raised.

    >>> outcome(lambda: 1 + 1), outcome(lambda: {}["key"])
    ('2', "KeyError: 'key'")
    """
    try:
        return repr(call())
    except Exception as error:  # whatever it is, it is what is to be seen
        return f"{type(error).__name__}: {error}"


def kill_at_halt(work: Callable[..., None], *arguments: Any) -> bool:
    """Do `work` in a process of its own, and kill that one where it calls `halt` with the first
    argument that it gets. Says whether it was killed before it came to its end."""
    context = get_context("spawn")
    hears, says = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(says, *arguments), daemon=True)
    process.start()
    says.close()  # the process has its own, and with its end comes an EOFError
    try:
        hears.recv()
    except EOFError:
        process.join()
    finally:
        process.kill()
        process.join()
    return process.exitcode != 0


def halt(says: Connection) -> None:
    """Say that this is the moment to be killed, and wait for it."""
    says.send(None)
    Event().wait()


def at_once(work: Callable[..., None], arguments: Sequence[tuple[Any, ...]], rounds: int) -> None:
    """Do `work` in one process for each of `arguments`, all at the same time, `rounds` times. It
    gets the number of the round and the arguments."""
    context = get_context("spawn")
    barrier = context.Barrier(len(arguments))
    processes = [
        context.Process(target=_each_round, args=(work, barrier, rounds, *one), daemon=True)
        for one in arguments
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _each_round(work: Callable[..., None], barrier: Any, rounds: int, *arguments: Any) -> None:
    for number in range(rounds):
        try:
            barrier.wait(60)
        except BrokenBarrierError:
            return  # another process died
        work(number, *arguments)
