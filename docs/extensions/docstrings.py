"""Docstrings are written as Markdown is; autodoc reads reStructuredText. This is the difference.

`name` becomes ``name``, and lines that are indented below a colon are shown as they stand.
"""

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
UNREADABLE_DEFAULT = re.compile(r"= <.*?>+(?=[,)])")
"""Such as `= <factory>`, which is no Python."""


def to_rst(_app: Sphinx, kind: str, _name: str, _what: Any, _how: Any, lines: list[str]) -> None:
    """Change a docstring's `lines` in place."""
    is_example, shown_below = False, -1  # in a doctest; in a block below a line with that indent
    for n, line in enumerate(lines):
        indent = indent_of(line)
        if not line.strip():
            is_example = False
            continue
        is_example = is_example or line.lstrip().startswith(">>>")
        if is_example or -1 < shown_below < indent:
            continue
        lines[n] = CODE.sub(lambda found: f"``{found[1].strip()}``", line)
        shown_below = -1
        if opens_block(lines, n):
            lines[n] += ":"
            shown_below = indent
    if kind in ("attribute", "property"):
        lines[:0] = ["..", ""]  # a comment; napoleon takes a colon in line 1 for the end of a type


def opens_block(lines: list[str], n: int) -> bool:
    """Whether line `n` ends with a colon, and an indented block follows after an empty line."""
    below = next((line for line in lines[n + 1 :] if line.strip()), "")
    has_gap = n + 1 < len(lines) and not lines[n + 1].strip()
    return lines[n].endswith(":") and has_gap and indent_of(below) >= indent_of(lines[n]) + 4


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def readable(
    _app: Sphinx, _kind: str, _name: str, _what: Any, _how: Any, given: str | None, result: str
) -> tuple[str | None, str]:
    """A signature whose defaults can be read."""
    return given and UNREADABLE_DEFAULT.sub("= ...", given), result


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", to_rst, priority=400)  # before napoleon, at 500
    app.connect("autodoc-process-signature", readable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
