"""Let two real processes put 25 pointers each into one index, at the same time."""

from __future__ import annotations

from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen, at_once
from g2c.memory import MemoryIndex
from g2c.memory.core.index import BaseIndex, link_to

QUESTION = "What did one process not know when it wrote the file?"


def upsert(index: BaseIndex, file: str, description: str) -> None:
    lines = [line for line in index.read() if file not in line]
    lines.append(link_to(file) + description)
    index.write(lines)


class Index(MemoryIndex):
    """An index that is changed naively."""

    upsert = upsert


N_POINTERS = 25
WRITERS = ("ada", "bob")


def put_one(number: int, file: Path, writer: str) -> None:
    Index(file).upsert(f"topics/{writer}-{number}.md", "a note")


def show(folder: Path) -> Seen:
    file = folder / "MEMORY.md"
    at_once(put_one, [(file, writer) for writer in WRITERS], N_POINTERS)
    for writer in WRITERS:
        kept = [pointer for pointer in Index(file).pointers if f"/{writer}-" in pointer.file]
        yield writer, f"put in {N_POINTERS} pointers without an error; {len(kept)} are there"
    yield RESULT, f"{len(Index(file).pointers)} pointers in {file.name}"
    yield WANTED, f"{N_POINTERS * len(WRITERS)} pointers"
