r"""25.1 by trying: a text stays unquoted if `unquote_data` returns it and no marker begins it.

So only `unquote_data` knows what a quotation looks like. The sign is found from its right end: for
each `|`, the text before it is checked. It costs a second pass over the text, and a piece for each
`|` in it.
"""

from __future__ import annotations

from g2c.guard.core.quoting import MARKERS, QUOTED, unquote_data


def quote_data(text: str) -> str:
    *pieces, last = text.split("|")
    safe = "".join([f"{_opened(piece)}|" for piece in pieces]) + last
    lines = safe.splitlines(keepends=True)
    if len(lines) <= 1 and unquote_data(safe) == text and not _is_marked(text):
        return safe
    return "".join(QUOTED + line for line in lines)


def _opened(piece: str) -> str:
    """`piece`, which comes before a `|`; one more backslash if it ends in `<` and backslashes."""
    return piece + "\\" if piece.rstrip("\\").endswith("<") else piece


def _is_marked(text: str) -> bool:
    start = text.lstrip().casefold()
    for marker in map(str.casefold, MARKERS):
        name = marker.removesuffix(":")
        if start.startswith(name) and start[len(name) :].lstrip().startswith(marker[len(name) :]):
            return True
    return False
