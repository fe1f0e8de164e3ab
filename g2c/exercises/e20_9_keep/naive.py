"""From an invented month, keep what the person asked to remember, and then what they said last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED
from g2c.exercises.e20_9_keep.goal import BUDGET, best_of, loss_of, measure_month, points_of
from g2c.exercises.e20_9_keep.month import make_months
from g2c.memory.core.types import Turn

QUESTION = "Which of the kept turns will nobody ever need, and how can you tell?"

WISHES = ("remember", "always", "never", "from now on", "prefer", "important", "as a rule")


def keep(turns: Sequence[Turn], budget: int) -> list[int]:
    def is_wish(number: int) -> bool:
        return any(wish in turns[number].content.lower() for wish in WISHES)

    theirs = [number for number, turn in enumerate(turns) if turn.role == "user"]
    return sorted(theirs, key=lambda number: (is_wish(number), number))[-budget:] if budget else []


def show(folder: Path) -> Seen:
    (month,) = make_months(PUBLIC_SEED, 1)
    chosen = keep(month.turns, BUDGET)
    asked = sum(question.times for question in month.questions)
    yield "a month", f"{len(month.turns)} turns, and then {asked} questions"
    for number in sorted(chosen)[-4:]:
        yield "kept", f"day {month.turns[number].ts.day}: {month.turns[number].content}"
    worst = min(month.questions, key=lambda question: points_of(question, month, chosen))
    yield "asked", loss_of(worst, month, chosen)[1]
    yield RESULT, f"{measure_month(month, chosen)} points of {best_of(month)}"
    yield WANTED, "more than half of what could be answered"
