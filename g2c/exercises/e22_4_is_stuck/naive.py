"""Check in two logs whether the loop goes in circles. One loop makes progress in few words, and the
other fails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.loop import TickRecord

QUESTION = "What does a tick see and do, and what must be equal for the next one to be the same?"


def is_stuck(ticks: Sequence[TickRecord], k: int = 3) -> bool:
    answers = [tick.answer for tick in ticks[-k:]]
    return len(answers) == k and answers == answers[:1] * k


NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)


def show(folder: Path) -> Seen:
    works = [
        TickRecord(n, NOON, "continue", f"{9 - n} left.", "Sorted one.", actions=(f"sort {n}.txt",))
        for n in (1, 2, 3)
    ]
    breaks = [TickRecord(n, NOON, "failed", error=f"HTTP 50{n}") for n in (1, 2, 3)]
    found = []
    for name, log in (("works", works), ("breaks", breaks)):
        for tick in log:
            yield f"{name}, {tick.tick}", " ".join([*tick.actions, tick.answer, tick.error]).strip()
        found.append(is_stuck(log))
    yield RESULT, f"stuck: {found}"
    yield (WANTED, "stuck: [False, False]: the first sorts a letter in each tick, the other fails")
