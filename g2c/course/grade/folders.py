"""A folder for what a student's process makes, deleted however deep it is."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder, which is deleted at the end of the `with`. What cannot be deleted stays."""
    folder = Path(tempfile.mkdtemp(prefix="g2c-grade-")).resolve()
    try:
        yield folder
    finally:
        with contextlib.suppress(OSError):
            delete_tree(folder)


def delete_tree(folder: Path) -> None:
    """Delete a folder and all that is in it. A link is deleted, and what it points to stays.

    `shutil.rmtree` recurses, and paths have a longest length. Here folders are emptied into the top
    one, so no path grows.

    Raises:
        OSError: something cannot be deleted.
    """
    if folder.is_symlink():
        folder.unlink()
        return
    new_names = (folder / f"{secrets.token_hex(8)}-{n}" for n in itertools.count())
    folder.chmod(0o700)
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                Path(entry).unlink()
                continue
            Path(entry).chmod(0o700)
            for inner in list(os.scandir(entry)):
                if inner.is_dir(follow_symlinks=False):
                    Path(inner).chmod(0o700)  # a folder that is moved is written to
                    Path(inner).rename(next(new_names))
                else:
                    Path(inner).unlink()
            Path(entry).rmdir()
    folder.rmdir()
