"""Plausible wrong answers: whole functions that a thoughtful person could write, believing
something false. The docstring of each is that belief.

The idea to take away: tests are measured by the wrong programs that they refuse, and by whether
what they say then is about the mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong function for `exercise`; the student's test `caught_by` fails on it and says `says`.

    `says` is part of the failure's message, with runs of whitespace as one space.
    """

    exercise: str
    function: Callable[..., Any]
    caught_by: str
    says: str

    @property
    def belief(self) -> str:
        return " ".join((self.function.__doc__ or "").split())

    @property
    def name(self) -> str:
        return f"{self.exercise}-{self.function.__name__}"


BANK: list[WrongAnswer] = []


def wrong(
    exercise: str, *, caught_by: str, says: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put a function into the bank."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        BANK.append(WrongAnswer(exercise, function, caught_by, says))
        return function

    return add


def load_bank() -> list[WrongAnswer]:
    """All wrong answers. `__main__` sets its switch before, for they import exercises."""
    for file in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        import_module(f"{__name__}.{file.stem}")
    return BANK
