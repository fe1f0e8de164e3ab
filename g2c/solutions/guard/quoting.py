r"""25.1: a mark before each line, and one more backslash in what looks like a sign of a model's.

What looks quoted is quoted once more, and `<\|` gets a second backslash. Without that, two texts
would be written alike, and nobody could tell which of the two it was. Nothing is listed but what
spares a text of one line its mark: most of what tools give is such a text, and a small model reads
it better bare. It costs two passes over the text, and two characters a line.
"""

from __future__ import annotations

import re

from g2c.guard.provided.quoting import MARKERS, QUOTED

_STARTS = tuple(marker.casefold() for marker in MARKERS)


def quote_data(text: str) -> str:
    lines = re.sub(r"<(\\*)\|", r"<\\\1|", text).splitlines(keepends=True)
    poses = text.startswith(QUOTED) or text.lstrip().casefold().startswith(_STARTS)
    return "".join(QUOTED + line for line in lines) if poses or len(lines) > 1 else "".join(lines)
