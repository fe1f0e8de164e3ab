"""Paragraphs that your `score` can search, kept in step with the files that they came from.

An answer often stands beside the words of its question: `Where did you go?` has the words, and `To
Bergen, by train` is the answer. So a paragraph gets a share of its neighbour's score. The files are
the memory, and the corpus follows them. A transcript only grows, so reading continues where it
stopped. A topic is replaced as a whole, so it is read again.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path

from g2c.memory.assembled.layers import TranscriptLog
from g2c.memory.provided.paragraphs import Paragraph, topic_paragraphs, turn_paragraphs
from g2c.memory.provided.terms import InvertedIndex
from g2c.memory.provided.topics import Topics
from g2c.memory.provided.transcripts import turn_of
from g2c.memory.provided.types import MemoryStoreError, Topic
from g2c.memory.scoring import score

NEIGHBOURS_SHARE = 0.5


class Corpus:
    """Paragraphs in the order in which they were added: within a file, from its top down."""

    def __init__(self) -> None:
        self._index = InvertedIndex()
        self._paragraphs: dict[int, Paragraph] = {}
        self._numbers: dict[Path, list[int]] = {}

    def __len__(self) -> int:
        return len(self._paragraphs)

    def add(self, paragraphs: Iterable[Paragraph]) -> None:
        """Add paragraphs, each after those of its file that are there."""
        for paragraph in paragraphs:
            number = self._index.add(paragraph.searched)
            self._paragraphs[number] = paragraph
            self._numbers.setdefault(paragraph.file, []).append(number)

    def remove(self, file: Path) -> None:
        """Remove all paragraphs of `file`, if there are any."""
        for number in self._numbers.pop(file, ()):
            self._index.remove(number, self._paragraphs.pop(number).searched)

    def search(self, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        """The `limit` best paragraphs with their scores, best first; of equal scores, newest first.

        A paragraph's score is its own (`g2c.memory.scoring.score`) plus half of its better
        neighbour's. Its neighbours are the paragraphs before and after it in its file. So a
        paragraph without a word of the query can be found, too.
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


class FollowedFiles:
    """A `corpus` of the paragraphs of `topics` and, if given, of `transcripts`."""

    def __init__(self, topics: Topics, transcripts: TranscriptLog | None = None) -> None:
        self.corpus = Corpus()
        self._topics = topics
        self._transcripts = transcripts
        self._stamps: dict[Path, tuple[int, int, int]] = {}
        """Inode, time in ns and size in bytes of each topic's file when it was read."""
        self._places: dict[Path, tuple[int, int]] = {}
        """How far each transcript was read, in bytes and in lines."""

    def catch_up(self) -> None:
        """Read what has changed since the last call; the first call reads everything."""
        if self._transcripts:
            days = [file for _, file in reversed(self._transcripts.days())]
            for file in self._places.keys() - set(days):
                self.corpus.remove(file)
                del self._places[file]
            for file in days:
                self._read_on(file)
        self._reread_topics()

    def _read_on(self, file: Path) -> None:
        place, above = self._places.get(file, (0, 0))
        size = file.stat().st_size
        if size < place:  # somebody has edited it
            self.corpus.remove(file)
            place = above = 0
        if size == place:
            return
        try:
            with file.open("rb") as lines:
                lines.seek(place)
                for line in lines:
                    if not line.endswith(b"\n"):  # torn, or still being written
                        break
                    if line != b"\n" and (turn := turn_of(line)):
                        self.corpus.add(turn_paragraphs(turn, file, above + 1))
                    place += len(line)
                    above += 1
        finally:  # also if a person interrupts a long first reading
            self._places[file] = place, above

    def _reread_topics(self) -> None:
        stamps = self._stamps_of_topics()
        for file in self._stamps.keys() - stamps.keys():
            self.corpus.remove(file)
        changed = [file for file in stamps if stamps[file] != self._stamps.get(file)]
        read = [(file, *found) for file in changed if (found := self._read_topic(file))]
        # Oldest first: of equal scores, the paragraph that was added last wins.
        for file, topic, text in sorted(read, key=lambda item: item[1].updated):
            self.corpus.remove(file)
            self.corpus.add(topic_paragraphs(topic, file, text))
        self._stamps = stamps

    def _stamps_of_topics(self) -> dict[Path, tuple[int, int, int]]:
        stamps = {}
        for file in self._topics.folder.glob("*.md"):
            if self._topics.path_of(file.stem).name == file.name:
                try:
                    stat = file.stat()
                except FileNotFoundError:  # deleted since it was listed
                    continue
                stamps[file] = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        return stamps

    def _read_topic(self, file: Path) -> tuple[Topic, str] | None:
        try:
            topic = self._topics.read(file.stem)
            return topic, file.read_text(encoding="utf-8-sig", errors="backslashreplace")
        except (FileNotFoundError, MemoryStoreError):  # deleted since it was listed
            return None
