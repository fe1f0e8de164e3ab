"""Keeping a corpus in step with the files it was read from.

The idea to take away: the files are the memory, and an index only follows them. A transcript grows
at its end, so what is new in it lies beyond the place that was read last; a topic is replaced as a
whole, so it is read anew. Who wrote, this process or another, makes no difference.
"""

from __future__ import annotations

from pathlib import Path

from g2c.memory.base import MemoryStoreError, Topic
from g2c.memory.corpus import Corpus
from g2c.memory.lines import turn_of
from g2c.memory.paragraphs import topic_paragraphs, turn_paragraphs
from g2c.memory.topics import Topics
from g2c.memory.transcript import TranscriptLog


class FollowedFiles:
    """The paragraphs of `topics` and, where they are given, of `transcripts`, as a `corpus`."""

    def __init__(self, topics: Topics, transcripts: TranscriptLog | None = None) -> None:
        self.corpus = Corpus()
        self._topics = topics
        self._transcripts = transcripts
        self._stamps: dict[Path, tuple[int, int, int]] = {}
        """What told each topic's file from an older one when it was read."""
        self._places: dict[Path, tuple[int, int]] = {}
        """How far each transcript was read: in bytes, and in lines."""

    def catch_up(self) -> None:
        """Read what has changed since the last time; at first, everything."""
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
                    if turn := turn_of(line):
                        self.corpus.add(turn_paragraphs(turn, file, above + 1))
                    place += len(line)
                    above += 1
        finally:  # also where a person interrupts a long first reading
            self._places[file] = place, above

    def _reread_topics(self) -> None:
        stamps = self._stamps_of_topics()
        for file in self._stamps.keys() - stamps.keys():
            self.corpus.remove(file)
        changed = [file for file in stamps if stamps[file] != self._stamps.get(file)]
        read = [(file, *found) for file in changed if (found := self._read_topic(file))]
        # The oldest first, since of equal scores what was added last wins.
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
