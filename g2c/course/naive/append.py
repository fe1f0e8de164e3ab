"""Append a long turn in a process that is killed while it writes, and then two short ones."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from g2c.course.naive import CAME, WISHED, Seen, kill_when
from g2c.memory import TranscriptLog, Turn
from g2c.memory.provided.transcripts import BaseTranscriptLog, line_of, turn_of

QUESTION = "What did the second writer know about the file that it wrote to?"


def append(log: BaseTranscriptLog, turn: Turn) -> None:
    with log.path_of(turn.ts.date()).open("ab") as file:
        file.write(line_of(turn))


class Log(TranscriptLog):
    """A log that appends naively."""

    append = append


NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
LONG = 64_000_000
"""Characters, so that a writer takes long enough to be killed."""

ATTEMPTS = 5


def append_a_long_turn(folder: Path) -> None:
    Log(folder).append(Turn(NOON, "first", "tool", "x" * LONG))


def show(folder: Path) -> Seen:
    for attempt in range(ATTEMPTS):
        log = Log(folder / str(attempt))
        log.folder.mkdir()
        file = log.path_of(NOON.date())

        def has_begun(file: Path = file) -> bool:
            return file.exists() and file.stat().st_size > 0

        if kill_when(has_begun, append_a_long_turn, log.folder):
            break  # else it was too quick
    yield "first writer", f"killed with {file.stat().st_size:,} of {LONG:,} bytes in the file"
    said = ["Remember: no nuts.", "Dinner is at eight."]
    for text in said:
        log.append(Turn(NOON, "second", "user", text))
        yield "appended", text
    turns = [turn for line in file.read_bytes().split(b"\n") if line and (turn := turn_of(line))]
    found = [turn.content for turn in turns if turn.agent_id == "second"]
    yield CAME, f"a reader finds {len(found)} of the {len(said)} new turns: {found}"
    yield WISHED, f"both, for no call of the second writer failed: {said}"
