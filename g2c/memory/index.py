"""The archival memory: an index of one pointer a line, which stands in every prompt.

The idea to take away: what stands in every prompt is paid for in every call. So the index is capped
where it is written, and what is longer than a line belongs in the file that the line points to.
"""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath

from g2c.exercise import exercise
from g2c.files import replace_text
from g2c.memory.base import MemoryStoreError, Pointer
from g2c.memory.locking import locked

MAX_LINES = 200
MAX_LINE_CHARS = 150

_POINTER = re.compile(r"- \[[^\]]*\]\(([^()]+)\) —(.*)")


def link_to(file: str) -> str:
    """How the pointer to `file` begins, up to its description.

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
    """The pointer that a line of the index holds; None for a line of another kind.

    >>> pointer_of("- [topics/auth.md](topics/auth.md) — how people log in")
    Pointer(file='topics/auth.md', description='how people log in')
    """
    found = _POINTER.fullmatch(line)
    return Pointer(found[1], found[2].strip()) if found else None


class MemoryIndex:
    """The index in `file`, oldest line first. Lines that are no pointers may stand in it, too."""

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = Path(file)

    @property
    def pointers(self) -> tuple[Pointer, ...]:
        """All pointers, oldest first."""
        return tuple(pointer for line in self._read() if (pointer := pointer_of(line)))

    def render(self) -> str:
        """The index as it goes into a prompt: within its limits, even where a person's edits in
        the file are not."""
        lines = [
            line if len(line) <= MAX_LINE_CHARS else f"{line[: MAX_LINE_CHARS - 1]}…"
            for line in self._read()[-MAX_LINES:]
        ]
        return "".join(f"{line}\n" for line in lines)

    def lookup(self, name: str) -> Pointer | None:
        """The pointer to a file, by its whole path or by its name without folder and suffix.

        `auth` finds `topics/auth.md`, and not `topics/auth-module.md`.
        """
        for pointer in reversed(self.pointers):
            if name in (pointer.file, PurePosixPath(pointer.file).stem):
                return pointer
        return None

    def remove(self, file: str) -> None:
        """Take out the pointer to `file`, if there is one."""
        with self._exclusive():
            lines = self._read()
            kept = [
                line
                for line in lines
                if (pointer := pointer_of(line)) is None or pointer.file != file
            ]
            if len(kept) < len(lines):
                self._write(kept)

    @exercise("20.4")
    def upsert(self, file: str, description: str) -> None:
        """Have the index end with a pointer to `file`, in place of the one that it has, if any.

        You have `link_to(file)` and `pointer_of(line)` above, and `self._read()`, which gives the
        lines oldest first, `self._write(lines)`, and `self._exclusive()`, below.

        - The pointer is `link_to(file)` and the description, on one line: runs of whitespace, line
          ends among them, become one space, and none is left at its ends. Where the line would be
          longer than `MAX_LINE_CHARS` characters, the description is cut and ends with `…`, which
          counts.
        - Afterwards there is one pointer to the file, and the index has at most `MAX_LINES` lines,
          also where a person's edits had left it otherwise: beyond that the oldest go. The pointer
          stands last, one that replaces another, too. All other lines stay as they are, in their
          order, also those that are no pointers.
        - Where the line is in the index already, and both of these hold, nothing changes, on the
          disk either: the prompt stays as it was.
        - Other processes may change the index at any time, up to the moment when this one has it
          to itself.

        Raises:
            MemoryStoreError: the index cannot point to a file of that name.

        >>> from tempfile import mkdtemp
        >>> index = MemoryIndex(Path(mkdtemp(), "MEMORY.md"))
        >>> index.upsert("topics/auth.md", "how people log in")
        >>> index.upsert("topics/db.md", "tables,\\n  and who\\twrites them")
        >>> index.upsert("topics/auth.md", "how people and programs log in")
        >>> print(index.render())
        - [topics/db.md](topics/db.md) — tables, and who writes them
        - [topics/auth.md](topics/auth.md) — how people and programs log in
        <BLANKLINE>
        """
        raise NotImplementedError

    def _exclusive(self) -> AbstractContextManager[None]:
        """`with self._exclusive():` is entered by one at a time, between threads and processes."""
        return locked(self.file.with_name(f".{self.file.name}.lock"))

    def _read(self) -> list[str]:
        try:
            text = self.file.read_text(encoding="utf-8-sig", errors="backslashreplace")
        except FileNotFoundError:
            return []
        return text.removesuffix("\n").split("\n") if text else []

    def _write(self, lines: list[str]) -> None:
        """Replace the file: a crash leaves the old one or the new one."""
        text = "".join(f"{line}\n" for line in lines)
        # A lone surrogate, which UTF-8 cannot hold, is written out as \\udc80.
        replace_text(self.file, text.encode("utf-8", "backslashreplace").decode())
