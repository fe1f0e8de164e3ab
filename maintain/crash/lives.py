"""Processes that do some work and may be killed by SIGKILL while they do it.

A life is a fork. It reports to this process, through a pipe, each call that has returned: that call
is acknowledged. It dies in one of two ways. Either it kills itself before a random line of the
program, which a seed repeats. Or this process kills it after some number of messages: then it may
be anywhere, even inside a system call.
"""

import json
import os
import random
import re
import selectors
import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

for heavy in ("jsonschema", "yaml"):
    import_module(heavy)  # once, and not in each fork

Say = Callable[[object], None]
Work = Callable[[Say], None]

WRITERS = re.compile(
    r".*\bg2c/(files|exercises/e2[024]_\w+/solution|(memory|loop|swarm)/app/\w+"
    r"|memory/core/(lock|dreams|transcripts)|loop/core/(journal|identity|folder))\.py"
)
"""The files whose lines are counted. They do all the writing. Code that only reads would take most
of the lines."""


@dataclass
class Outcome:
    """A round's counts by their names, and a sentence for each broken promise."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def expect(self, holds: bool, fault: str) -> None:
        """Note `fault` unless the promise holds."""
        if not holds:
            self.faults.append(fault)


@dataclass(frozen=True)
class Death:
    """The line of the program before which a life kills itself, or the number of messages after
    which it is killed. Without either it lives until its work is done."""

    line: int | None = None
    messages: int | None = None


def random_death(chance: random.Random, lines: int, messages: int) -> Death:
    """One of the two deaths, within the first `lines` lines or `messages` messages."""
    if chance.random() < 0.75:
        return Death(line=chance.randrange(1, lines))
    return Death(messages=chance.randrange(1, messages + 1))


class Life:
    """A process that does `work` until its death. `acknowledged` has its messages."""

    def __init__(self, work: Work, death: Death) -> None:
        self.acknowledged: list[Any] = []
        self.code: int | None = None
        """The exit code; negative for a signal; None while it lives."""
        self._death = death
        self._rest = b""
        self.pipe, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _live(work, death, writing)
        os.close(writing)

    def listen(self) -> bool:
        """Receive its messages, and kill it after enough of them. Return False once it is dead."""
        if data := os.read(self.pipe, 1 << 16):
            *lines, self._rest = (self._rest + data).split(b"\n")
            self.acknowledged += map(json.loads, lines)
            if self._death.messages is not None and len(self.acknowledged) >= self._death.messages:
                os.kill(self.pid, signal.SIGKILL)
            return True
        os.close(self.pipe)
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return False

    @property
    def was_killed(self) -> bool:
        return self.code == -signal.SIGKILL


def live(works: Sequence[tuple[Work, Death]]) -> list[Life]:
    """Run all of them at the same time, until each is dead."""
    lives = [Life(*work) for work in works]
    with selectors.DefaultSelector() as selector:
        for life in lives:
            selector.register(life.pipe, selectors.EVENT_READ, life)
        while selector.get_map():
            for key, _ in selector.select():
                pipe = key.fd
                if not key.data.listen():
                    selector.unregister(pipe)
    return lives


def _live(work: Work, death: Death, pipe: int) -> None:
    code = 1
    try:
        if death.line:
            sys.settrace(at_lines(_kill_at(death.line)))
        work(lambda said: _write(pipe, json.dumps(said).encode() + b"\n"))
        code = 0
    except BaseException:
        sys.settrace(None)
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


def _write(pipe: int, data: bytes) -> None:
    while data:
        data = data[os.write(pipe, data) :]


def at_lines(act: Callable[[int], None]) -> Callable[..., Any]:
    """A trace function that calls `act` before each line of `WRITERS`, with the line's number."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            act(lines)
        return count

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        return count if _writes(frame.f_code.co_filename) else None

    return trace


@cache
def _writes(file: str) -> bool:
    return bool(WRITERS.fullmatch(Path(file).as_posix()))


def _kill_at(line: int) -> Callable[[int], None]:
    def act(number: int) -> None:
        if number == line:
            os.kill(os.getpid(), signal.SIGKILL)

    return act


Attack = Callable[[int, Path], Outcome]
"""A round of an attack, from its seed and an empty folder."""
