"""Moves into the home what earlier versions of the course kept beside it: `loop/` and `memory/`."""

from pathlib import Path

from g2c.home.home import Home
from g2c.loop.core.folder import LoopFiles, exclusive


def adopt(course: Path, home: Home) -> list[str]:
    """Move the loop and the memory of the folder `course` into `home`, and say what was moved.

    If the home has one already, both stay where they are.

    Raises:
        LoopError: a process works on that loop at the moment.
        OSError: something cannot be moved.
    """
    told = []
    old, new = LoopFiles(course / "loop"), home.loop()
    if old.state.exists() and not new.root.exists():
        with exclusive(old.lock):
            _move(old.memory, home.memory)
            _move(old.agent, home.identity)
            _move(old.root, new.root)
        told.append(f"The loop in {old.root} is the loop {new.root.name!r} of this home now.")
    memory = course / "memory"
    if (memory / "transcripts").is_dir() and _move(memory, home.memory):
        told.append(f"The memory in {memory} is this home's now.")
    return told


def _move(old: Path, new: Path) -> bool:
    """Move a folder unless there is one already; return whether it was moved."""
    if not old.is_dir() or new.exists():
        return False
    new.parent.mkdir(parents=True, exist_ok=True)
    old.rename(new)
    return True
