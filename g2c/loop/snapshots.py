"""What a loop can go back to: its state and its conversation after each tick that ended well.

The idea to take away: a folder is made whole under another name and then renamed, so a snapshot is
there with all that belongs to it or not at all.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from g2c.loop.files import LoopFiles

KEPT = 10


def take_snapshot(files: LoopFiles, tick: int, kept: int = KEPT) -> None:
    """Copy state and conversation, as they are now, to the snapshot of `tick`, in place of one that
    is there. Of all snapshots the `kept` newest stay, at least 1."""
    beside = files.snapshots / ".new"
    shutil.rmtree(beside, ignore_errors=True)  # a crash left it
    beside.mkdir(parents=True)
    for file in (files.state, files.conversation):
        if file.exists():
            shutil.copy2(file, beside)
    _remove(files.snapshot(tick))
    beside.rename(files.snapshot(tick))
    for number in list_snapshots(files)[:-kept]:
        _remove(files.snapshot(number))


def list_snapshots(files: LoopFiles) -> tuple[int, ...]:
    """The numbers of the ticks that have a snapshot, from the oldest on."""
    names = (entry.name for entry in files.snapshots.glob("[0-9]*") if entry.is_dir())
    return tuple(sorted(int(name) for name in names if name.isdecimal()))


def _remove(snapshot: Path) -> None:
    doomed = snapshot.with_name(".old")
    shutil.rmtree(doomed, ignore_errors=True)
    if snapshot.exists():
        snapshot.rename(doomed)  # first of all: half a snapshot must not look like one
        shutil.rmtree(doomed)
