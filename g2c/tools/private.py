"""An agent's own files, which no tool reads or writes.

A model reads texts of strangers, and what it writes may be their idea. If it could write the
settings of the next session, its text would become a command. So its tools cannot reach an agent's
settings, memory and rules, whatever folder a person named and however the path is spelled: only the
folder on the disk counts.
"""

from collections.abc import Sequence
from pathlib import Path

from g2c.paths import STATE_NAME

HOME_FILE = "agent.toml"
"""The settings of an agent, in its home."""

_SIGNS = {
    HOME_FILE: ("agent", "memory", "inbox", "loops"),  # a home
    "agent": ("agent/constitution.md",),  # a home without settings
    "inbox": ("inbox/lock",),  # a home with nothing but chats
    "transcripts": ("transcripts/.lock", "MEMORY.md"),  # a memory
    "constitution.md": ("identity.md",),  # the `agent` folder of a home, or of a loop outside one
    "state.md": ("settings.json", "ticks.jsonl", "loop.lock"),  # a loop
}
"""A folder that has one of these names in it, and one of the files listed with that name, is an
agent's. The name alone is not enough."""


def is_private(path: Path, own: Sequence[Path] = ()) -> bool:
    """Whether `path` itself, and not only a folder above it, belongs to an agent: a home, its
    settings, a loop, the course's state, or one of the `own` folders of this session."""
    name = path.name.casefold()
    if name in (STATE_NAME, HOME_FILE):
        return True
    if any(_is_same(path, folder) for folder in own):
        return True
    return any(
        (path / name).exists() and any((path / other).exists() for other in beside)
        for name, beside in _SIGNS.items()
    )


def is_in_private(root: Path, path: Path, own: Sequence[Path] = ()) -> bool:
    """Whether `path`, or a folder between `root` and it, is private. `root` itself does not
    count."""
    depth = len(path.relative_to(root).parts)
    return any(is_private(folder, own) for folder in (path, *path.parents)[:depth])


def check_root(root: Path, own: Sequence[Path] = ()) -> None:
    """Refuse a `root` that tools may not use: one that is not a folder, or that is in an agent's
    home. A loop's work folder is allowed.

    Raises:
        ValueError: `root` is refused; the message says why.
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
