"""Ask of two histories of totals whether they have stopped moving: one goes up and down, one
falls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.first_versions import CAME, WISHED, Seen
from g2c.critic.provided.types import EPSILON, WINDOW

QUESTION = "Which totals does this function never look at?"


def is_plateau(history: Sequence[float], window: int = WINDOW, epsilon: float = EPSILON) -> bool:
    if len(history) < window:
        return False
    return history[-1] - history[-window] < epsilon


HISTORIES = {"up and down": (52, 70, 84, 71), "falling": (52, 80, 72, 61)}


def show(folder: Path) -> Seen:
    answers = []
    for name, history in HISTORIES.items():
        answers.append(is_plateau(history))
        yield name, f"{list(history)}: the newest {WINDOW} are a plateau: {answers[-1]}"
    yield CAME, f"{answers}"
    moved = [max(history[-WINDOW:]) - min(history[-WINDOW:]) for history in HISTORIES.values()]
    yield WISHED, f"[False, False]: they moved by {moved[0]} and {moved[1]} points"
