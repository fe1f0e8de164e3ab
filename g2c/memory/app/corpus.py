"""Paragraphs that `score` can search.

An answer often stands beside the words of its question: `Where did you go?` has the words, and `To
Bergen, by train` is the answer. So a paragraph gets a share of its neighbours' scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice, takewhile
from operator import itemgetter
from pathlib import Path

from g2c.memory.core.paragraphs import Paragraph
from g2c.memory.core.recall_cache import RecallCache
from g2c.memory.core.scoring import score
from g2c.memory.core.stored_paragraphs import Place, digest_of

SHARE_NEXT, SHARE_TWO_AWAY = 0.6, 0.4
"""The shares that a paragraph gets of its neighbours' scores: of the better one next to it, and of
the better one two away."""
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

        A paragraph's score is its own (`g2c.memory.scoring.score`), 0.6 of the better score next to
        it in its file, and 0.4 of the better one two away. So a paragraph without a word of the
        query can be found, too. A paragraph that is `query` itself, such as the question just
        asked, gives nothing to the paragraphs above it. If several paragraphs have the same text,
        only one is returned: the one with the best score of its own or, among equals, the original,
        which is the first that the agent did not say itself.
        """
        echoes = self._paragraphs.questions(digest_of(query))
        ranked = score(query, self._index)
        own: dict[int | None, float] = dict(ranked)
        best, enough = ranked, 0.0
        for some in (ranked[: 4 * limit], ranked):  # the first few tell how much is enough
            last = next(islice(self._different(best), limit - 1, None), None)
            enough = max(enough, last[2] - _ROUNDING if last else 0.0)
            totals = self._totals(some, own, enough, echoes).items()
            best = sorted(totals, key=itemgetter(1, 0), reverse=True)
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

    def _totals(
        self,
        ranked: Sequence[tuple[int, float]],
        own: Mapping[int | None, float],
        enough: float,
        echoes: Set[int | None],
    ) -> dict[int, float]:
        """The total score, neighbours' shares included, of each paragraph that reaches `enough`.

        A paragraph cannot reach it if its own score and its neighbours' are all below `least`. So
        only paragraphs above `least` are looked at, and their neighbours that can reach `enough`: a
        few hundred of many thousand.
        """
        least = enough / (1 + SHARE_NEXT + SHARE_TWO_AWAY)
        high = takewhile(lambda pair: pair[1] >= least, ranked)
        places = self._paragraphs.places(number for number, _ in high)
        next_to: dict[int | None, float] = {}
        two_away: dict[int | None, float] = {}
        for number, place in places.items():
            points = own[number]
            for neighbour in (place.above, place.below):
                next_to[neighbour] = max(points, next_to.get(neighbour, least))
            for neighbour in (place.above2, place.below2):
                two_away[neighbour] = max(points, two_away.get(neighbour, least))
        near = [
            key
            for key in next_to.keys() | two_away.keys()
            if key is not None
            and key not in places
            and own.get(key, 0.0)
            + SHARE_NEXT * next_to.get(key, least)
            + SHARE_TWO_AWAY * two_away.get(key, least)
            >= enough
        ]
        places |= self._paragraphs.places(near)
        totals = {number: _total(number, place, own, echoes) for number, place in places.items()}
        least = max(enough, _ROUNDING)
        return {number: total for number, total in totals.items() if total >= least}

    def _original(self, number: int, same: int, own: Mapping[int | None, float]) -> int:
        """The paragraph to show for the text `same`; its best-scoring paragraph is `number`.

        A text that matches the query only through its neighbour, such as `Yes.`, means something
        else elsewhere, so `number` itself is shown.
        """
        if number not in own:
            return number
        return max(self._paragraphs.with_text(same), key=lambda twin: own.get(twin, 0.0))


def _total(
    number: int, place: Place, own: Mapping[int | None, float], echoes: Set[int | None]
) -> float:
    below, below2 = (
        0.0 if neighbour in echoes else own.get(neighbour, 0.0)
        for neighbour in (place.below, place.below2)
    )
    return (
        own.get(number, 0.0)
        + SHARE_NEXT * max(own.get(place.above, 0.0), below)
        + SHARE_TWO_AWAY * max(own.get(place.above2, 0.0), below2)
    )
