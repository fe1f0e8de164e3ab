"""First versions that a thoughtful person might write, and how they fail: `g2c break`.

There is one file for each exercise. It has the function as one might write it first, `show`, which
runs it on something real and yields what happens, and a `QUESTION`. The file's docstring announces
what `show` does. Nothing is staged: the other exercises are the references, files and processes are
real, and the model is the one in the box.
"""

from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import BrokenBarrierError, Event
from typing import Any, TypeAlias

Seen: TypeAlias = Iterator[tuple[str, str]]
"""Labels and texts, which `show` yields as it runs. The last two labels are `RESULT` and `WANTED`.
Their texts are equal if nothing failed."""

RESULT = "result"
WANTED = "wanted"


def last_rows(failed: bool, result: str, wanted: str) -> Seen:
    """The last two rows. If the first version did not fail, the result is what is wanted."""
    yield RESULT, result if failed else wanted
    yield WANTED, wanted


def outcome(call: Callable[[], object]) -> str:
    """Return what a call returned, or the error that it raised, as text.

    >>> outcome(lambda: 1 + 1), outcome(lambda: {}["key"])
    ('2', "KeyError: 'key'")
    """
    try:
        return repr(call())
    except Exception as error:  # any error is a result to show
        return f"{type(error).__name__}: {error}"


def kill_at_halt(work: Callable[..., None], *arguments: Any) -> bool:
    """Run `work` in its own process, and kill that process when it calls `halt` with its first
    argument. Return whether it was killed before it ended."""
    context = get_context("spawn")
    hears, says = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(says, *arguments), daemon=True)
    process.start()
    says.close()  # only the process has one now, so its end raises an EOFError here
    try:
        hears.recv()
    except EOFError:
        process.join()
    finally:
        process.kill()
        process.join()
    return process.exitcode != 0


def halt(says: Connection) -> None:
    """Report that this process is to be killed now, and wait for it."""
    says.send(None)
    Event().wait()


def at_once(work: Callable[..., None], arguments: Sequence[tuple[Any, ...]], rounds: int) -> None:
    """Run `work` in one process for each of `arguments`, all at the same time, `rounds` times.
    `work` gets the number of the round, then the arguments."""
    context = get_context("spawn")
    barrier = context.Barrier(len(arguments))
    processes = [
        context.Process(target=_each_round, args=(work, barrier, rounds, *argument), daemon=True)
        for argument in arguments
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
