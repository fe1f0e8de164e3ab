"""Paragraphs that can be searched, and go on growing.

The idea to take away: what answers a question often stands beside what repeats its words. `Where
did you go?` has the words, and `To Bergen, by train` the answer; so a paragraph shares in what its
neighbour scored.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path

from g2c.memory.paragraphs import Paragraph
from g2c.memory.scoring import InvertedIndex, score

NEIGHBOURS_SHARE = 0.5


class Corpus:
    """Paragraphs in the order in which they were added, which within a file is the file's."""

    def __init__(self) -> None:
        self._index = InvertedIndex()
        self._paragraphs: dict[int, Paragraph] = {}
        self._numbers: dict[Path, list[int]] = {}

    def __len__(self) -> int:
        return len(self._paragraphs)

    def add(self, paragraphs: Iterable[Paragraph]) -> None:
        """Add paragraphs; each follows the one that was last added of its file."""
        for paragraph in paragraphs:
            number = self._index.add(paragraph.searched)
            self._paragraphs[number] = paragraph
            self._numbers.setdefault(paragraph.file, []).append(number)

    def remove(self, file: Path) -> None:
        """Remove all paragraphs of `file`, if there are any."""
        for number in self._numbers.pop(file, ()):
            self._index.remove(number, self._paragraphs.pop(number).searched)

    def search(self, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        """The `limit` best paragraphs and their scores, best first, of equal ones the newest first.

        A paragraph's score is its own (`g2c.memory.scoring.score`) and half of that of the better
        one of its neighbours, which stand before and after it in its file. One that has nothing of
        its own to show can be found by its neighbour's.
        """
        own = dict(score(query, self._index))
        near: dict[int, float] = {}
        for number, points in own.items():
            for neighbour in self._neighbours(number):
                near[neighbour] = max(points, near.get(neighbour, 0.0))
        total = {
            number: own.get(number, 0.0) + NEIGHBOURS_SHARE * near.get(number, 0.0)
            for number in own.keys() | near.keys()
            if not self._paragraphs[number].is_question
        }
        best = heapq.nlargest(limit, total.items(), key=lambda item: (item[1], item[0]))
        return [(self._paragraphs[number], points) for number, points in best]

    def _neighbours(self, number: int) -> Iterator[int]:
        numbers = self._numbers[self._paragraphs[number].file]
        place = bisect_left(numbers, number)
        yield from numbers[max(place - 1, 0) : place]
        yield from numbers[place + 1 : place + 2]
