"""25.3 with an index of the places of each word, as in a search engine.

A piece is looked up by its rarest word, and compared at that word's places. The index can be reused
from call to call; the reference reads all texts again for each.

It costs memory for every word of every text, and a piece of frequent words is compared at many
places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from g2c.guard.core.provenance import RUN, SHORTEST, RunText, words_of


def trace_origins(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> tuple[str, ...]:
    words = [words_of(text.text) for text in texts]
    stands: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, some in enumerate(words):
        for place, word in enumerate(some):
            stands[word].append((number, place))
    tainted = _tainted(texts)
    named: set[int] = set()
    for piece in set(_pieces(list(arguments.values()))):
        rarest = min(range(len(piece)), key=lambda n: len(stands.get(piece[n], ())))
        holders = {
            number
            for number, place in stands.get(piece[rarest], ())
            if place >= rarest
            and tuple(words[number][place - rarest : place - rarest + len(piece)]) == piece
        }
        if all(texts[number].name in tainted for number in holders):
            named |= holders
    return tuple(texts[number].name for number in sorted(named))


def _pieces(value: Any) -> Iterator[tuple[str, ...]]:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += value.keys()
            waiting += value.values()
        elif isinstance(value, list | tuple):
            waiting += value
        elif value is not None and not isinstance(value, bool):
            yield from _pieces_of_text(words_of(str(value)))


def _pieces_of_text(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start, word in enumerate(words):
        if len(word) >= SHORTEST and any(sign in "@._" or sign.isdigit() for sign in word):
            yield (word,)
        run = tuple(words[start : start + RUN])
        if (len(run) == RUN or start == 0) and sum(map(len, run)) >= SHORTEST:
            yield run


def _tainted(texts: Sequence[RunText]) -> set[str]:
    """The names of the texts that are not trusted, and of all texts that were made of one."""
    names = {text.name for text in texts}
    used_by: dict[str, list[str]] = defaultdict(list)
    tainted = {text.name for text in texts if not text.trusted}
    for text in texts:
        for source in text.made_of:
            used_by[source].append(text.name)
            if source not in names:
                tainted.add(text.name)
    waiting = list(tainted)
    while waiting:
        new = [name for name in used_by[waiting.pop()] if name not in tainted]
        tainted.update(new)
        waiting += new
    return tainted
