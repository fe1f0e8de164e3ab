"""25.4 with a list of possible cuts, made anew whenever a prompt is too long.

The list is the contract's sentence: all outputs that are whole, then all calls that are answered.
It costs nothing for a prompt that fits, and a pass over all parts before it for a cut. Cuts are far
apart unless hardly anything can be cut. Then the cost is the square of the number of parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from g2c.guard.core.window import Shown, WindowPart


def fit_window(parts: Sequence[WindowPart], budget: int) -> tuple[Shown, ...]:
    shown: list[Shown] = []
    total = 0
    for newest, part in enumerate(parts):
        shown.append("whole")
        total += part.whole
        if total <= budget:
            continue
        for changes in _cuts(parts[:newest], tuple(shown)):
            if total <= budget / 2:
                break
            for place, then in changes.items():
                total += _length(parts[place], then) - _length(parts[place], shown[place])
                shown[place] = then
        if total > budget:
            raise ValueError(f"{total} tokens are left of {newest + 1} parts, and {budget} fit.")
    return tuple(shown)


def _cuts(before: Sequence[WindowPart], shown: Sequence[Shown]) -> Iterator[dict[int, Shown]]:
    """The possible cuts in `before`, the parts older than the newest one, in order."""
    answers = {part.call: place for place, part in enumerate(before) if part.kind == "output"}
    for place in answers.values():
        if shown[place] == "whole":
            yield {place: "short"}
    for call, output in sorted((call or 0, output) for call, output in answers.items()):
        if shown[call] != "dropped":
            yield {call: "dropped", output: "dropped"}


def _length(part: WindowPart, shown: Shown) -> int:
    return {"whole": part.whole, "short": part.short, "dropped": 0}[shown]
