"""20.4 by making the new lines first, and writing them unless they are the old ones reordered.

They are the same lines only if the line is there already, as the only pointer to its file, and both
limits are respected. So one comparison replaces three conditions. It costs two sorts of 200 lines,
and the reader has to see why the order does not matter.
"""

from __future__ import annotations

from g2c.memory.core.index import MAX_LINE_CHARS, MAX_LINES, BaseIndex, link_to, pointer_of


def upsert(index: BaseIndex, file: str, description: str) -> None:
    line = link_to(file) + " ".join(description.split())
    if len(line) > MAX_LINE_CHARS:
        line = line[: MAX_LINE_CHARS - 1] + "…"
    with index.exclusive():
        old = index.read()
        others = [other for other in old if not _points_to(file, other)]
        left = MAX_LINES - 1 - sum(pointer_of(other) is None for other in others)
        pointers = [other for other in others if pointer_of(other)]
        gone = pointers[: len(pointers) - max(0, left)] if left < len(pointers) else []
        for other in gone:
            others.remove(other)
        new = [*others, line]
        if sorted(new) != sorted(old):
            index.write(new)


def _points_to(file: str, line: str) -> bool:
    pointer = pointer_of(line)
    return pointer is not None and pointer.file == file
