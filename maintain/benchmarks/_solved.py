"""Compare two ways of answering by what each solves, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from g2c.critic import paired_bootstrap


class Outcome(Protocol):
    """How a question went."""

    @property
    def solved(self) -> bool: ...


def change(first: Sequence[Outcome], second: Sequence[Outcome]) -> list[object]:
    """The second's gain over the first: the share solved, its interval, questions won and lost."""
    before, after = [item.solved for item in first], [item.solved for item in second]
    found = paired_bootstrap(before, after)
    return [
        f"{found.estimate:+.1%} ({found.low:+.1%} to {found.high:+.1%})",
        sum(b > a for a, b in zip(before, after, strict=True)),
        sum(b < a for a, b in zip(before, after, strict=True)),
    ]
