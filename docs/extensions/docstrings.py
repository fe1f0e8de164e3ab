"""Docstrings are written as Markdown is; autodoc reads reStructuredText. This is the difference.

`name` becomes ``name``, and lines that are indented below a colon are shown as they stand.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def to_rst(_app: Sphinx, _kind: str, _name: str, _what: object, _options: object, lines: list[str]):
    """Change a docstring's `lines` in place."""
    is_example = is_shown = False
    margin = 0
    for n, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            is_example = False
            continue
        is_shown = is_shown and indent > margin
        is_example = is_example or line.lstrip().startswith(">>>")
        if is_shown or is_example:
            continue
        lines[n] = CODE.sub(lambda found: f"``{found[1].strip()}``", line)
        below = next((later for later in lines[n + 2 :] if later.strip()), "")
        starts_block = n + 1 < len(lines) and not lines[n + 1].strip()
        if (
            line.endswith(":")
            and starts_block
            and len(below) - len(below.lstrip()) >= indent + 4
            and not line.lstrip().startswith(":")
        ):
            lines[n] += ":"
            is_shown, margin = True, indent


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", to_rst, priority=400)  # before napoleon, at 500
    return {"parallel_read_safe": True, "parallel_write_safe": True}
