"""Paragraphs that your `score` can search.

An answer often stands beside the words of its question: `Where did you go?` has the words, and `To
Bergen, by train` is the answer. So a paragraph gets a share of its neighbour's score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from operator import itemgetter
from pathlib import Path

from g2c.memory.provided.paragraphs import Paragraph
from g2c.memory.provided.recall_cache import RecallCache
from g2c.memory.scoring import score

NEIGHBOURS_SHARE = 0.5
_ROUNDING = 1e-9
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
        """Add paragraphs, each after those of its file that are there."""
        for paragraph in paragraphs:
            self._paragraphs.put(self._index.add(paragraph.searched), paragraph)

    def remove(self, file: Path) -> None:
        """Remove all paragraphs of `file`, if there are any."""
        for number in self._paragraphs.of_file(file):
            self._index.remove(number, self._paragraphs.read(number).searched)
        self._paragraphs.remove(file)

    def search(self, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        """The `limit` best texts with their scores, best first; of equal scores, newest first.

        A paragraph's score is its own (`g2c.memory.scoring.score`) plus half of its better
        neighbour's. Its neighbours are the paragraphs before and after it in its file. So a
        paragraph without a word of the query can be found, too. Of paragraphs with the same text
        there is one: the best by its own score, and of equals the original, which is the first that
        the agent did not say itself.
        """
        ranked = score(query, self._index)
        own = dict(ranked)
        enough = next(islice(self._different(ranked), limit - 1, None), (0, 0, 0.0))[2] - _ROUNDING
        total = self._totals(ranked, own, enough)
        best = sorted(total.items(), key=itemgetter(1, 0), reverse=True)
        return [
            (self._paragraphs.read(self._original(number, same, own)), points)
            for number, same, points in islice(self._different(best), limit)
        ]

    def _different(self, ranked: Sequence[tuple[int, float]]) -> Iterator[tuple[int, int, float]]:
        """The first paragraph of each text in `ranked` that is no question: its number, the digest
        of its text, and its score."""
        seen: set[int] = set()
        for start in range(0, len(ranked), _AT_ONCE):
            some = ranked[start : start + _AT_ONCE]
            places = self._paragraphs.places(number for number, _ in some)
            for number, points in some:
                same = places[number].same
                if same not in seen and not places[number].is_question:
                    seen.add(same)
                    yield number, same, points

    def _totals(
        self, ranked: Sequence[tuple[int, float]], own: dict[int, float], enough: float
    ) -> dict[int, float]:
        """The score with the neighbour's share of each paragraph where it is `enough` or more.

        It is less wherever both a paragraph's own score and its neighbours' are below
        `enough / (1 + NEIGHBOURS_SHARE)`. So only paragraphs above that, and those beside them, are
        looked at: a few hundred of many thousand.
        """
        least = enough / (1 + NEIGHBOURS_SHARE)
        high = takewhile(lambda pair: pair[1] >= least, ranked)
        total: dict[int, float] = {}
        for number, place in self._paragraphs.places(number for number, _ in high).items():
            points = own[number]
            total[number] = max(points, total.get(number, 0.0))
            for beside in place.beside:
                others = own.get(beside, 0.0)
                total[number] = max(points + NEIGHBOURS_SHARE * others, total[number])
                shared = others + NEIGHBOURS_SHARE * points
                total[beside] = max(shared, total.get(beside, 0.0))
        return {number: points for number, points in total.items() if points >= enough}

    def _original(self, number: int, same: int, own: dict[int, float]) -> int:
        """The paragraph to show for the text `same`, of which `number` scored best.

        A text that meets the query only through its neighbour, such as `Yes.`, means something else
        elsewhere, so it stays where it was found.
        """
        if number not in own:
            return number
        return max(self._paragraphs.with_text(same), key=lambda one: own.get(one, 0.0))
