"""Whether one configuration does better than another, on tasks whose answers can be checked.

A critic on and off, a strict one and a gentle one, memory on and off: each is a function from a
prompt to an answer. The idea to take away: give both the same tasks, look at the difference task by
task, and report it with an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from g2c.critic.base import Interval
from g2c.critic.bootstrap import paired_bootstrap
from g2c.critic.intervals import shown_by, wilson
from g2c.critic.report import markdown_table, percent, points
from g2c.inference import BackendError, BackendUnreachableError

Configuration = Callable[[str], str]
"""What is compared: from a prompt to an answer."""


@dataclass(frozen=True)
class Task:
    """A prompt, and a check that says whether an answer to it is right."""

    prompt: str
    check: Callable[[str], bool]
    name: str = ""


def own_check(task: Task, answer: str) -> bool:
    """The judge that asks the task itself."""
    return task.check(answer)


@dataclass(frozen=True)
class Outcome:
    """Whether each configuration solved a task; `errors` are those of calls that failed."""

    task: Task
    a: bool
    b: bool
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The outcomes of one task or more, and `difference`: what b gains on a, paired by task.

    In the report the two go by their `names`.
    """

    outcomes: tuple[Outcome, ...]
    difference: Interval
    names: tuple[str, str] = ("a", "b")

    @property
    def rate_a(self) -> Interval:
        """The share of tasks that a solved."""
        return wilson(sum(outcome.a for outcome in self.outcomes), len(self.outcomes))

    @property
    def rate_b(self) -> Interval:
        """The share of tasks that b solved."""
        return wilson(sum(outcome.b for outcome in self.outcomes), len(self.outcomes))

    def conclusion(self) -> str:
        """What may be concluded from the difference, and what may not."""
        n, (a, b) = len(self.outcomes), self.names
        told_apart = sum(one.a != one.b for one in self.outcomes)
        start = f"{told_apart} of {n} tasks tell the two apart: "
        shown = shown_by(self.difference, told_apart)
        if shown == "unclear":
            return start + "that does not show which is better."
        return start + f"{b if shown == 'better' else a} is better on tasks such as these."

    def to_markdown(self) -> str:
        """The report: the share that each solved, the difference, and every task."""
        a, b = self.names
        rates = [[a, percent(self.rate_a)], [b, percent(self.rate_b)]]
        marks = {True: "yes", False: "no"}
        rows = [
            [one.task.name or one.task.prompt, marks[one.a], marks[one.b]] for one in self.outcomes
        ]
        said = f"From {a} to {b}: {points(self.difference)}. {self.conclusion()}"
        if failed := sum(len(one.errors) for one in self.outcomes):
            calls = "1 call" if failed == 1 else f"{failed} calls"
            said += f" Among those not solved: {calls} that failed."
        parts = [
            markdown_table(["", "solved"], rates),
            f"{said} In brackets: 95 % intervals.",
            markdown_table(["task", a, b], rows),
        ]
        return "\n\n".join(parts) + "\n"


def compare(
    a: Configuration,
    b: Configuration,
    tasks: Sequence[Task],
    judge: Callable[[Task, str], bool] = own_check,
    *,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Give each task to both configurations, one after the other, and judge both answers.

    An answer that a `BackendError` kept back is one that does not solve the task.

    Raises:
        ValueError: there is no task.
        BackendUnreachableError: there is nobody to be compared.
    """
    if not tasks:
        raise ValueError("Two configurations are compared on one task or more, got none.")

    outcomes = []
    for task in tasks:
        errors: list[str] = []
        by_a, by_b = (_solves(one, task, judge, errors) for one in (a, b))
        outcomes.append(Outcome(task, by_a, by_b, tuple(errors)))
    difference = paired_bootstrap(
        [outcome.a for outcome in outcomes], [outcome.b for outcome in outcomes]
    )
    return Comparison(tuple(outcomes), difference, names)


def _solves(
    configuration: Configuration,
    task: Task,
    judge: Callable[[Task, str], bool],
    errors: list[str],
) -> bool:
    try:
        answer = configuration(task.prompt)
    except BackendUnreachableError:
        raise
    except BackendError as error:
        errors.append(str(error))
        return False
    return bool(judge(task, answer))
