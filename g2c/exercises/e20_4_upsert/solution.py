"""20.4: make the new line, then look at the other lines.

Lines are compared, not descriptions: two descriptions that differ only after the cut give the same
line. As with all reads before a write, the index is locked. If the line is there already, the index
may still be wrong: a person may have written a second pointer, or too many lines. Only pointers can
be made again, so they make room; what a person wrote stands nowhere else.
"""

from __future__ import annotations

from g2c.memory.core.index import MAX_LINE_CHARS, MAX_LINES, BaseIndex, link_to, pointer_of


def upsert(index: BaseIndex, file: str, description: str) -> None:
    line = link_to(file) + " ".join(description.split())
    if len(line) > MAX_LINE_CHARS:
        line = line[: MAX_LINE_CHARS - 1] + "…"
    with index.exclusive():
        lines = index.read()
        others = [
            other
            for other in lines
            if (pointer := pointer_of(other)) is None or pointer.file != file
        ]
        surplus = max(0, len(others) + 1 - MAX_LINES)
        for oldest in [*filter(pointer_of, others)][:surplus]:
            others.remove(oldest)  # of equal lines the first
        if line in lines and len(others) + 1 == len(lines):
            return
        index.write([*others, line])
