r"""25.1: a mark before each line, and one more backslash in what looks like a special token.

A text that looks quoted is quoted once more, and `<\|` gets a second backslash. Otherwise two texts
would have the same quotation. The only list is that of markers for which a one-line text is quoted:
most tool results are one line, and a small model reads them better without a mark. It costs two
passes over the text, and two characters a line.
"""

from __future__ import annotations

import re

from g2c.guard.core.quoting import MARKERS, QUOTED

_SIGN = re.compile(r"<(\\*)\|")
_MARKER = "|".join(re.escape(marker).replace(":", r"\s*:") for marker in MARKERS)
_POSES = re.compile(rf"{QUOTED}|\s*(?:{_MARKER})", re.IGNORECASE)


def quote_data(text: str) -> str:
    lines = _SIGN.sub(r"<\\\1|", text).splitlines(keepends=True)
    if len(lines) > 1 or _POSES.match(text):
        lines = [QUOTED + line for line in lines]
    return "".join(lines)
