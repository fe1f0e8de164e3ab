"""25.6 without entropy: a name falls into few words, and a key into many pieces.

A run of letters and digits is cut where a name would be cut: before a capital, and around digits.
A piece of a name has five or six characters, and a piece of a random run two or three. All forms
are in one pattern, so the text is read once.

It costs readability: a single pattern is harder to read than four, because no rule may take what
belongs to another.
"""

from __future__ import annotations

import re

from g2c.guard.core.masking import BEGINNINGS

VALUE = r"[^\s\"',;]"
SECRET = re.compile(
    r"""
    (?P<pem>-----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----(?s:.*?)
      (?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|\Z))
    | (?i:password|passwd|secret|token|api[ _-]?key)["']?[ \t]*+[:=][ \t]*+(?i:bearer[ \t]++)?
      (?:["'](?!-----BEGIN[ ])(?P<quoted>VALUE{6,}+)
      | (?P<plain>(?:(?![()\[\]{}<>])VALUE){6,}+)(?![(\[{<]))
    | (?i:\bbearer)\s++(?=[^\s"',;\d]*+\d)(?P<bearer>VALUE{6,}+)
    | (?<![\w-])(?P<service>(?:BEGINNINGS)(?=[a-z_-]*+[A-Z0-9])[A-Za-z0-9_-]{16,}+)
    | (?<![\w+/.@-])(?P<free>[A-Za-z0-9]{24,}+)(?![\w+/=@]|[.-]\w)
    """.replace("VALUE", VALUE).replace("BEGINNINGS", "|".join(map(re.escape, BEGINNINGS))),
    re.VERBOSE,
)
PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\d+")


def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for found in SECRET.finditer(text):
        kind = str(found.lastgroup)
        if kind == "free" and not _falls_apart(found[0]):
            continue
        start, end = found.span(kind)
        if spans and spans[-1][1] >= start:
            start = spans.pop()[0]
        spans.append((start, end))
    return tuple(spans)


def _falls_apart(run: str) -> bool:
    if not run.strip("0123456789abcdef") or not run.strip("0123456789ABCDEF"):
        return False
    pieces = PIECE.findall(run)
    numbers = sum(piece.isdigit() for piece in pieces)
    is_varied = len({*run}) > 8
    return is_varied and (numbers > 1 or len(pieces) * 2.6 > len(run))
