"""25.6: four known forms, and a measure of randomness for keys without a form.

A free-standing run of letters and digits is a key if it has many different characters for its
length (Shannon, 1948) and changes between small letters, capitals and digits as no name does: names
change once a word, and have their digits in one place. Hashes are as random as keys, but use
another alphabet. A run in a path, an address or an encoded picture is not free-standing.

It costs one pass for each form. The patterns do not backtrack, so each looks at a character from
only one start.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from math import log2

from g2c.guard.core.masking import BEGINNINGS, NAMES

_VALUE = r"[^\s\"',;]{6,}+"
_FORMS = (
    re.compile(
        rf"(?i)(?:{'|'.join(NAMES)})[\"']?"
        r"[ \t]*+[:=][ \t]*+(?:bearer[ \t]++)?"
        rf"(?:[\"'](?P<quoted>{_VALUE})|(?P<plain>[^\s\"',;()\[\]{{}}<>]{{6,}}+)(?![(\[{{<]))"
    ),
    re.compile(rf"(?i)\bbearer\s++(?=[^\s\"',;\d]*+\d)(?P<value>{_VALUE})"),
    re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, BEGINNINGS))})"
        r"(?=[a-z_-]*+[A-Z0-9])[A-Za-z0-9_-]{16,}+"
    ),
    re.compile(r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
)
_FREE = re.compile(r"(?<![\w+/.@-])[A-Za-z0-9]{24,}+(?![\w+/=@]|[.-]\w)")
_HEXADECIMAL = re.compile(r"[\da-f]+|[\dA-F]+")


def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    found = [match.span(match.lastgroup or 0) for form in _FORMS for match in form.finditer(text)]
    found += [match.span() for match in _FREE.finditer(text) if _is_disordered(match[0])]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return tuple(joined)


def _is_disordered(run: str) -> bool:
    if _HEXADECIMAL.fullmatch(run):
        return False
    entropy = sum(n * log2(len(run) / n) for n in Counter(run).values()) / len(run)
    groups = [kind for kind, _ in groupby(run, _kind)]
    return entropy >= 3.5 and (groups.count("digit") > 1 or len(groups) > 0.45 * len(run))


def _kind(sign: str) -> str:
    return "digit" if sign.isdigit() else "capital" if sign.isupper() else "small"
