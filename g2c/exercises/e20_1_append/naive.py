"""Append a turn in a process that is killed while it writes, and then two more."""

from __future__ import annotations

from datetime import UTC, date, datetime
from io import FileIO
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from g2c.course.breaks import RESULT, WANTED, Seen, halt, kill_at_halt
from g2c.memory import TranscriptLog, Turn
from g2c.memory.core.transcripts import BaseTranscriptLog, line_of, turn_of

QUESTION = "What did the second writer know about the file that it wrote to?"


def append(log: BaseTranscriptLog, turn: Turn) -> None:
    with log.path_of(turn.ts.date()).open("ab") as file:
        file.write(line_of(turn))


class Log(TranscriptLog):
    """A log that appends naively."""

    append = append


class HalfFile(FileIO):
    """A file whose process is killed after half of a write."""

    def __init__(self, path: Path, says: Connection) -> None:
        super().__init__(path, "ab")
        self.says = says

    def write(self, data: Any) -> int:
        written = super().write(data[: len(data) // 2])
        halt(self.says)
        return written


class MortalLog(Log):
    """A log that writes to such files."""

    def __init__(self, folder: Path, says: Connection) -> None:
        super().__init__(folder)
        self.says = says

    def path_of(self, day: date) -> Path:
        path = super().path_of(day)
        return SimpleNamespace(open=lambda mode: HalfFile(path, self.says))  # type: ignore[return-value]


FIRST = Turn(datetime(2026, 4, 21, 12, tzinfo=UTC), "first", "user", "The cake is for Ada.")


def append_first(says: Connection, folder: Path) -> None:
    MortalLog(folder, says).append(FIRST)


def show(folder: Path) -> Seen:
    log = Log(folder)
    end = "killed" if kill_at_halt(append_first, folder) else "ended"
    file = log.path_of(FIRST.ts.date())
    yield "first writer", f"{end}; it left {file.read_text()}"
    said = ["Remember: no nuts.", "Dinner is at eight."]
    for text in said:
        log.append(Turn(FIRST.ts, "second", "user", text))
        yield "appended", text
    turns = [turn for line in file.read_bytes().split(b"\n") if line and (turn := turn_of(line))]
    found = [turn.content for turn in turns if turn.agent_id == "second"]
    yield RESULT, f"a reader finds {len(found)} of the {len(said)} new turns: {found}"
    yield WANTED, f"both, since no call of the second writer failed: {said}"
