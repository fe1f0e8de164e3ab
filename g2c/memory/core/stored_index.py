"""An inverted index that lives in a database, so that a start reads only what a question needs.

A term's numbers are stored as rows of packed integers. A question about four words reads a few rows
of four terms, however large the index is.
"""

from __future__ import annotations

import sqlite3
from array import array

from g2c.memory.core.terms import InvertedIndex, indexed_terms

SCHEMA = (
    "CREATE TABLE counts (added INTEGER NOT NULL, removed INTEGER NOT NULL)",
    "INSERT INTO counts VALUES (0, 0)",
    "CREATE TABLE postings (term TEXT, first INTEGER, numbers BLOB NOT NULL,"
    " PRIMARY KEY (term, first)) WITHOUT ROWID",
)
ROW_BYTES = 2_048
"""A row of this length is full, and the next number begins a new one."""


class StoredIndex(InvertedIndex):
    """An `InvertedIndex` in `database`, which has the tables of `SCHEMA`.

    Added texts wait in memory until `flush`; `waiting` is their number. The caller begins and
    commits transactions.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        super().__init__()
        self._database = database
        self.reload()

    def __repr__(self) -> str:
        return f"<StoredIndex of {len(self)} texts>"

    def reload(self) -> None:
        """Drop the waiting texts, and go on from the database."""
        self._postings = {}
        self._added, self._removed = self._database.execute("SELECT * FROM counts").fetchone()
        self._stored_added = self._added

    def postings(self, term: str) -> list[int]:
        numbers = array("I")
        for (stored,) in self._database.execute(
            "SELECT numbers FROM postings WHERE term = ? ORDER BY first", [term]
        ):
            numbers.frombytes(stored)
        return [*numbers, *self._postings.get(term, ())]

    @property
    def waiting(self) -> int:
        return self._added - self._stored_added

    def remove(self, number: int, text: str) -> None:
        self.flush()
        for term in indexed_terms(text):
            first, numbers = self._database.execute(
                "SELECT first, numbers FROM postings WHERE term = ? AND first <= ?"
                " ORDER BY first DESC LIMIT 1",
                [term, number],
            ).fetchone()
            left = array("I", numbers)
            left.remove(number)
            self._put(term, first, left)
        self._database.execute("UPDATE counts SET removed = removed + 1")
        self._removed += 1

    def flush(self) -> None:
        """Write the waiting texts to the database."""
        for term, new in self._postings.items():
            numbers = array("I", new)
            last = self._database.execute(
                "SELECT first, numbers FROM postings WHERE term = ? ORDER BY first DESC LIMIT 1",
                [term],
            ).fetchone()
            if last and len(last[1]) < ROW_BYTES:
                self._put(term, last[0], array("I", last[1]) + numbers)
            else:
                self._put(term, new[0], numbers)
        self._postings = {}
        if self.waiting:
            self._database.execute("UPDATE counts SET added = ?", [self._added])
            self._stored_added = self._added

    def _put(self, term: str, first: int, numbers: array[int]) -> None:
        if numbers:
            row = (term, first, numbers.tobytes())
            self._database.execute("REPLACE INTO postings VALUES (?, ?, ?)", row)
        else:
            self._database.execute(
                "DELETE FROM postings WHERE term = ? AND first = ?", [term, first]
            )
