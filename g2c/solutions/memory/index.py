"""20.4: make the line, then ask what is left beside it.

Lines are compared, not descriptions: two descriptions that differ beyond the cut are the same line.
The comparison is made with the index held, like all reading that a write depends on. That the line
is there does not make the index right: a person may have written a second one, or too many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2c.memory.index import MAX_LINE_CHARS, MAX_LINES, link_to, pointer_of

if TYPE_CHECKING:
    from g2c.memory.index import MemoryIndex


def upsert(self: MemoryIndex, file: str, description: str) -> None:
    line = link_to(file) + " ".join(description.split())
    if len(line) > MAX_LINE_CHARS:
        line = line[: MAX_LINE_CHARS - 1] + "…"
    with self._exclusive():
        lines = self._read()
        others = [
            other
            for other in lines
            if (pointer := pointer_of(other)) is None or pointer.file != file
        ]
        if line in lines and len(others) + 1 == len(lines) <= MAX_LINES:
            return
        self._write([*others, line][-MAX_LINES:])
