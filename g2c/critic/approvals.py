"""How many broken drafts a critic lets pass, and how many good ones: a judge, judged.

The idea to take away: a verdict says something only if it would have been another for another
draft. A critic that approves everything approves all good drafts too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from g2c.critic.base import Critique, Interval
from g2c.critic.bootstrap import paired_bootstrap
from g2c.critic.intervals import shown_by, wilson
from g2c.critic.labelled import LabelledTask
from g2c.critic.report import markdown_table, percent, points
from g2c.critic.stability import Judge, ask


@dataclass(frozen=True)
class ReviewedTask:
    """What a critic said of the good and of the broken draft of a task."""

    task: LabelledTask
    good: Critique
    broken: Critique


@dataclass(frozen=True)
class Approvals:
    """A critic's verdicts on the labelled drafts, of one task or more."""

    critic: str
    reviewed: tuple[ReviewedTask, ...]

    @property
    def good(self) -> int:
        """How many good drafts it approved, one a task."""
        return sum(one.good.approved for one in self.reviewed)

    @property
    def broken(self) -> int:
        """How many broken drafts it approved, one a task."""
        return sum(one.broken.approved for one in self.reviewed)

    @property
    def unreadable(self) -> int:
        """How many of its reviews held no verdict that could be read; each counts as REVISE."""
        critiques = [said for one in self.reviewed for said in (one.good, one.broken)]
        return sum(critique.parse_error is not None for critique in critiques)

    @property
    def told_apart(self) -> int:
        """For how many tasks it gave the two drafts different verdicts."""
        return sum(one.good.approved != one.broken.approved for one in self.reviewed)

    def difference(self) -> Interval:
        """How much larger the share of good drafts is that it approves, paired by task."""
        return paired_bootstrap(
            [one.broken.approved for one in self.reviewed],
            [one.good.approved for one in self.reviewed],
        )

    def conclusion(self) -> str:
        """What may be concluded from these verdicts, and what may not."""
        n = len(self.reviewed)
        if not self.told_apart:
            return (
                f"{self.critic} gave both drafts of each of the {n} tasks the same verdict: "
                "its verdict says nothing about the draft."
            )
        gain = self.difference()
        start = f"From broken to good drafts {self.critic} approves more by {points(gain)}: "
        shown = shown_by(gain, self.told_apart)
        if shown == "unclear":
            return start + f"{n} tasks do not show that it tells the one from the other."
        if shown == "worse":
            return start + "it prefers the broken ones."
        passing = percent(wilson(self.broken, n))
        return start + f"it tells them apart, and lets {passing} of the broken ones pass."


def measure_approvals(
    critics: Mapping[str, Judge],
    tasks: Sequence[LabelledTask],
    on_review: Callable[[str, str], None] | None = None,
) -> tuple[Approvals, ...]:
    """Show each critic both drafts of each task; it is told neither which is which nor the tests.

    `on_review` hears the critic's and the task's name after each of the two reviews. A call that
    fails is a review that cannot be read.

    Raises:
        ValueError: there is no task.
        BackendUnreachableError: there is nobody to be measured.
    """
    if not tasks:
        raise ValueError("A critic is measured on one labelled task or more, got none.")

    def review(name: str, task: LabelledTask, draft: str) -> Critique:
        critique = ask(critics[name], task.task, draft)
        if on_review:
            on_review(name, task.name)
        return critique

    return tuple(
        Approvals(
            name,
            tuple(
                ReviewedTask(task, review(name, task, task.good), review(name, task, task.broken))
                for task in tasks
            ),
        )
        for name in critics
    )


def to_markdown(measured: Sequence[Approvals]) -> str:
    """The report: a row for each critic, and a sentence on what its row is worth."""
    rows = []
    for one in measured:
        n = len(one.reviewed)
        shares = [f"{k} of {n}: {percent(wilson(k, n))}" for k in (one.broken, one.good)]
        rows.append(
            [one.critic, *shares, f"{one.told_apart} of {n}", f"{one.unreadable} of {2 * n}"]
        )
    columns = ["critic", "broken approved", "good approved", "told apart", "unreadable"]
    said = "\n".join(f"- {one.conclusion()}" for one in measured)
    return f"{markdown_table(columns, rows)}\n\nIn brackets: the 95 % interval.\n\n{said}\n"
