"""How alike submissions are, for a person who then reads them.

Fingerprints are chosen by winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms
for Document Fingerprinting", SIGMOD 2003, which is behind MOSS), over the tokens of the code.
Names, numbers and texts all count as one token each, so renaming hides nothing. Reordered or
inserted lines break the fingerprints, but the lines stay. So lines are compared, too.
"""

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, product
from types import MappingProxyType

K = 8
"""The tokens of a fingerprint: a shorter match is not found."""

WINDOW = 6
"""One of this many adjacent fingerprints is kept: a match of `K + WINDOW - 1` tokens is always
found."""

MAX_CHARS = 100_000
"""The most bytes read of a file; an exercise's file is a tenth of this."""

LEAST, MIN_LINES = 5, 7
"""With fewer own fingerprints or lines, a file is too short to compare."""

LINE = 6
"""The fewest tokens of a line that counts: `return n` is in every function."""

_TOKEN = re.compile(
    r"#[^\n]*|(?P<text>[rbfuRBFU]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*'))"
    r"|(?P<number>\d[\w.]*)|(?P<word>\w+)|(?P<sign>[^\w\s])|(?P<end>\n)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Alike:
    """Two submissions, or one and a published file, and the share of the smaller one's fingerprints
    or lines that the other has, too."""

    one: str
    other: str
    share: float


def tokens(source: str) -> Iterator[str]:
    """
    >>> " ".join(tokens("total = rate * 12  # a year"))
    'n = n * 0'
    """
    return (token for token in _tokens(source) if token != "\n")


def _tokens(source: str) -> Iterator[str]:
    """The tokens, with the ends of lines among them."""
    for found in _TOKEN.finditer(source[:MAX_CHARS]):
        match found.lastgroup:
            case "text" | "number":
                yield "0"
            case "word":
                yield found[0] if keyword.iskeyword(found[0]) else "n"
            case "sign" | "end":
                yield found[0]


def fingerprints(source: str) -> frozenset[int]:
    """The least hash of each window of hashes of `K` tokens."""
    own = list(tokens(source))
    hashes = [_hash(" ".join(own[n : n + K])) for n in range(len(own) - K + 1)]
    if not hashes:
        return frozenset()
    windows = range(max(len(hashes) - WINDOW + 1, 1))
    return frozenset(min(hashes[n : n + WINDOW]) for n in windows)


def lines(source: str) -> frozenset[str]:
    """The lines that count, as tokens. An expression in brackets is one line.

    >>> sorted(lines("if a:\\n    total = price(\\n        one, two)"))
    ['n = n ( n , n )']
    """
    found, line, depth = set(), list[str](), 0
    for token in (*_tokens(source), "\n"):
        if token != "\n":
            line.append(token)
            depth = max(depth + (token in "([{") - (token in ")]}"), 0)
        elif not depth:
            found.add(" ".join(line) if len(line) >= LINE else "")
            line = []
    return frozenset(found - {""})


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def most_alike(
    sources: Mapping[str, str],
    shipped: str,
    least: float = 0.5,
    published: Mapping[str, str] = MappingProxyType({}),
) -> list[Alike]:
    """The pairs of one exercise's files that share at least `least`: first those with a `published`
    file, then the most similar. The text of the `shipped` file does not count.
    """
    views = (fingerprints, lines)
    common = [view(shipped) for view in views]
    leasts = (LEAST, MIN_LINES)

    def own(source: str) -> list[frozenset[object]]:
        return [frozenset(view(source) - of) for view, of in zip(views, common, strict=True)]

    marks = [(name, own(source)) for name, source in sorted(sources.items())]
    known = [(name, own(source)) for name, source in sorted(published.items())]
    found = [
        Alike(one, other, share)
        for (one, mine), (other, theirs) in (*product(marks, known), *combinations(marks, 2))
        if (share := max(map(_share, mine, theirs, leasts))) >= least
    ]
    return sorted(
        found, key=lambda pair: (pair.other not in published, -pair.share, pair.one, pair.other)
    )


def _share(one: frozenset[object], other: frozenset[object], least: int) -> float:
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller >= least else 0.0
