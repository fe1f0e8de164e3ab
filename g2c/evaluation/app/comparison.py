"""Two models or settings on the same tasks: what they cost, and one sentence to sign.

The tasks are shuffled once, by their ids. A suite is sorted by family, and a model that is better
at the first family would win before the others were looked at.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from g2c.critic.core.intervals import (
    MIN_TOLD_APART,
    markdown_table,
    percent,
    points,
    shown_by,
    wilson,
)
from g2c.critic.core.types import Interval
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.evaluation.core.pairs import Better, Solved, tasks_needed
from g2c.evaluation.sequential_test import sequential_test
from g2c.suite.report import mean_of
from g2c.suite.runner import Attempt

TOLD_APART = 0.05
"""The report says how many tasks it takes to show this difference."""


@dataclass(frozen=True)
class Paired:
    """The outcomes of two models, `a` and `b`, on the same tasks.

    Raises:
        ValueError: the tasks differ, or there are none.
    """

    a: str
    b: str
    of_a: Sequence[Attempt]
    of_b: Sequence[Attempt]

    def __post_init__(self) -> None:
        if not self.of_a or [attempt.id for attempt in self.of_a] != [
            attempt.id for attempt in self.of_b
        ]:
            raise ValueError("Both are asked the same tasks, one or more.")

    @property
    def pairs(self) -> list[Solved]:
        """Whether A and whether B solved each task, in the shuffled order."""
        both = zip(self.of_a, self.of_b, strict=True)
        drawn = sorted(both, key=lambda pair: hashlib.sha256(pair[0].id.encode()).digest())
        return [(a.verdict.success, b.verdict.success) for a, b in drawn]

    @property
    def gain(self) -> Interval:
        """How much larger B's share of solved tasks is than A's, with its interval, by 21.6."""
        pairs = self.pairs
        return paired_bootstrap([a for a, _ in pairs], [b for _, b in pairs])

    @property
    def better(self) -> Better | None:
        """Which of the two is shown to be better, by 23.5."""
        return sequential_test(self.pairs)


Price = Callable[[str, int, int], float | None]
"""The cost of so many tokens, read and written, with a model; None if it is not known."""


def to_markdown(paired: Paired, about: str, price: Price = lambda *_: None) -> str:
    """The report: `about` the suite, both models' shares and costs side by side, and the
    verdict."""
    pairs = paired.pairs
    only_a, only_b = pairs.count((True, False)), pairs.count((False, True))
    table = markdown_table(
        ["a task", f"A: {paired.a}", f"B: {paired.b}"],
        [
            ["solved", *map(_share, _both(paired))],
            *(
                [
                    name,
                    *(
                        mean_of([getattr(attempt, name) for attempt in of], 1)
                        for of in _both(paired)
                    ),
                ]
                for name in ("calls", "tokens", "seconds")
            ),
            *_costs(paired, price),
        ],
    )
    counts = (
        f"Only A solved {only_a}, only B {only_b}, and on {len(pairs) - only_a - only_b} both did "
        "the same."
    )
    return "\n\n".join([about, table, counts, verdict(paired)]) + "\n"


def verdict(paired: Paired) -> str:
    """One sentence or two that a careful person would sign.

    A winner is named only by the test that may be asked at any time. A single-look interval that
    excludes 0 is only a hint.
    """
    pairs, gain = paired.pairs, paired.gain
    differ = sum(a != b for a, b in pairs)
    measured = f"{points(gain)} on {len(pairs)} tasks"
    if paired.better:
        name = {"a": paired.a, "b": paired.b}[paired.better]
        return f"{paired.better.upper()} ({name}) is better: B - A is {measured}."
    needed = tasks_needed(TOLD_APART, max(TOLD_APART, differ / len(pairs)))
    would_take = f"telling {100 * TOLD_APART:.0f} points apart takes about {needed:,} at this noise"
    if not differ:
        return f"No difference seen: both did the same on each of {len(pairs)} tasks; {would_take}."
    if shown_by(gain, differ) != "unclear":
        return (
            f"Not shown, and worth more tasks: {measured}, which differ on {differ}. The interval "
            f"excludes 0, but it is valid for one look only; {would_take}."
        )
    few = f" They differ on {differ} tasks only." if differ < MIN_TOLD_APART else ""
    return f"No difference shown: {measured}; {would_take}.{few}"


def _costs(paired: Paired, price: Price) -> Iterator[list[str]]:
    """The row with the costs in money, if both models have a price."""
    costs = []
    for name, of in zip((paired.a, paired.b), _both(paired), strict=True):
        tokens = [
            (attempt.read, attempt.tokens)
            for attempt in of
            if attempt.read is not None and attempt.tokens is not None
        ]
        cost = price(name, sum(read for read, _ in tokens), sum(written for _, written in tokens))
        if cost is not None and len(tokens) == len(of):
            costs.append(f"{cost / len(of):.4g}")
    if len(costs) == len(_both(paired)):
        yield ["price", *costs]


def _both(paired: Paired) -> tuple[Sequence[Attempt], Sequence[Attempt]]:
    return paired.of_a, paired.of_b


def _share(of: Sequence[Attempt]) -> str:
    return percent(wilson(sum(attempt.verdict.success for attempt in of), len(of)))
