"""Recall's cache between two starts: a database that can be deleted at any time.

It holds nothing that is not in the files, and records how far each file was read. A process that
dies leaves the state of its last commit. A database of another version is refused.
"""

import sqlite3
import sys
import unicodedata
import weakref
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from g2c import text
from g2c.files import read_bytes
from g2c.memory.core import (
    heads,
    paragraphs,
    scripts,
    stored_index,
    stored_paragraphs,
    terms,
    topics,
)
from g2c.memory.core.stored_index import StoredIndex
from g2c.memory.core.stored_paragraphs import StoredParagraphs, file_of, name_in

_SCHEMA = (
    *stored_index.SCHEMA,
    *stored_paragraphs.SCHEMA,
    "CREATE TABLE read (name BLOB PRIMARY KEY, stamp TEXT NOT NULL, bytes INTEGER NOT NULL,"
    " lines INTEGER NOT NULL, checksum INTEGER NOT NULL)",
)


class Reading(NamedTuple):
    """How far a file was read, and what it was then.

    `stamp` is `g2c.files.stamp_of`. `bytes` were read; they have this `checksum`
    and so many whole `lines`.
    """

    stamp: str
    bytes: int = 0
    lines: int = 0
    checksum: int = 0


class RecallCache:
    """An index and its paragraphs in the SQLite database `file`; without one, in memory.

    Raises:
        sqlite3.Error: the file is torn, of another version, or cannot be written.
    """

    def __init__(self, file: Path | None = None, root: Path = Path()) -> None:
        self._root = root
        # Recall lets in one thread at a time.
        self.database = sqlite3.connect(
            file or ":memory:", isolation_level=None, check_same_thread=False
        )
        self._close = weakref.finalize(self, self.database.close)
        try:
            self._prepare()
            self.index = StoredIndex(self.database)
        except BaseException:
            self.close()
            raise
        self.paragraphs = StoredParagraphs(self.database, root)

    def close(self) -> None:
        """Close the database. It is not used afterwards."""
        self._close()

    def _prepare(self) -> None:
        execute = self.database.execute
        # A commit does not wait for the disk: after a power cut the newest turns are read again.
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = NORMAL")
        execute("PRAGMA secure_delete = ON")  # text deleted from the files is gone here, too
        version = execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                execute(statement)
            execute(f"PRAGMA user_version = {_version()}")
            execute("COMMIT")
        elif version != _version():
            raise sqlite3.DatabaseError("The cache is of another version.")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside the `with` are kept, or none."""
        self.database.execute("BEGIN")
        try:
            self.index.reload()  # another process may have written
            yield
            self.index.flush()
            self.database.execute("COMMIT")
        except BaseException:
            if self.database.in_transaction:
                self.database.execute("ROLLBACK")
            self.index.reload()
            raise

    def commit(self) -> None:
        """Keep what was done so far in a transaction, and go on."""
        self.index.flush()
        self.database.execute("COMMIT")
        self.database.execute("BEGIN")

    def readings(self) -> dict[Path, Reading]:
        """How far each file was read."""
        rows = self.database.execute("SELECT name, stamp, bytes, lines, checksum FROM read")
        return {file_of(self._root, name): Reading(*reading) for name, *reading in rows}

    def note(self, file: Path, reading: Reading | None) -> None:
        """Note how far `file` was read; None forgets it."""
        name = name_in(self._root, file)
        if reading is None:
            self.database.execute("DELETE FROM read WHERE name = ?", [name])
        else:
            self.database.execute("REPLACE INTO read VALUES (?, ?, ?, ?, ?)", (name, *reading))


def checksum_of(file: BinaryIO, size: int) -> int:
    """The checksum of the next `size` bytes of `file`, or of those that there are."""
    checksum = 0
    while size > 0 and (block := file.read(min(size, 1 << 20))):
        checksum = zlib.crc32(block, checksum)
        size -= len(block)
    return checksum


def _version() -> int:
    """A number that changes with the code that decides what is stored."""
    parts = (text, scripts, terms, heads, topics, paragraphs, stored_index, stored_paragraphs)
    files = [__file__, *(str(part.__file__) for part in parts)]
    code = b"".join(read_bytes(file) for file in files)
    machine = f"{unicodedata.unidata_version} {sys.byteorder}".encode()
    return zlib.crc32(code + machine) & 0x7FFF_FFFF or 1
