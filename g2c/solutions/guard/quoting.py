r"""25.1: a mark before each line, and one more backslash in what looks like a sign of a model's.

What looks quoted is quoted once more, and `<\|` gets a second backslash. Without that, two texts
would be written alike, and nobody could tell which of the two it was. Nothing is listed but what
costs a text of one line its bareness: most of what tools give is such a text, and a small model
reads it better without a mark. It costs two passes over the text, and two characters a line.
"""

from __future__ import annotations

import re

from g2c.guard.provided.quoting import MARKERS, QUOTED

_SIGN = re.compile(r"<(\\*)\|")
_MARKER = "|".join(re.escape(marker).replace(":", r"\s*:") for marker in MARKERS)
_POSES = re.compile(rf"{QUOTED}|\s*(?:{_MARKER})", re.IGNORECASE)


def quote_data(text: str) -> str:
    lines = _SIGN.sub(r"<\\\1|", text).splitlines(keepends=True)
    if len(lines) > 1 or _POSES.match(text):
        lines = [QUOTED + line for line in lines]
    return "".join(lines)
