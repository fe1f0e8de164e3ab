"""How good a critic is: how often it approves broken drafts, and how often its verdict changes.

A verdict is information only if another draft would have got another verdict. A critic that
approves everything approves all good drafts, too. And one verdict is one draw: ask again, and it
may differ. How often it differs can be measured without knowing which verdict is right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from g2c.critic.core.intervals import markdown_table, percent, points, shown_by, wilson
from g2c.critic.core.labelled import LabelledTask
from g2c.critic.core.types import Critique, Interval
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.inference import BackendError
from g2c.interrupted import measure_each

CriticFunction = Callable[[str, str], Critique]
"""A critic: a function from a task and a draft to a critique."""


@dataclass(frozen=True)
class Stability:
    """The verdicts of `n` runs on one draft: how many approved, how many could not be read.

    A verdict that cannot be read counts as REVISE.
    """

    approved: int
    n: int
    unreadable: int = 0

    @property
    def approval(self) -> Interval:
        """The share of runs that approve, with its Wilson interval."""
        return wilson(self.approved, self.n)

    @property
    def flips(self) -> Interval:
        """How often two runs disagree: 2 p (1 - p), where p is the share that approve.

        It is 0 for a critic that always says the same, and 0.5 for a coin. The bounds are its
        lowest and highest value within the interval of p.

        >>> Stability(approved=5, n=10).flips.estimate
        0.5
        >>> always = Stability(approved=10, n=10).flips
        >>> always.estimate, always.low, round(always.high, 2)
        (0.0, 0.0, 0.4)
        """
        share = self.approval
        ends = [_disagreement(share.low), _disagreement(share.high)]
        most = 0.5 if share.low <= 0.5 <= share.high else max(ends)
        return Interval(_disagreement(share.estimate), min(ends), most, share.confidence)


def verdict_stability(critic: CriticFunction, task: str, draft: str, n: int) -> Stability:
    """Ask `critic` for its verdict `n` times on the same input.

    The course's backends have a fixed seed, so they repeat themselves at any temperature. Use
    `each_seed` for a critic with a new seed at each call.

    Raises:
        ValueError: `n` is below 1.
        BackendError: no verdict could be had.
        PartlyMeasuredError, StoppedEarly: some verdicts were there; it says which.
    """
    if n < 1:
        raise ValueError(f"n is 1 or more, got {n!r}.")

    def stability_of(critiques: Sequence[Critique]) -> Stability:
        return Stability(
            approved=sum(critique.approved for critique in critiques),
            n=len(critiques),
            unreadable=sum(critique.parse_error is not None for critique in critiques),
        )

    return stability_of(measure_each(range(n), lambda _: ask(critic, task, draft), stability_of))


def ask(critic: CriticFunction, task: str, draft: str) -> Critique:
    """A critic's critique. If the model fails, it is a critique that could not be read.

    Raises:
        BackendError: the server failed, which says nothing about the critic.
    """
    try:
        return critic(task, draft)
    except BackendError as error:
        if not error.blames_model:
            raise
        return Critique(parse_error=str(error))


def each_seed(critic_of: Callable[[int], CriticFunction]) -> CriticFunction:
    """A critic that is `critic_of(0)` at its first call, then `critic_of(1)`, and so on.

    >>> critic = each_seed(lambda seed: lambda task, draft: Critique(score=seed))
    >>> [critic("a task", "a draft").score for _ in range(3)]
    [0, 1, 2]
    """
    seeds = count()
    return lambda task, draft: critic_of(next(seeds))(task, draft)


def _disagreement(share: float) -> float:
    return 2 * share * (1 - share)


@dataclass(frozen=True)
class ReviewedTask:
    """A critic's critiques of both drafts of a task."""

    task: LabelledTask
    good: Critique
    broken: Critique


@dataclass(frozen=True)
class Approvals:
    """A critic's verdicts on the drafts of one or more labelled tasks."""

    critic: str
    reviewed: tuple[ReviewedTask, ...]

    @property
    def good(self) -> int:
        """How many of the good drafts it approved."""
        return sum(pair.good.approved for pair in self.reviewed)

    @property
    def broken(self) -> int:
        """How many of the broken drafts it approved."""
        return sum(pair.broken.approved for pair in self.reviewed)

    @property
    def unreadable(self) -> int:
        """How many of its verdicts could not be read; each counts as REVISE."""
        critiques = [critique for pair in self.reviewed for critique in (pair.good, pair.broken)]
        return sum(critique.parse_error is not None for critique in critiques)

    @property
    def told_apart(self) -> int:
        """For how many tasks the two drafts got different verdicts."""
        return sum(pair.good.approved != pair.broken.approved for pair in self.reviewed)

    def difference(self) -> Interval:
        """The share of good drafts that it approves minus that of broken ones, paired by task."""
        return paired_bootstrap(
            [pair.broken.approved for pair in self.reviewed],
            [pair.good.approved for pair in self.reviewed],
        )

    def conclusion(self) -> str:
        """The conclusion from these verdicts, in a sentence."""
        n = len(self.reviewed)
        if self.unreadable == 2 * n:
            return f"No verdict of {self.critic} could be read: nothing is known about it."
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
    critics: Mapping[str, CriticFunction],
    tasks: Sequence[LabelledTask],
    on_review: Callable[[str, str], None] | None = None,
    is_enough: Callable[[Approvals], bool] = lambda found: False,
) -> tuple[Approvals, ...]:
    """Show each critic both drafts of each task. It sees neither the tests nor which is which.

    `on_review` gets the names of critic and task after each review. After each task, `is_enough`
    gets the critic's verdicts so far and says whether to skip its other tasks. An interval after
    such an early stop is too narrow.

    Raises:
        ValueError: there is no task.
        BackendError: no task could be done.
        PartlyMeasuredError, StoppedEarly: some tasks were done; it has the report on these.
    """
    if not tasks:
        raise ValueError("A critic is measured on one labelled task or more, got none.")

    def review(name: str, task: LabelledTask, draft: str) -> Critique:
        critique = ask(critics[name], task.shown, draft)
        if on_review:
            on_review(name, task.name)
        return critique

    found: dict[str, Approvals] = {}

    def both(pair: tuple[str, LabelledTask]) -> None:
        name, task = pair
        before = found.get(name, Approvals(name, ()))
        if before.reviewed and is_enough(before):
            return
        good, broken = (review(name, task, draft) for draft in (task.good, task.broken))
        found[name] = Approvals(name, (*before.reviewed, ReviewedTask(task, good, broken)))

    pairs = [(name, task) for name in critics for task in tasks]
    measure_each(pairs, both, lambda done: approvals_report(tuple(found.values())))
    return tuple(found.values())


def approvals_report(measured: Sequence[Approvals]) -> str:
    """The report: for each critic a row, and a sentence on what the row shows."""
    rows = []
    for approvals in measured:
        n = len(approvals.reviewed)
        shares = [
            f"{k} of {n}: {percent(wilson(k, n))}" for k in (approvals.broken, approvals.good)
        ]
        rows.append(
            [
                approvals.critic,
                *shares,
                f"{approvals.told_apart} of {n}",
                f"{approvals.unreadable} of {2 * n}",
            ]
        )
    columns = ["critic", "broken approved", "good approved", "told apart", "unreadable"]
    conclusions = "\n".join(f"- {approvals.conclusion()}" for approvals in measured)
    table = markdown_table(columns, rows)
    return f"{table}\n\nIn brackets: the 95 % interval.\n\n{conclusions}\n"
