"""The index file: one pointer a line, within its limits when it is written and when it is read.

The index is part of every prompt, so every call pays for it. Text that is longer than a line
belongs in the file that the line points to.
"""

import os
import re
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath

from g2c.files import locked, read_bytes, replace_text
from g2c.memory.core.types import MemoryStoreError, Pointer
from g2c.text import as_utf8

MAX_LINES = 200
MAX_LINE_CHARS = 150
_POINTER = re.compile(r"- \[[^\]]*\]\(([^()]+)\) —(.*)")


def link_to(file: str) -> str:
    """The start of the line that points to `file`; the description follows it.

    Raises:
        MemoryStoreError: the name would break the link, or leaves no room for a description.

    >>> link_to("topics/auth.md")
    '- [topics/auth.md](topics/auth.md) — '
    """
    link = f"- [{file}]({file}) — "
    if not file or re.search(r"[\[\]()]|\s", file) or len(link) >= MAX_LINE_CHARS:
        raise MemoryStoreError(
            f"The index cannot point to {file!r:.200}: a name has no spaces and no brackets, and "
            f"is at most {(MAX_LINE_CHARS - len('- []() — x')) // 2} characters long."
        )
    return link


def pointer_of(line: str) -> Pointer | None:
    """The pointer in a line of the index; None if the line is something else.

    >>> pointer_of("- [topics/auth.md](topics/auth.md) — how people log in")
    Pointer(file='topics/auth.md', description='how people log in')
    """
    found = _POINTER.fullmatch(line)
    return Pointer(found[1], found[2].strip()) if found else None


class BaseIndex(ABC):
    """The index in `file`, oldest line first. It may also have lines that are not pointers.

    `MemoryIndex` adds your `upsert`."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = Path(file)

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """All pointers, oldest first."""
        return tuple(pointer for line in self.read() if (pointer := pointer_of(line)))

    def render(self) -> str:
        """The index for a prompt, within its limits even if a person's edits broke them."""
        lines = [
            line if len(line) <= MAX_LINE_CHARS else f"{line[: MAX_LINE_CHARS - 1]}…"
            for line in self.read()[-MAX_LINES:]
        ]
        return "".join(f"{line}\n" for line in lines)

    def lookup(self, name: str) -> Pointer | None:
        """The pointer to a file, by its whole path or by its name without folder and suffix.

        `auth` finds `topics/auth.md`, but not `topics/auth-module.md`.
        """
        for pointer in reversed(self.pointers):
            if name in (pointer.file, PurePosixPath(pointer.file).stem):
                return pointer
        return None

    def remove(self, *files: str) -> None:
        """Remove the pointers to `files`, if there are any."""
        gone = set(files)
        with self.exclusive():
            lines = self.read()
            kept = [
                line
                for line in lines
                if (pointer := pointer_of(line)) is None or pointer.file not in gone
            ]
            if len(kept) < len(lines):
                self.write(kept)

    @abstractmethod
    def upsert(self, file: str, description: str) -> None:
        """Make a pointer to `file` the last line; see `g2c.memory.upsert.upsert`."""

    def exclusive(self) -> AbstractContextManager[None]:
        """`with index.exclusive():` lets in one thread or process at a time; the others wait."""
        return locked(self.file.with_name(f".{self.file.name}.lock"))

    def read(self) -> list[str]:
        """The lines of the file, oldest first; none if there is no file."""
        try:
            data = as_utf8(read_bytes(self.file))
        except FileNotFoundError:
            return []
        text = data.decode("utf-8-sig", "backslashreplace")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.removesuffix("\n").split("\n") if text else []

    def write(self, lines: list[str]) -> None:
        """Replace the file. A crash leaves either the old one or the new one."""
        text = "".join(f"{line}\n" for line in lines)
        # UTF-8 cannot hold a lone surrogate, so it is spelled out as \\udc80.
        replace_text(self.file, text.encode("utf-8", "backslashreplace").decode())
