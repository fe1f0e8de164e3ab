"""Work on a Dask cluster, with the extra `g2c[cluster]`.

A worker gets a function of this course with its arguments, and returns the result. It needs the
same course, but no shared disk. If a worker dies, Dask gives its work to another. An item on which
four workers died is left out.
"""

import asyncio
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from g2c.files import read_bytes
from g2c.text import short_reason

Item = TypeVar("Item")

COURSE = Path(__file__).resolve().parents[2]
"""The folder of the course that this package is in."""

CONNECT_S = 10.0
"""Seconds in which a scheduler must answer."""
_AHEAD = 2
"""Items queued at each thread of a worker, so that none waits for the network."""


def course_state(folders: Collection[str], left_out: Collection[str] = ()) -> str:
    """The hash of the Python files in these folders of the course, except those whose names begin
    with an item of `left_out`. It is the same on all machines."""
    state = hashlib.sha256()
    for folder in folders:
        for file in sorted((COURSE / folder).rglob("*.py")):
            name = file.relative_to(COURSE).as_posix()
            if not name.startswith(tuple(left_out)):
                state.update(name.encode() + b"\0" + read_bytes(file))
    return state.hexdigest()


def on_cluster(
    scheduler: str,
    function: Callable[..., Any],
    items: Iterable[Item],
    arguments: Callable[[Item], tuple[Any, ...]],
    state: Callable[[], str],
) -> Iterator[tuple[Item, Any]]:
    """Each item with the result of `function(*arguments(item))` on the cluster whose scheduler has
    this address, in any order. If that failed, its result is the exception.

    Only a few items are sent ahead of time, so `arguments` may read large files. If it raises
    ValueError or OSError, that is the item's result. A worker whose `state()` differs from ours
    refuses.

    Raises:
        ValueError: Dask is not installed, or no scheduler answers at that address.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ValueError("A cluster needs Dask: pip install -e '.[cluster]'") from error
    _check_address(scheduler)
    own = state()
    with distributed.Client(scheduler, set_as_default=False) as client:
        threads = sum(client.nthreads().values()) or 1
        futures: dict[Any, Item] = {}
        running = distributed.as_completed(loop=client.loop)
        waiting = iter(items)

        def begin(n: int) -> Iterator[tuple[Item, Any]]:
            """Send `n` items to the cluster. An item whose arguments failed has its result at
            once."""
            for job in waiting:
                try:
                    given = arguments(job)
                except (ValueError, OSError) as error:
                    yield job, error
                    continue
                # Not `pure`: equal calls must each be made.
                future = client.submit(_run, own, state, function, *given, pure=False)
                futures[future] = job
                running.add(future)
                n -= 1
                if not n:
                    return

        yield from begin(_AHEAD * threads)
        while futures:
            done = next(running)
            item = futures.pop(done)
            yield item, done.exception() or done.result()
            yield from begin(1)


def _check_address(scheduler: str) -> None:
    """Refuse an address at which no scheduler answers. Dask's client would try for ever, or leave
    a thread behind that keeps the process alive."""
    connect = import_module("distributed.core").connect

    async def answers() -> None:
        comm = await asyncio.wait_for(connect(scheduler, timeout=CONNECT_S), CONNECT_S + 1)
        await comm.close()

    try:
        asyncio.run(answers())
    except (ValueError, OSError) as error:  # a TimeoutError is an OSError
        why = short_reason(error) if error.args else "what answers there is not a scheduler"
        raise ValueError(
            f"No Dask scheduler answers at {scheduler} ({why}). dask scheduler prints its address, "
            "such as tcp://10.0.0.1:8786."
        ) from None


def _run(own: str, state: Callable[[], str], function: Callable[..., Any], *given: Any) -> Any:
    if own != state():
        raise ValueError(f"The course in {COURSE} is not the one that was asked to do this.")
    return function(*given)
