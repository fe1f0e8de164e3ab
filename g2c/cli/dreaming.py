"""A dream that nobody waits for: a process of its own, which goes on when the shell is back.

It keeps what it has to tell in a file of the memory, for the next chat.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from g2c.course.errors import import_students
from g2c.files import open_file, read_text
from g2c.text import named_reason, reason_of

if TYPE_CHECKING:
    from g2c.memory import MemoryStore

TOLD = "last-dream.txt"
"""The report of the last dream, in the memory's folder. Reading it removes it."""


def start_dream(
    store: MemoryStore, home: Path, model: str | None, tell: Callable[[str], None]
) -> subprocess.Popen[bytes] | None:
    """Start a dream in a process of its own if it is time, and `tell` so. A chat that is over must
    not fail because of its dream, so an error goes to `tell`, too."""
    from g2c.tracing import environment_of_child

    given = [str(store.root.absolute()), str(home.absolute()), *([model] if model else [])]
    detached = 0x00000008 | 0x00000200 if sys.platform == "win32" else 0  # and a group of its own
    try:
        if not store.dream_is_due():
            return None
        with open_file(store.root / TOLD, "a", encoding="utf-8") as told:
            process = subprocess.Popen(
                [sys.executable, "-m", "g2c.cli.dreaming", *given],
                env={**os.environ, **environment_of_child()},
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                creationflags=detached,
            )
    except Exception as error:  # a student's function may raise anything
        if not isinstance(error, NotImplementedError):  # module 20 is not written yet
            tell(f"The dream was left out ({named_reason(error)}).")
        return None
    tell("It dreams now, in the background; the next chat tells what it kept.")
    return process


def tell_last_dream(store: MemoryStore, tell: Callable[[str], None]) -> None:
    """Tell what the last dream kept, once, or that it has not ended yet."""
    file = store.root / TOLD
    if store.is_dreaming():
        tell("It still dreams about earlier chats.")
        return
    with suppress(OSError):  # another chat told it, or there was none
        text = read_text(file, "utf-8", "replace")
        file.unlink()
        for line in filter(None, map(str.strip, text.splitlines())):
            tell(line)


def dream(memory: Path, home: Path, model: Annotated[str | None, typer.Argument()] = None) -> None:
    """Dream about what the memory has, if it is time, and print what it kept."""
    import_students("g2c.home")
    from g2c.cli.options import find_home, load, load_helper, options_for
    from g2c.home import dream_if_due
    from g2c.inference import BackendError
    from g2c.memory import MemoryStore

    try:
        settings = find_home(home).settings()
        own = options_for(model, settings.model)
        backend = load_helper(settings) if settings.helper else load(model, own)
        dream_if_due(MemoryStore(memory), backend, print)
    except (BackendError, ValueError, OSError) as error:
        print(f"The dream was left out: {reason_of(error)}")


if __name__ == "__main__":
    typer.run(dream)
