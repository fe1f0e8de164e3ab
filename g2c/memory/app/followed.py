"""A corpus that keeps up with its files, stored in a database where possible.

The files are the memory. A transcript only grows, so reading continues where it stopped, if a
checksum shows that the part read before is unchanged. A topic is replaced as a whole, so it is read
again. One process at a time uses the database, and a damaged one is made anew.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

from g2c.files import locked, open_file, stamp_of
from g2c.memory.app.corpus import Corpus
from g2c.memory.app.layers import TranscriptLog
from g2c.memory.core.paragraphs import Paragraph, topic_paragraphs, turn_paragraphs
from g2c.memory.core.recall_cache import Reading, RecallCache, checksum_of
from g2c.memory.core.topics import Topics, read_topic, shown_text
from g2c.memory.core.transcripts import turn_of
from g2c.memory.core.types import Topic

WAITING = 20_000
"""Paragraphs of a long past that are read in one transaction; after an interruption, reading goes
on from there."""

_TORN = (sqlite3.Error, LookupError, TypeError, ValueError)
"""The exceptions that a damaged database can raise."""


class Search:
    """A search in the files of `topics` and, if given, of `transcripts`.

    The index is stored in `file`; if that cannot be written, in memory.
    """

    def __init__(
        self, topics: Topics, transcripts: TranscriptLog | None, file: Path | None
    ) -> None:
        self._topics = topics
        self._transcripts = transcripts
        self._file = file
        self._files: FollowedFiles | None = None
        self._inode = 0

    def __call__(self, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        """The `limit` best paragraphs of the files as they are now; see `Corpus.search`."""
        if self._file and self._topics.folder.parent.is_dir():
            try:
                with locked(self._file.with_name("lock")):
                    return self._search_on_disk(self._file, query, limit)
            except (OSError, sqlite3.Error):
                self._file = self._files = None  # it may be a folder that cannot be written
        if self._files is None:
            self._files = self._open(None)
        return self._files.search(query, limit)

    def _search_on_disk(self, file: Path, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        try:
            return self._files_in(file).search(query, limit)
        except _TORN:
            self._close()
        for suffix in ("", "-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
        return self._files_in(file).search(query, limit)

    def _files_in(self, file: Path) -> FollowedFiles:
        """The files with their database, opened again if it was deleted or replaced."""
        inode = file.stat().st_ino if file.exists() else 0
        if self._files is None or inode != self._inode:
            self._close()
            self._files = self._open(file)
            self._inode = file.stat().st_ino
        return self._files

    def _open(self, file: Path | None) -> FollowedFiles:
        cache = RecallCache(file, self._topics.folder.parent)
        return FollowedFiles(self._topics, self._transcripts, cache)

    def _close(self) -> None:
        if self._files:
            self._files.cache.close()
        self._files = None


class FollowedFiles:
    """The paragraphs of `topics` and, if given, of `transcripts`, in `cache`."""

    def __init__(
        self, topics: Topics, transcripts: TranscriptLog | None, cache: RecallCache
    ) -> None:
        self.cache = cache
        self._corpus = Corpus(cache)
        self._topics = topics
        self._transcripts = transcripts

    def search(self, query: str, limit: int) -> list[tuple[Paragraph, float]]:
        """Read what has changed since the last call of any process, and search."""
        with self.cache.transaction():
            known = self.cache.readings()
            days = self._days()
            stamps = self._stamps_of_topics()
            for file in known.keys() - stamps.keys() - set(days):
                self._forget(file)
            for file in days:
                with suppress(OSError):  # deleted since it was listed, or unreadable
                    self._read_on(file, known.get(file))
            self._reread_topics(stamps, known)
            return self._corpus.search(query, limit)

    def _days(self) -> list[Path]:
        if self._transcripts is None:
            return []
        return [file for _, file in reversed(self._transcripts.days())]

    def _forget(self, file: Path) -> None:
        self._corpus.remove(file)
        self.cache.note(file, None)

    def _read_on(self, file: Path, known: Reading | None) -> None:
        stamp = stamp_of(file.stat())
        if known and known.stamp == stamp:
            return
        read = known or Reading("")
        with open_file(file, "rb") as lines:
            stamp = stamp_of(os.fstat(lines.fileno()))
            if checksum_of(lines, read.bytes) != read.checksum:  # somebody has edited it
                self._forget(file)
                read = Reading("")
            _, place, above, checksum = read
            lines.seek(place)
            for line in lines:
                if not line.endswith(b"\n"):  # torn, or still being written
                    break
                if line != b"\n" and (turn := turn_of(line)):
                    self._corpus.add(turn_paragraphs(turn, file, above + 1))
                checksum = zlib.crc32(line, checksum)
                place += len(line)
                above += 1
                if self.cache.index.waiting >= WAITING:
                    self.cache.note(file, Reading("unfinished", place, above, checksum))
                    self.cache.commit()
        self.cache.note(file, Reading(stamp, place, above, checksum))

    def _reread_topics(self, stamps: dict[Path, str], known: dict[Path, Reading]) -> None:
        changed = [file for file in stamps if Reading(stamps[file]) != known.get(file)]
        read = [(file, *found) for file in changed if (found := _topic_in(file))]
        # Oldest first: of equal scores, the paragraph that was added last wins.
        for file, topic, text in sorted(read, key=lambda item: item[1].updated):
            self._corpus.remove(file)
            self._corpus.add(topic_paragraphs(topic, file, text))
            self.cache.note(file, Reading(stamps[file]))

    def _stamps_of_topics(self) -> dict[Path, str]:
        stamps = {}
        for file in self._topics.files().values():
            with suppress(OSError):  # deleted since it was listed, or unreadable
                stamps[file] = stamp_of(file.stat())
        return stamps


def _topic_in(file: Path) -> tuple[Topic, str] | None:
    try:
        return read_topic(file), shown_text(file)
    except OSError:  # deleted since it was listed, or unreadable: `Topics.faults` tells of it
        return None
