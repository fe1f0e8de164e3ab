"""How alike submissions are, for a person who then reads them.

Fingerprints are chosen by winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms
for Document Fingerprinting", SIGMOD 2003, which is behind MOSS), over the tokens of the code.
Names, numbers and texts all count as one token each, so renaming hides nothing.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, product
from types import MappingProxyType

K = 8
"""Tokens in a row that a fingerprint is made of: a shorter match is not seen."""

WINDOW = 6
"""Of this many in a row one is kept: a match of `K + WINDOW - 1` tokens is always seen."""

MOST_CHARS = 100_000
"""What is read of a file; an exercise's has a tenth of this."""

LEAST = 5
"""With fewer fingerprints of its own, a file is too short to say anything."""

_TOKEN = re.compile(
    r"#[^\n]*|(?P<text>[rbfuRBFU]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*'))"
    r"|(?P<number>\d[\w.]*)|(?P<word>\w+)|(?P<sign>[^\w\s])",
    re.DOTALL,
)


@dataclass(frozen=True)
class Alike:
    """Two submissions, or one and a published file, and the part of the smaller one's fingerprints
    that the other has too."""

    one: str
    other: str
    share: float


def tokens(source: str) -> Iterator[str]:
    """
    >>> " ".join(tokens("total = rate * 12  # a year"))
    'n = n * 0'
    """
    for found in _TOKEN.finditer(source[:MOST_CHARS]):
        match found.lastgroup:
            case "text" | "number":
                yield "0"
            case "word":
                yield found[0] if keyword.iskeyword(found[0]) else "n"
            case "sign":
                yield found[0]


def fingerprints(source: str) -> frozenset[int]:
    """The least hash of each window of hashes of `K` tokens."""
    own = list(tokens(source))
    hashes = [_hash(" ".join(own[n : n + K])) for n in range(len(own) - K + 1)]
    if not hashes:
        return frozenset()
    windows = range(max(len(hashes) - WINDOW + 1, 1))
    return frozenset(min(hashes[n : n + WINDOW]) for n in windows)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def most_alike(
    sources: Mapping[str, str],
    shipped: str,
    least: float = 0.5,
    published: Mapping[str, str] = MappingProxyType({}),
) -> list[Alike]:
    """The pairs of one exercise's files that share at least that part: first those with a file that
    is `published`, then the most alike. What the file has as `shipped` does not count.
    """
    common = fingerprints(shipped)
    marks = {name: fingerprints(source) - common for name, source in sources.items()}
    known = {name: fingerprints(source) - common for name, source in published.items()}
    pairs = [*product(sorted(marks.items()), sorted(known.items()))]
    pairs += combinations(sorted(marks.items()), 2)
    found = [
        Alike(one, other, share)
        for (one, mine), (other, theirs) in pairs
        if min(len(mine), len(theirs)) >= LEAST
        and (share := len(mine & theirs) / min(len(mine), len(theirs))) >= least
    ]
    return sorted(found, key=lambda one: (one.other not in known, -one.share, one.one, one.other))
