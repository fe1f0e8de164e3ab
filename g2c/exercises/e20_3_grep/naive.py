"""Search three real turns, one of them copied from a web page, for a word that two of them have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.memory import GrepHit, TranscriptLog, Turn
from g2c.memory.core.transcripts import BaseTranscriptLog, turn_of

QUESTION = "Who decides where a line of this file ends?"


def grep(
    log: BaseTranscriptLog,
    pattern: str,
    *,
    days_back: int = 7,
    ignore_case: bool = False,
    today: date,
) -> Iterator[GrepHit]:
    flags = re.IGNORECASE if ignore_case else 0
    for when, file in log.days():
        if (today - when).days < days_back:
            for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
                if re.search(pattern, line, flags) and (turn := turn_of(line.encode())):
                    yield GrepHit(file, number, turn)


NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
SAID = ("Hello.", "From the web page:\u2028the key is under the mat.", "And a key for the shed?")
"""A page may hold U+2028, a line break that is not a newline."""


def show(folder: Path) -> Seen:
    log = TranscriptLog(folder)
    for text in SAID:
        log.append(Turn(NOON, "a1", "user", text))
    file = log.path_of(NOON.date())
    lines = file.read_bytes().decode().removesuffix("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        yield f"line {number}", line.replace("\u2028", "\\u2028")
    hits = list(grep(log, "key", today=NOON.date()))
    places = [f"line {hit.line}: {hit.turn.content!r}" for hit in hits]
    yield RESULT, f"{len(hits)} found: {'; '.join(places)}"
    where = [number for number, line in enumerate(lines, start=1) if "key" in line]
    yield WANTED, f"{len(where)} found, in the lines {' and '.join(map(str, where))}"
