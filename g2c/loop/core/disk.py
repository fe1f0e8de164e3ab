"""The surroundings of a commit: a disk on which each step can be the last, and deliveries that come
again until they are acknowledged.

`Disk` has the six things that can be done to files, so a test can have a disk that dies.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from g2c.files import open_file, read_bytes

MAX_BYTES = 200
"""The most that a delivery may cost on average, in bytes read and written."""


@dataclass(frozen=True)
class Delivery:
    """A piece of work that is to be counted once: `amount` is 0 or more, and `id` eight letters or
    digits that no other delivery has."""

    id: str
    text: str
    amount: int


class Disk(Protocol):
    """A folder of files. A step that fails raises an `OSError`; one that names a file that is not
    there, a `FileNotFoundError`."""

    def names(self) -> list[str]:
        """The names of all files, sorted."""
        ...

    def read(self, name: str) -> bytes:
        """All that the file holds."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Let the file hold `data` alone. Its old content is gone before the first byte."""
        ...

    def append(self, name: str, data: bytes) -> None:
        """Add `data` at the end of the file, which is made if it is missing."""
        ...

    def rename(self, name: str, to: str) -> None:
        """Give the file another name, all at once. A file that had that name is gone."""
        ...

    def delete(self, name: str) -> None:
        """Remove the file."""
        ...


class FolderDisk:
    """The files of a folder on the real disk. A step returns when its bytes are there."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def read(self, name: str) -> bytes:
        return read_bytes(self.folder / name)

    def write(self, name: str, data: bytes) -> None:
        self._put(name, "wb", data)

    def append(self, name: str, data: bytes) -> None:
        self._put(name, "ab", data)

    def rename(self, name: str, to: str) -> None:
        (self.folder / name).replace(self.folder / to)

    def delete(self, name: str) -> None:
        (self.folder / name).unlink()

    def _put(self, name: str, mode: str, data: bytes) -> None:
        with open_file(self.folder / name, mode) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
