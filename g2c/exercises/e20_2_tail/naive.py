"""Ask for the newest 3 turns of a real log shortly after midnight, and measure the memory used."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.memory import TranscriptLog, Turn
from g2c.memory.core.transcripts import BaseTranscriptLog, line_of, turn_of

QUESTION = "How much of these files does somebody have to look at to know the newest 3 turns?"


def tail(log: BaseTranscriptLog, n: int) -> list[Turn]:
    _day, newest = log.days()[0]
    turns = [turn_of(line) for line in newest.read_bytes().splitlines()]
    return [turn for turn in turns if turn][-n:]


EVENING = datetime(2026, 4, 21, 23, tzinfo=UTC)
N_TURNS = 30_000


def show(folder: Path) -> Seen:
    log = TranscriptLog(folder)
    evening = [Turn(EVENING, "a1", "user", f"What about part {number}?") for number in range(2)]
    log.path_of(EVENING.date()).write_bytes(b"".join(map(line_of, evening)))
    midnight = EVENING + timedelta(hours=1)
    morning = line_of(Turn(midnight, "a1", "assistant", "Good morning."))
    log.path_of(midnight.date()).write_bytes(morning)
    yield "on the disk", "2 turns before midnight, 1 after it"
    found = [turn.content for turn in tail(log, 3)]
    yield "tail(log, 3)", f"{len(found)} of 3: {found}"
    log.path_of(midnight.date()).write_bytes(morning * N_TURNS)
    size = log.path_of(midnight.date()).stat().st_size
    yield "on the disk", f"the same turn {N_TURNS:,} times, {size / 1e6:.0f} MB"
    tracemalloc.start()
    tail(log, 3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    yield RESULT, f"{len(found)} turn of 3, and {peak / 1e6:.0f} MB of memory for the newest 3"
    yield WANTED, "3 turns of 3, and as much memory as 3 turns need"
