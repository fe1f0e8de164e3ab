"""Paragraphs that `score` can search.

An answer often stands beside the words of its question: `Where did you go?` has the words, and `To
Bergen, by train` is the answer. So a term counts for the paragraphs around it, too, the less the
farther away it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from g2c.memory.core.paragraphs import Paragraph
from g2c.memory.core.recall_cache import RecallCache
from g2c.memory.core.scoring import sums, weighted
from g2c.memory.core.stored_paragraphs import Place, digest_of

SHARES = (1, 0.7, 0.49, 0.343)
"""How much of a term's weight a paragraph gets, by the steps to the nearest one that has it."""
ASKING = 0.8
"""How much of its score a paragraph keeps if it is a question: it rarely answers another."""
_DECIMALS = 9
"""The decimals of a score; sums of the same weights in another order differ behind them."""
_AT_ONCE = 40


class Corpus:
    """Paragraphs in the order in which they were added: within a file, from its top down.

    They are in `cache`; without one, in memory.
    """

    def __init__(self, cache: RecallCache | None = None) -> None:
        cache = cache or RecallCache()
        self._cache = cache  # whose database is open as long as somebody has it
        self._index = cache.index
        self._paragraphs = cache.paragraphs

    def __len__(self) -> int:
        return len(self._index)

    def add(self, paragraphs: Iterable[Paragraph]) -> None:
        """Add paragraphs, each below those of its file that are there already."""
        for paragraph in paragraphs:
            self._paragraphs.put(self._index.add(paragraph.searched), paragraph)

    def remove(self, file: Path) -> None:
        """Remove all paragraphs of `file`, if there are any."""
        for number in self._paragraphs.of_file(file):
            self._index.remove(number, self._paragraphs.read(number).searched)
        self._paragraphs.remove(file)

    def search(self, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        """The `limit` best texts with their scores, best first; of equal scores, newest first.

        A term of the query gives a paragraph its weight (`g2c.memory.core.scoring`), times 0.7 for
        each step to the nearest paragraph of the file that has it, three at most. So a paragraph
        without a word of the query can be found, too. One that asks gets 0.8 of its score. A
        paragraph that is `query` itself, such as the question just asked, gives nothing to those
        above it. If several paragraphs have the same text, only one is returned: the one with the
        most terms of its own or, among equals, the original, which is the first that the agent did
        not say itself.
        """
        echoes = self._paragraphs.questions(digest_of(query))
        terms = [(weight, set(numbers)) for weight, numbers in weighted(query, self._index)]
        asked = _Asked(terms, sums(terms), echoes)
        own = asked.own
        # The first few tell how much is enough.
        first = nlargest(4 * limit, own, key=lambda number: (own[number], number))
        last = next(islice(self._different(self._ranked(set(first), asked)), limit - 1, None), None)
        enough = last[2] - 10**-_DECIMALS if last else 0.0
        best = self._ranked(asked.essential(enough), asked, enough)
        return [
            (self._paragraphs.read(self._original(number, same, own)), points)
            for number, same, points in islice(self._different(best), limit)
        ]

    def _different(self, ranked: Sequence[tuple[int, float]]) -> Iterator[tuple[int, int, float]]:
        """For each different text in `ranked` that is not a question, its first paragraph: number,
        digest of the text, and score."""
        seen: set[int] = set()
        for start in range(0, len(ranked), _AT_ONCE):
            some = ranked[start : start + _AT_ONCE]
            places = self._paragraphs.places(number for number, _ in some)
            for number, points in some:
                same = places[number].same
                if same not in seen and not places[number].is_question:
                    seen.add(same)
                    yield number, same, points

    def _ranked(
        self, numbers: Set[int], asked: _Asked, enough: float = 0.0
    ) -> list[tuple[int, float]]:
        """Those of these paragraphs and their neighbours whose scores reach `enough`, best first;
        perhaps others behind them."""
        places = self._paragraphs.places(numbers)
        near = {n for place in places.values() for n in place.above + place.below if n is not None}
        places |= self._paragraphs.places(near - numbers)
        totals = [
            (number, total)
            for number, place in places.items()
            if asked.bound(number, place) >= enough and (total := asked.total(number, place))
        ]
        return sorted(totals, key=itemgetter(1, 0), reverse=True)

    def _original(self, number: int, same: int, own: Mapping[Any, float]) -> int:
        """The paragraph to show for the text `same`; its best-scoring paragraph is `number`.

        A text that matches the query only through its neighbour, such as `Yes.`, means something
        else elsewhere, so `number` itself is shown.
        """
        if number not in own:
            return number
        twins = self._paragraphs.with_text(same)
        return max(twins, key=lambda twin: round(own.get(twin, 0.0), _DECIMALS))


@dataclass(frozen=True)
class _Asked:
    """A query: for each of its terms the weight and the paragraphs that have it, the sum of weights
    of each paragraph, and the paragraphs that are the query itself."""

    terms: Sequence[tuple[float, Set[int]]]
    own: Mapping[Any, float]
    echoes: Set[int | None]

    def essential(self, enough: float) -> Set[int]:
        """The paragraphs with the heaviest terms. Without any of these nearby, a paragraph cannot
        reach `enough`: all other terms together weigh less (Turtle and Flood 1995, "Query
        evaluation: strategies and optimizations"). Rare terms are heavy, so these are few."""
        numbers: set[int] = set()
        left = sum(weight for weight, _ in self.terms)
        for weight, having in sorted(self.terms, key=itemgetter(0), reverse=True):
            if left < enough:
                break
            numbers |= having
            left -= weight
        return numbers

    def bound(self, number: int, place: Place) -> float:
        """At least the total of a paragraph, and quickly known."""
        near = self.own.get
        most = near(number, 0.0)
        for share, above, below in zip(SHARES[1:], place.above, place.below, strict=True):
            most += share * (near(above, 0.0) + near(below, 0.0))
        return most

    def total(self, number: int, place: Place) -> float:
        below = (None if neighbour in self.echoes else neighbour for neighbour in place.below)
        steps = ((number, number), *zip(place.above, below, strict=True))
        total = 0.0
        for weight, having in self.terms:
            for share, (above, below_it) in zip(SHARES, steps, strict=True):
                if above in having or below_it in having:
                    total += weight * share
                    break
        return round(total * ASKING if place.asks else total, _DECIMALS)
