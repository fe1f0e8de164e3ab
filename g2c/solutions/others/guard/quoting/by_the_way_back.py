r"""25.1 by trying: a text may stay bare if the way back leads to it, and no marker is at its front.

So nothing here knows what a quotation looks like: `unquote_data` says it. The sign is taken apart
from its right end: each `|` is asked what stands before it. It costs a second way through the text,
and a piece for each `|` in it.
"""

from __future__ import annotations

from g2c.guard.provided.quoting import MARKERS, QUOTED, unquote_data


def quote_data(text: str) -> str:
    *pieces, last = text.split("|")
    safe = "".join([f"{_opened(piece)}|" for piece in pieces]) + last
    lines = safe.splitlines(keepends=True)
    if len(lines) <= 1 and unquote_data(safe) == text and not _is_marked(text):
        return safe
    return "".join(QUOTED + line for line in lines)


def _opened(piece: str) -> str:
    """`piece`, which stands before a `|`, with one more backslash if a `<` would reach that."""
    return piece + "\\" if piece.rstrip("\\").endswith("<") else piece


def _is_marked(text: str) -> bool:
    start = text.lstrip().casefold()
    for marker in map(str.casefold, MARKERS):
        name = marker.removesuffix(":")
        if start.startswith(name) and start[len(name) :].lstrip().startswith(marker[len(name) :]):
            return True
    return False
