"""What an agent keeps of itself: no tool reads it, and no tool writes it.

A model reads texts of strangers, and what it writes may be their idea. If it could write the
settings of the next session, its text would become a command. So the settings, the memory and the
rules of an agent are out of its tools' reach, whatever folder a person named, and however the path
is spelled: what counts is the folder on the disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.paths import STATE_NAME

HOME_FILE = "agent.toml"
"""The settings of an agent, in its home."""

_SIGNS = {
    HOME_FILE: ("agent", "memory", "inbox", "loops"),  # a home
    "agent": ("agent/constitution.md",),  # a home without settings
    "inbox": ("inbox/lock",),  # a home in which only chats were held
    "transcripts": ("transcripts/.lock", "MEMORY.md"),  # a memory
    "constitution.md": ("identity.md",),  # what a home, or a loop outside one, keeps in `agent`
    "state.md": ("settings.json", "ticks.jsonl", "loop.lock"),  # a loop
}
"""By what a folder is known to be an agent's: it has the name, and one of those beside it. With the
name alone it is somebody else's."""


def is_private(path: Path, own: Sequence[Path] = ()) -> bool:
    """Whether `path` itself, and not only a folder above it, is an agent's: a home, its settings, a
    loop, the course's state, or one of the `own` folders of this session."""
    name = path.name.casefold()
    if name in (STATE_NAME, HOME_FILE):
        return True
    if any(_is_same(path, one) for one in own):
        return True
    return any(
        (path / name).exists() and any((path / one).exists() for one in beside)
        for name, beside in _SIGNS.items()
    )


def is_in_private(root: Path, path: Path, own: Sequence[Path] = ()) -> bool:
    """Whether anything on the way from `root`, which does not count, to `path` is private."""
    depth = len(path.relative_to(root).parts)
    return any(is_private(folder, own) for folder in (path, *path.parents)[:depth])


def check_root(root: Path, own: Sequence[Path] = ()) -> None:
    """Refuse what tools may not have for their folder of files: what is no folder, and what lies in
    an agent's home. The work of a loop is none of it.

    Raises:
        ValueError: it is refused; the message says why.
    """
    if not root.is_dir():
        raise ValueError(f"{root} is not a folder; name one that exists.")
    root = root.resolve()
    for folder in (root, *root.parents):
        if folder.name == "work" and (folder.parent / "state.md").exists():
            return
        if is_private(folder, own):
            raise ValueError(
                f"{root} is, or is in, the home of an agent or the folder of its loop, which its "
                "tools may not use. Name another folder."
            )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)  # whatever the case or the normal form of its name
    except OSError:  # one of them is not there
        return one == other.absolute()
