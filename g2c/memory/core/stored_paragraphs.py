"""The paragraphs behind an index's numbers, in a database: their places and their texts."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from g2c.memory.core import questions
from g2c.memory.core.paragraphs import Paragraph, one_line
from g2c.text import fold

SCHEMA = (
    "CREATE TABLE files (id INTEGER PRIMARY KEY, name BLOB UNIQUE NOT NULL)",
    "CREATE TABLE places (number INTEGER PRIMARY KEY, file INTEGER NOT NULL,"
    " above INTEGER, above2 INTEGER, above3 INTEGER,"
    " below INTEGER, below2 INTEGER, below3 INTEGER, asks INTEGER NOT NULL,"
    " is_question INTEGER NOT NULL, is_answer INTEGER NOT NULL, same INTEGER NOT NULL)",
    "CREATE INDEX places_in_file ON places (file)",
    "CREATE INDEX places_of_text ON places (same)",
    # A table apart from the places: a question reads many places, which then fit into few pages.
    "CREATE TABLE texts (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, text BLOB NOT NULL,"
    " context BLOB NOT NULL, sources TEXT NOT NULL)",
)
_AT_ONCE = 500
"""Numbers in one query."""


class Place(NamedTuple):
    """A paragraph without its text: the numbers of its three neighbours above and below in its
    file, the next one first, None for those that do not exist; and a digest. Texts that differ only
    in case and spaces share the digest."""

    above: tuple[int | None, ...]
    below: tuple[int | None, ...]
    asks: int
    is_question: int
    same: int


class StoredParagraphs:
    """Paragraphs in `database`, which has the tables of `SCHEMA`. File names are relative to
    `root`, so that the folder can be moved."""

    def __init__(self, database: sqlite3.Connection, root: Path) -> None:
        self._database = database
        self._root = root

    def put(self, number: int, paragraph: Paragraph) -> None:
        """Add a paragraph below those of its file. `number` is higher than theirs."""
        file = self._file(paragraph.file)
        above: list[int | None] = [
            self._ask("SELECT max(number) FROM places WHERE file = ?", file)[0][0],
            None,
            None,
        ]
        if above[0] is not None:
            [above[1:]] = self._ask("SELECT above, above2 FROM places WHERE number = ?", above[0])
        for column, other in zip(("below", "below2", "below3"), above, strict=True):
            self._database.execute(
                f"UPDATE places SET {column} = ? WHERE number = ?", (number, other)
            )
        flags = questions.is_question(paragraph.text), paragraph.is_question, paragraph.is_answer
        place = (number, file, *above, None, None, None, *flags, digest_of(paragraph.text))
        marks = ", ".join("?" * len(place))
        self._database.execute(f"INSERT INTO places VALUES ({marks})", place)
        texts = (_bytes(paragraph.text), _bytes(paragraph.context), json.dumps(paragraph.sources))
        self._database.execute(
            "INSERT INTO texts VALUES (?, ?, ?, ?, ?)", (number, paragraph.line, *texts)
        )

    def places(self, numbers: Iterable[int]) -> dict[int, Place]:
        """The places of paragraphs, by their numbers."""
        wanted, found = list(numbers), {}
        for start in range(0, len(wanted), _AT_ONCE):
            listed = ",".join(map(str, wanted[start : start + _AT_ONCE]))
            for number, *near, asks, is_question, same in self._database.execute(
                "SELECT number, above, above2, above3, below, below2, below3, asks, is_question,"
                f" same FROM places WHERE number IN ({listed})"
            ):
                above, below = tuple(near[:3]), tuple(near[3:])
                found[number] = Place(above, below, asks, is_question, same)
        return found

    def read(self, number: int) -> Paragraph:
        """The paragraph with that number."""
        [(name, is_question, is_answer, line, text, context, sources)] = self._ask(
            "SELECT name, is_question, is_answer, line, text, context, sources"
            " FROM places JOIN files ON id = file JOIN texts USING (number) WHERE number = ?",
            number,
        )
        return Paragraph(
            text=_text(text),
            file=file_of(self._root, name),
            line=line,
            context=_text(context),
            is_question=bool(is_question),
            is_answer=bool(is_answer),
            sources=tuple(json.loads(sources)),
        )

    def with_text(self, same: int) -> list[int]:
        """The paragraphs with this text that are not questions, in the order in which they were
        added, but with the agent's answers last."""
        rows = self._ask(
            "SELECT number FROM places WHERE same = ? AND NOT is_question"
            " ORDER BY is_answer, number",
            same,
        )
        return [number for (number,) in rows]

    def questions(self, same: int) -> set[int | None]:
        """The questions of one text."""
        rows = self._ask("SELECT number FROM places WHERE same = ? AND is_question", same)
        return {number for (number,) in rows}

    def of_file(self, file: Path) -> list[int]:
        """The paragraphs of a file, from its top down."""
        id = self._file(file)
        rows = self._ask("SELECT number FROM places WHERE file = ? ORDER BY number", id)
        return [number for (number,) in rows]

    def remove(self, file: Path) -> None:
        """Remove all paragraphs of `file`."""
        id = self._file(file)
        self._database.execute(
            "DELETE FROM texts WHERE number IN (SELECT number FROM places WHERE file = ?)", [id]
        )
        self._database.execute("DELETE FROM places WHERE file = ?", [id])

    def _file(self, file: Path) -> int:
        name = name_in(self._root, file)
        if found := self._ask("SELECT id FROM files WHERE name = ?", name):
            return int(found[0][0])
        self._database.execute("INSERT INTO files (name) VALUES (?)", [name])
        return self._file(file)

    def _ask(self, query: str, argument: bytes | int) -> list[tuple[Any, ...]]:
        return self._database.execute(query, [argument]).fetchall()


def name_in(root: Path, file: Path) -> bytes:
    """The name under which `file` is stored: relative to `root`, if it is inside. It is bytes, as
    SQLite's texts cannot hold a name that is not UTF-8."""
    return os.fsencode((file.relative_to(root) if file.is_relative_to(root) else file).as_posix())


def file_of(root: Path, name: bytes) -> Path:
    """The file that is stored under `name`."""
    return root / os.fsdecode(name)


def digest_of(text: str) -> int:
    """A number that only equal texts share; case and white space do not count."""
    words = _bytes(fold(one_line(text)))
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "big", signed=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")  # which SQLite's own texts cannot hold


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")
