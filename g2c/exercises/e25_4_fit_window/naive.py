"""Fit a run of 60 calls, with outputs of 200 to 400 tokens, into a window of 8,000. A model's cache
has the beginning that a prompt shares with the one before; the model reads the rest again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import eq
from pathlib import Path

from g2c import guard
from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.guard.core.window import Shown, WindowPart

QUESTION = "How far behind the task does a prompt differ from the one before, and how often?"


def fit_window(parts: Sequence[WindowPart], budget: int) -> tuple[Shown, ...]:
    stand: list[Shown] = ["whole"] * len(parts)
    too_many = sum(part.whole for part in parts) - budget
    for place, part in enumerate(parts[:-1]):
        if too_many > 0 and part.kind != "kept":
            stand[place] = "dropped"
            too_many -= part.whole
    return tuple(stand)


BUDGET = 8_000
CALLS = 60


def run_of(calls: int) -> list[WindowPart]:
    """A task, and calls of 40 tokens whose outputs have 20 in their short form."""
    parts = [WindowPart("kept", 400)]
    for n in range(calls):
        whole = 200 + 50 * (n % 5)
        parts += [WindowPart("call", 40), WindowPart("output", whole, 20, len(parts))]
    return parts


def prompts_of(
    fit: Callable[[Sequence[WindowPart], int], tuple[Shown, ...]],
) -> Iterator[tuple[int, int, bool]]:
    """For each prompt of the run: the tokens in the cache, the tokens that are read, and whether
    an output has lost its call."""
    parts, before = run_of(CALLS), tuple[Shown, ...]()
    for newest in range(1, len(parts) + 1):
        shown = fit(parts[:newest], BUDGET)
        same = list(map(eq, before, shown))
        cached = same.index(False) if False in same else len(same)
        lengths = [
            {"whole": part.whole, "short": part.short, "dropped": 0}[how]
            for part, how in zip(parts, shown, strict=False)
        ]
        lost = any(
            part.call is not None and shown[part.call] == "dropped" and how != "dropped"
            for part, how in zip(parts, shown, strict=False)
        )
        yield sum(lengths[:cached]), sum(lengths[cached:]), lost
        before = shown


def show(folder: Path) -> Seen:
    read, lost = [], []
    for fit in (fit_window, guard.fit_window):
        prompts = [*prompts_of(fit)]
        read.append(f"{sum(tokens for _, tokens, _ in prompts):,} tokens")
        lost.append(f"{sum(has_lost for _, _, has_lost in prompts)} prompts")
    yield "the run", f"{sum(part.whole for part in run_of(CALLS)):,} tokens, if each is read once"
    yield "as needed", f"{read[0]} are read, since the front changes at almost each step"
    yield "to half", f"{read[1]} are read"
    yield RESULT, f"{read[0]}, and {lost[0]} with an output that has lost its call"
    yield WANTED, f"{read[1]}, and {lost[1]} with an output that has lost its call"
