"""Paragraphs that your `score` can search.

An answer often stands beside the words of its question: `Where did you go?` has the words, and `To
Bergen, by train` is the answer. So a paragraph gets a share of its neighbour's score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from g2c.memory.provided.paragraphs import Paragraph
from g2c.memory.provided.recall_cache import RecallCache
from g2c.memory.provided.stored_paragraphs import Place
from g2c.memory.scoring import score

NEIGHBOURS_SHARE = 0.5
_ROUNDING = 1e-9


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
        places = self._candidates(ranked, limit)
        total = {
            number: own.get(number, 0.0)
            + NEIGHBOURS_SHARE * max((own.get(beside, 0.0) for beside in place.beside), default=0.0)
            for number, place in places.items()
            if not place.is_question
        }
        best: dict[int, tuple[int, float]] = {}
        for number in sorted(total, key=lambda number: (total[number], number), reverse=True):
            best.setdefault(places[number].same, (number, total[number]))
            if len(best) == limit:
                break
        return [
            (self._paragraphs.read(self._original(number, same, own)), points)
            for same, (number, points) in best.items()
        ]

    def _candidates(self, ranked: Sequence[tuple[int, float]], limit: int) -> dict[int, Place]:
        """All paragraphs that can be among the `limit` best.

        There are `limit` texts whose own score is at least the `limit`-th. A paragraph with both
        its own score and its neighbours' below `least` cannot reach that.
        """
        least = self._score_of_last(ranked, limit) / (1 + NEIGHBOURS_SHARE) - _ROUNDING
        places = self._paragraphs.places(number for number, points in ranked if points >= least)
        beside = {number for place in places.values() for number in place.beside}
        return places | self._paragraphs.places(beside - places.keys())

    def _score_of_last(self, ranked: Sequence[tuple[int, float]], limit: int) -> float:
        """The score of the `limit`-th different text of `ranked`; 0 if there are fewer."""
        found: set[int] = set()
        for start in range(0, len(ranked), 2 * limit):
            some = ranked[start : start + 2 * limit]
            places = self._paragraphs.places(number for number, _ in some)
            for number, points in some:
                if not places[number].is_question:
                    found.add(places[number].same)
                if len(found) == limit:
                    return points
        return 0.0

    def _original(self, number: int, same: int, own: dict[int, float]) -> int:
        """The paragraph to show for the text `same`, of which `number` scored best.

        A text that meets the query only through its neighbour, such as `Yes.`, means something else
        elsewhere, so it stays where it was found.
        """
        if number not in own:
            return number
        return max(self._paragraphs.with_text(same), key=lambda one: own.get(one, 0.0))
