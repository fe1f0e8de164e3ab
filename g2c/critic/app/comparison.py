"""Whether one configuration does better than another, on tasks whose answers can be checked.

Critic on or off, strict or gentle, with memory or without: each is a function from a prompt to an
answer. Both get the same tasks. The report is their difference task by task, with an interval.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from g2c.critic.core.intervals import markdown_table, percent, points, shown_by, wilson
from g2c.critic.core.types import Interval
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.inference import BackendError
from g2c.interrupted import measure_each

Configuration = Callable[[str], str]
"""One side of a comparison: a function from a prompt to an answer."""


@dataclass(frozen=True)
class Task:
    """A prompt, and a check that says whether an answer to it is right."""

    prompt: str
    check: Callable[[str], bool]
    name: str = ""


@dataclass(frozen=True)
class TaskOutcome:
    """Whether each configuration solved a task, and the errors of calls that failed."""

    task: Task
    a: bool
    b: bool
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The outcomes of one or more tasks, and b's gain over a, paired by task.

    The report uses `names` for the two.
    """

    outcomes: tuple[TaskOutcome, ...]
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
        """The conclusion from the difference, in a sentence."""
        n, (a, b) = len(self.outcomes), self.names
        told_apart = sum(outcome.a != outcome.b for outcome in self.outcomes)
        start = f"{told_apart} of {n} tasks tell the two apart: "
        shown = shown_by(self.difference, told_apart)
        if shown == "unclear":
            return start + "that does not show which is better."
        return start + f"{b if shown == 'better' else a} is better on tasks such as these."

    def to_markdown(self) -> str:
        """The report: the share that each solved, their difference, and every task."""
        a, b = self.names
        rates = [[a, percent(self.rate_a)], [b, percent(self.rate_b)]]
        marks = {True: "yes", False: "no"}
        rows = [
            [outcome.task.name or outcome.task.prompt, marks[outcome.a], marks[outcome.b]]
            for outcome in self.outcomes
        ]
        summary = f"From {a} to {b}: {points(self.difference)}. {self.conclusion()}"
        if failed := sum(len(outcome.errors) for outcome in self.outcomes):
            calls = "1 call" if failed == 1 else f"{failed} calls"
            summary += f" Among those not solved: {calls} that failed."
        parts = [
            markdown_table(["", "solved"], rates),
            f"{summary} In brackets: 95 % intervals.",
            markdown_table(["task", a, b], rows),
        ]
        return "\n\n".join(parts) + "\n"


def compare(
    a: Configuration,
    b: Configuration,
    tasks: Sequence[Task],
    judge: Callable[[Task, str], bool] = lambda task, answer: task.check(answer),
    *,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Give each task to both configurations, a first, and judge both answers.

    A configuration whose model fails, as with an answer that is cut off, does not solve the task.

    Raises:
        ValueError: there is no task.
        BackendError: no task could be given to both.
        PartlyMeasuredError, StoppedEarly: some tasks were done; it has the report on these.
    """
    if not tasks:
        raise ValueError("Two configurations are compared on one task or more, got none.")

    def outcome_of(task: Task) -> TaskOutcome:
        errors: list[str] = []
        by_a, by_b = (_solves(configuration, task, judge, errors) for configuration in (a, b))
        return TaskOutcome(task, by_a, by_b, tuple(errors))

    def compared(outcomes: Sequence[TaskOutcome]) -> Comparison:
        by_a, by_b = [outcome.a for outcome in outcomes], [outcome.b for outcome in outcomes]
        return Comparison(tuple(outcomes), paired_bootstrap(by_a, by_b), names)

    return compared(measure_each(tasks, outcome_of, lambda done: compared(done).to_markdown()))


def _solves(
    configuration: Configuration, task: Task, judge: Callable[[Task, str], bool], errors: list[str]
) -> bool:
    try:
        answer = configuration(task.prompt)
    except BackendError as error:
        if not error.blames_model:
            raise
        errors.append(str(error))
        return False
    return bool(judge(task, answer))
