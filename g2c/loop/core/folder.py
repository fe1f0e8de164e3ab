"""The files of a loop: one folder, plain files, a name for each, and one lock.

A loop is its folder. The process that runs it, the person who reads it and the healer share nothing
else. One process at a time runs a loop, and a healer never touches a running one. The kernel frees
the lock when the process that holds it dies; the number in the file is for people, and the name of
the computer tells those of another one what their kernel does not know.
"""

import os
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname

from g2c.files import locked, read_text
from g2c.loop.core.types import LoopError
from g2c.paths import home_arguments, in_shell
from g2c.text import printable


@dataclass(frozen=True)
class LoopFiles:
    """The files of the loop in the folder `root`. They need not exist."""

    root: Path

    @property
    def shared(self) -> Path:
        """The folder of memory, identity and outbox: the home, if the loop is in a home's `loops`;
        else the loop's own.

        >>> LoopFiles(Path("home/loops/garden")).shared.as_posix()
        'home'
        """
        return self.root.parent.parent if self.root.parent.name == "loops" else self.root

    @property
    def own(self) -> tuple[Path, ...]:
        """The folders that no tool of the loop may touch, except the work folder."""
        return self.root, self.shared

    @property
    def state(self) -> Path:
        """The state that one tick hands to the next; replacing it is what commits a tick."""
        return self.root / "state.md"

    @property
    def ticks(self) -> Path:
        """The log of the ticks, a line each. If a number repeats, the last line counts."""
        return self.root / "ticks.jsonl"

    @property
    def conversation(self) -> Path:
        """The prompts and answers of the latest ticks."""
        return self.root / "conversation.json"

    @property
    def snapshots(self) -> Path:
        """The folder of the snapshots."""
        return self.root / "snapshots"

    def snapshot(self, tick: int) -> Path:
        """The folder with state and conversation as they were after a tick that ended well.

        >>> LoopFiles(Path("loop")).snapshot(12).as_posix()
        'loop/snapshots/000012'
        """
        return self.snapshots / f"{tick:06}"

    @property
    def ended(self) -> Path:
        """The steps taken since the loop ended, and which end it was."""
        return self.root / "ended.json"

    @property
    def stop(self) -> Path:
        """The stop file. If it exists, the loop is asked to stop."""
        return self.root / "stop"

    @property
    def day(self) -> Path:
        """The supervisor's budget of the day."""
        return self.root / "day.json"

    @property
    def lock(self) -> Path:
        """The lock of a running loop."""
        return self.root / "loop.lock"

    @property
    def supervisor_lock(self) -> Path:
        """The lock of the supervisor that keeps the loop going."""
        return self.root / "supervisor.lock"

    @property
    def progress(self) -> Path:
        """The present activity of the process that runs the loop."""
        return self.root / "progress.json"

    @property
    def agent(self) -> Path:
        """The folder of the agent's own files, their versions and their log."""
        return self.shared / "agent"

    @property
    def healer_note(self) -> Path:
        """The healer's note for the next tick."""
        return self.root / "healer_note.json"

    @property
    def healer_log(self) -> Path:
        """The healer's recoveries and panics, a line each."""
        return self.root / "healer.jsonl"

    @property
    def flares(self) -> Path:
        """The messages that a person should read, a line each."""
        return self.shared / "outbox" / "flares.jsonl"

    @property
    def measured(self) -> Path:
        """How well critics did when they were measured."""
        return self.shared / "measured.json"

    @property
    def shared_inbox(self) -> Path:
        """The folder of messages for the first loop or chat that reads them."""
        return self.shared / "inbox"

    @property
    def inbox(self) -> Path:
        """The folder of messages for this loop."""
        return self.root / "messages"

    @property
    def memory(self) -> Path:
        """The folder of the agent's memory."""
        return self.shared / "memory"

    @property
    def work(self) -> Path:
        """The folder that the agent's tools see."""
        return self.root / "work"

    @property
    def arguments(self) -> list[str]:
        """The options that name this loop to a command."""
        if self.shared == self.root:
            return ["--folder", str(self.root)]
        name = [] if self.root.name == "main" else ["--name", self.root.name]
        return [*home_arguments(self.shared), *name]

    @property
    def options(self) -> str:
        """As `arguments`, in a command that is shown, with a space before each.

        >>> LoopFiles(Path("my loop")).options
        " --folder 'my loop'"
        """
        return "".join(f" {in_shell(word)}" for word in self.arguments)


LOOKS, LOOK_S = 3, 0.05
"""How often and how far apart, in seconds, a process tries for the lock: `holder` takes it for a
moment, only to look."""


@contextmanager
def exclusive(file: Path) -> Iterator[None]:
    """Hold the loop's lock `file` inside a `with`, and write this process's number into it.

    Raises:
        LoopError: another process holds the lock. This one does not wait.
    """
    with ExitStack() as stack:
        for looks_left in reversed(range(LOOKS)):
            try:
                stack.enter_context(locked(file, wait=False))
                break
            except BlockingIOError as error:
                if not looks_left:
                    raise LoopError(
                        f"Process {_number(file)} works on this loop at the moment; wait until it "
                        f"ends, or ask it to with g2c loop stop{LoopFiles(file.parent).options}."
                    ) from error
                time.sleep(LOOK_S)
        if unseen := elsewhere(file):
            warnings.warn(f"{file.parent}: {unseen}. If so, end one of the two.", stacklevel=3)
        file.write_text(f"{os.getpid()} {gethostname()}\n", encoding="utf-8")
        try:
            yield
        finally:
            with suppress(OSError):  # the folder may be gone, or the disk full
                file.write_text("", encoding="utf-8")


def holder(file: Path) -> str | None:
    """The number of the process that holds the lock, as the file has it. None if nobody does.

    To find out, this process takes the lock for a moment.
    """
    if not file.exists():
        return None
    try:
        with locked(file, wait=False):
            return None
    except BlockingIOError:
        return _number(file)


def elsewhere(file: Path) -> str:
    """A warning if a process of another computer took the lock and did not give it back; else "".
    The computers may share a disk that does not share its locks, so this one cannot know."""
    _, host = _written(file)
    is_other = host not in ("", gethostname())
    return f"a process of {host} may work on it, which this computer cannot see" * is_other


def _number(file: Path) -> str:
    number, host = _written(file)
    return f"{number} on {host}" if host not in ("", gethostname()) else number


def _written(file: Path) -> tuple[str, str]:
    """The number and the computer in a lock's file."""
    text = ""
    with suppress(OSError):  # on Windows nobody can read a locked file
        text = printable(read_text(file, errors="replace")).strip()
    number, _, host = text.partition(" ")
    return number or "(number unknown)", host
