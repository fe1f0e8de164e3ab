"""Sum up a log of 30 ticks in 800 characters; one tick ran twice, because of a crash."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.loop import Budget, LoopState, SessionSummary, Spent, TickRecord
from g2c.loop.core.words import MAX_CHARS, tick_texts

QUESTION = "What would somebody who has only this transcript not know about the loop?"


def summarize(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    text = "\n\n".join(tick_texts(ticks))[-max_chars:]
    return SessionSummary(
        state.goal,
        "success" if state.status == "done" else "failure",
        state.status,
        len(ticks),
        state.spent,
        text,
        state.started,
        state.updated,
    )


NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)


def show(folder: Path) -> Seen:
    numbers = [*range(1, 18), 17, *range(18, 31)]
    ticks = [
        TickRecord(number, NOON + timedelta(minutes=number), "continue", answer=f"Letter {number}.")
        for number in numbers
    ]
    state = LoopState(
        "Sort 30 letters.", "stopped", 30, Budget(), Spent(30, 9000, 60.0), NOON, NOON
    )
    summary = summarize(state, ticks, max_chars=800)
    yield "begins with", repr(summary.transcript[:60])
    yield "ends with", repr(summary.transcript[-40:])
    first = "Tick 1 " in summary.transcript
    yield (
        RESULT,
        (
            f"{summary.ticks} ticks, {summary.outcome}; the first tick is "
            f"{'there' if first else 'gone, and nothing says so'}"
        ),
    )
    yield WANTED, f"{state.tick} ticks, how it began, how it ended, and a note of what is left out"
