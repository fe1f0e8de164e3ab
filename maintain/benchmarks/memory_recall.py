"""How long recall takes at 1k, 10k and 100k paragraphs, compared with SQLite's full-text search."""

import argparse
import itertools
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.memory.app.layers import TranscriptLog
from g2c.memory.app.recall import CANDIDATES, Recall
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import Topics
from g2c.memory.core.transcripts import line_of
from g2c.memory.core.types import Turn

SIZES = (1_000, 10_000, 100_000)
TURNS_A_DAY = 1_000
WORDS_A_TURN = 25
STARTS = 5
START = datetime(2026, 1, 1, tzinfo=UTC)

NEW_PROCESS = """
import os, sys, time
folder, question = sys.argv[1:]
os.environ["G2C_REFERENCE"] = "all"
from pathlib import Path
sys.path.insert(0, os.path.join("maintain", "benchmarks"))
from memory_recall import {open}
started = time.perf_counter()
{open}(Path(folder))(question)
print((time.perf_counter() - started) * 1000)
status = open("/proc/self/status").read() if os.path.exists("/proc/self/status") else ""
print(status.partition("VmHWM:")[2].split()[0] if status else 0)
"""

Ask = Callable[[str], object]
Add = Callable[[str], object]


def make_words(chance: random.Random, count: int = 20_000) -> list[str]:
    """Words of which no two have the same stem: none has an ending that a stemmer removes."""
    return ["".join(chance.choices("bcfhjkmopqruvwxz", k=8)) for _ in range(count)]


def make_texts(chance: random.Random) -> Iterator[str]:
    """Texts whose words are as uneven in frequency as those of a language without stop words."""
    words = make_words(chance)
    totals = list(itertools.accumulate(1 / (rank + 30) for rank in range(len(words))))
    while True:
        yield " ".join(chance.choices(words, cum_weights=totals, k=WORDS_A_TURN))


def open_recall(folder: Path) -> Ask:
    log = TranscriptLog(folder / "transcripts")
    return Recall(Topics(folder / "topics"), log, folder / ".recall-cache" / "all.sqlite")


def open_fts(folder: Path) -> Ask:
    database = sqlite3.connect(folder / "fts.db")

    def ask(question: str) -> object:
        match = " OR ".join(extract_terms(question))
        query = "SELECT rowid, text FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?"
        return database.execute(query, [match, CANDIDATES]).fetchall()

    return ask


def g2c_recall(folder: Path, texts: Sequence[str]) -> tuple[Ask, Add]:
    log = TranscriptLog(folder / "transcripts")
    log.folder.mkdir()

    def add(text: str, number: int = len(texts)) -> None:
        ts = START + timedelta(days=number // TURNS_A_DAY)
        with log.path_of(ts.date()).open("ab") as file:
            file.write(line_of(Turn(ts, "benchmark", "user", text)))

    for number, text in enumerate(texts):
        add(text, number)
    return open_recall(folder), add


def sqlite_fts(folder: Path, texts: Sequence[str]) -> tuple[Ask, Add]:
    database = sqlite3.connect(folder / "fts.db")

    def add(text: str) -> None:
        database.execute("INSERT INTO turns VALUES (?)", [text])
        database.commit()

    database.execute("CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='porter')")
    with database:
        database.executemany("INSERT INTO turns VALUES (?)", ([text] for text in texts))
    return open_fts(folder), add


def in_a_new_process(name: str, folder: Path, question: str) -> tuple[float, int]:
    """Milliseconds for the first question, and the peak memory of the process in KiB."""
    command = [sys.executable, "-c", NEW_PROCESS.format(open=name), str(folder), question]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    taken, peak = done.stdout.split()
    return float(taken), int(peak)


def milliseconds(function: Callable[[str], object], argument: str) -> float:
    started = time.perf_counter()
    function(argument)
    return (time.perf_counter() - started) * 1000


@dataclass
class Times:
    """Milliseconds of one system's questions."""

    first: float
    starts: list[tuple[float, int]]
    asked: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)

    def cells(self) -> list[str]:
        return [
            f"{self.first:.0f}",
            f"{statistics.median(taken for taken, _ in self.starts):.0f}",
            f"{max(peak for _, peak in self.starts) / 1024:.0f}",
            f"{statistics.median(self.asked):.2f}",
            f"{max(self.asked):.2f}",
            f"{statistics.median(self.after):.2f}",
        ]


def measure(texts: Sequence[str], questions: Sequence[str]) -> list[list[str]]:
    """The rows of both systems and of their ratio, with the questions asked in turns."""
    with tempfile.TemporaryDirectory() as root:
        systems, times = [], []
        for name, (opened, prepare) in SYSTEMS.items():
            folder = Path(root, name)
            folder.mkdir()
            ask, add = prepare(folder, texts)
            first = milliseconds(ask, questions[0])
            starts = [in_a_new_process(opened, folder, question) for question in questions[:STARTS]]
            systems.append((ask, add))
            times.append(Times(first, starts))
        for question in questions:
            for (ask, _), timing in zip(systems, times, strict=True):
                timing.asked.append(milliseconds(ask, question))
        for question in questions:
            for (ask, add), timing in zip(systems, times, strict=True):
                add(question)
                timing.after.append(milliseconds(ask, question))
    ours, theirs = times
    ratios = [
        f"{statistics.median(a / b for a, b in zip(mine, its, strict=True)):.2f}"
        for mine, its in ((ours.asked, theirs.asked), (ours.after, theirs.after))
    ]
    names = [f"{name}, {len(texts):,} turns" for name in SYSTEMS]
    rows = [[name, *timing.cells()] for name, timing in zip(names, times, strict=True)]
    return [*rows, ["ratio", "", "", "", ratios[0], "", ratios[1]]]


SYSTEMS = {"recall": ("open_recall", g2c_recall), "FTS5": ("open_fts", sqlite_fts)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100, help="for each system (%(default)s)")
    count = parser.parse_args().questions
    print_heading(
        f"Milliseconds for the {CANDIDATES} best of so many turns, without a model: the first "
        f"question of all, for which recall reads all files ({TURNS_A_DAY:,} turns each) and keeps "
        f"what it needs of them; the first of a new process, without its imports (the median of "
        f"{STARTS}), with the most memory of the process; {count} more in one process; and as many "
        f"with a new turn before each. Turns are of {WORDS_A_TURN} made words, as unlike in "
        "frequency as a language's, and questions of 4 words of one turn. SQLite's FTS5 (BM25, the "
        "same words, on disk) was built beforehand. The two are asked in turns; the ratio is the "
        "median over the questions."
    )
    texts = list(itertools.islice(make_texts(random.Random(0)), max(SIZES)))
    rows: list[list[str]] = []
    for size in SIZES:
        chance = random.Random(size)
        asked_about = chance.choices(texts[:size], k=count)
        questions = [" ".join(chance.sample(text.split(), 4)) for text in asked_about]
        rows += measure(texts[:size], questions)
    columns = ["first", "new process", "MiB", "then: median", "most", "after a new turn"]
    print_table(["", *columns], rows)


if __name__ == "__main__":
    main()
