"""25.3: index the pieces of the arguments, and go through each text once.

For each text, collect its pieces. Pieces of trusted texts need no other origin, so they are
removed; an untrusted text is named if any of its pieces is left. Distrust spreads against
`made_of`: from each untrusted text to all that were made of it, so circles end.

The time is at most six times the words of texts and arguments; the memory is that of the pieces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from g2c.guard.core.provenance import RUN, SHORTEST, RunText, words_of


def trace_origins(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> tuple[str, ...]:
    pieces = {piece for value in _values(arguments.values()) for piece in _pieces(words_of(value))}
    lengths = {len(piece) for piece in pieces}
    has = {text.name: _found(words_of(text.text), lengths, pieces) for text in texts}
    vouched = set().union(*(has[name] for name in _trusted(texts)))
    return tuple(text.name for text in texts if has[text.name] - vouched)


def _values(found: Iterable[Any]) -> Iterator[str]:
    waiting = list(found)
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case bool() | None:
                pass
            case Mapping() as inner:
                waiting += [*inner, *inner.values()]
            case list() as inner:
                waiting += inner
            case number:
                yield str(number)


def _pieces(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    telling = [(word,) for word in words if any(sign.isdigit() or sign in "@._" for sign in word)]
    for piece in (*telling, *_runs(words, min(RUN, len(words)))):
        if len("".join(piece)) >= SHORTEST:
            yield piece


def _runs(words: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(length)), strict=False)


def _found(
    words: Sequence[str], lengths: Iterable[int], pieces: set[tuple[str, ...]]
) -> set[tuple[str, ...]]:
    return {run for length in lengths for run in _runs(words, length) if run in pieces}


def _trusted(texts: Sequence[RunText]) -> set[str]:
    made_from = defaultdict(list)
    for text in texts:
        for source in text.made_of:
            made_from[source].append(text.name)
    trusted = {text.name for text in texts if text.trusted}
    doubted = [name for name in made_from if name not in trusted]
    while doubted:
        for name in made_from[doubted.pop()]:
            if name in trusted:
                trusted.remove(name)
                doubted.append(name)
    return trusted
