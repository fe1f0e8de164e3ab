"""How long recall takes at 1k, 10k and 100k paragraphs, beside SQLite's full-text search."""

from __future__ import annotations

import argparse
import itertools
import os
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.memory.assembled.layers import TranscriptLog
from g2c.memory.assembled.recall import CANDIDATES, Recall
from g2c.memory.provided.terms import extract_terms
from g2c.memory.provided.topics import Topics
from g2c.memory.provided.transcripts import line_of
from g2c.memory.provided.types import Turn

SIZES = (1_000, 10_000, 100_000)
TURNS_A_DAY = 1_000
WORDS_A_TURN = 25
START = datetime(2026, 1, 1, tzinfo=UTC)

Ask = Callable[[str], object]
Add = Callable[[str], object]


def make_words(chance: random.Random, count: int = 20_000) -> list[str]:
    """Words, no two of which are forms of one: none has an ending that is taken off."""
    return ["".join(chance.choices("bcfhjkmopqruvwxz", k=8)) for _ in range(count)]


def make_texts(chance: random.Random) -> Iterator[str]:
    """Texts whose words are as unlike in frequency as those of a language, less its stop words."""
    words = make_words(chance)
    totals = list(itertools.accumulate(1 / (rank + 30) for rank in range(len(words))))
    while True:
        yield " ".join(chance.choices(words, cum_weights=totals, k=WORDS_A_TURN))


def g2c_recall(folder: Path, texts: Sequence[str]) -> tuple[Ask, Add]:
    log = TranscriptLog(folder / "transcripts")
    log.folder.mkdir()

    def add(text: str, number: int = len(texts)) -> None:
        ts = START + timedelta(days=number // TURNS_A_DAY)
        with log.path_of(ts.date()).open("ab") as file:
            file.write(line_of(Turn(ts, "benchmark", "user", text)))

    for number, text in enumerate(texts):
        add(text, number)
    return Recall(Topics(folder / "topics"), log), add


def sqlite_fts(folder: Path, texts: Sequence[str]) -> tuple[Ask, Add]:
    database = sqlite3.connect(folder / "fts.db")

    def add(text: str) -> None:
        database.execute("INSERT INTO turns VALUES (?)", [text])
        database.commit()

    def ask(question: str) -> object:
        match = " OR ".join(extract_terms(question))
        query = "SELECT rowid, text FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?"
        return database.execute(query, [match, CANDIDATES]).fetchall()

    database.execute("CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='porter')")
    with database:
        database.executemany("INSERT INTO turns VALUES (?)", ([text] for text in texts))
    return ask, add


def milliseconds(function: Callable[[str], object], argument: str) -> float:
    started = time.perf_counter()
    function(argument)
    return (time.perf_counter() - started) * 1000


def measure(
    prepare: Callable[[Path, Sequence[str]], tuple[Ask, Add]],
    texts: Sequence[str],
    questions: Sequence[str],
) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        ask, add = prepare(Path(folder), texts)
        first = milliseconds(ask, questions[0])
        asked = [milliseconds(ask, question) for question in questions]
        after = []
        for question in questions:
            add(question)
            after.append(milliseconds(ask, question))
    return [
        f"{first:.0f}",
        f"{statistics.median(asked):.2f}",
        f"{max(asked):.2f}",
        f"{statistics.median(after):.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100, help="questions each (%(default)s)")
    count = parser.parse_args().questions
    print_heading(
        f"Milliseconds for the {CANDIDATES} best of so many turns, without a model: the first "
        f"question, for which recall reads all files ({TURNS_A_DAY:,} turns each); {count} more; "
        "and as many with a new turn before each. Turns are of "
        f"{WORDS_A_TURN} made words, as unlike in frequency as a language's, and questions of 4 "
        "words of one turn. SQLite's FTS5 (BM25, the same words, on disk) was built beforehand."
    )
    texts = list(itertools.islice(make_texts(random.Random(0)), max(SIZES)))
    rows = []
    for size in SIZES:
        chance = random.Random(size)
        asked_about = chance.choices(texts[:size], k=count)
        questions = [" ".join(chance.sample(text.split(), 4)) for text in asked_about]
        for name, prepare in (("recall", g2c_recall), ("FTS5", sqlite_fts)):
            rows.append([f"{name}, {size:,} turns", *measure(prepare, texts[:size], questions)])
    print_table(["", "first", "then: median", "most", "after a new turn"], rows)


if __name__ == "__main__":
    main()
