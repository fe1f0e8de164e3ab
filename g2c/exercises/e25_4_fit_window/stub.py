"""The parts that stay in a prompt that has become too long.

The idea to take away: dropping a little at every step changes the front of every prompt and makes
the model's cache useless. So cut seldom, and then enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.guard.core.window import Shown, WindowPart


@exercise("25.4")
def fit_window(parts: Sequence[WindowPart], budget: int) -> tuple[Shown, ...]:
    """How each part stands in a run's newest prompt: "whole", "short" or "dropped".

    The run had a prompt with the first part, then with the first two, and so on. Each begins
    with what the one before showed; the newest part is added whole. If that exceeds `budget`
    tokens, it is cut until at most half of `budget` is left, or nothing is left to cut: outputs
    become short (even if that saves nothing), then calls are dropped with their outputs, each
    oldest first.

    What is "kept", the newest part and its call, and a call without output yet stay whole.
    Do not add up each prompt anew.

    Raises:
        ValueError: a prompt exceeds `budget` all the same.

    >>> parts = [WindowPart("kept", 10), WindowPart("call", 5, 5), WindowPart("output", 80, 8, 1)]
    >>> fit_window([*parts, WindowPart("call", 10, 10)], budget=100)
    ('whole', 'whole', 'short', 'whole')
    """
    raise NotImplementedError
