"""Go through a loop of 12 ticks with a review every 4, and ask for reviews to be left out."""

from __future__ import annotations

from pathlib import Path

from g2c.course.naive import CAME, WISHED, Seen, outcome
from g2c.loop.provided.types import INTERVAL

QUESTION = "Which of these reviews can still change what the loop does?"


def checkpoint_due(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    return not tick % interval


def show(folder: Path) -> Seen:
    due = [tick for tick in range(13) if checkpoint_due(tick, planned_ticks=12, interval=4)]
    yield "every 4", f"reviews after the ticks {due} of 12"
    none = outcome(lambda: checkpoint_due(1, planned_ticks=12, interval=0))
    yield "never (0)", none
    yield CAME, f"{due.count(0)} review before any work, {due.count(12)} after all of it; {none}"
    yield WISHED, "reviews that somebody reads, and none where none are wanted"
