"""Whether a critic says the same of the same draft: its verdict asked for again and again.

The idea to take away: a verdict that was asked for once is one draw. How often a second look says
otherwise is a property of the critic, and can be measured without knowing which verdict is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from g2c.critic.base import Critique, Interval
from g2c.critic.intervals import wilson
from g2c.inference import BackendError, BackendUnreachableError

Judge = Callable[[str, str], Critique]
"""A critic: from a task and a draft to a critique."""


@dataclass(frozen=True)
class Stability:
    """The verdicts of `n` runs on one draft: `approved` approved it, the others did not.

    `unreadable` of the others gave no verdict that could be read, which means REVISE.
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

        It is 0 for a critic that never wavers and 0.5 for a coin, whichever verdict is the usual
        one. The bounds are the least and the most that it comes to within the interval of p.

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


def verdict_stability(critic: Judge, task: str, draft: str, n: int) -> Stability:
    """Ask `critic` for its verdict `n` times on the same input.

    A backend of this course has a fixed seed, with which it says the same each time at any
    temperature; `each_seed` makes a critic that draws anew.

    Raises:
        ValueError: `n` is below 1.
        BackendUnreachableError: there is nobody to be asked.
    """
    if n < 1:
        raise ValueError(f"n is 1 or more, got {n!r}.")
    critiques = [ask(critic, task, draft) for _ in range(n)]
    return Stability(
        approved=sum(critique.approved for critique in critiques),
        n=n,
        unreadable=sum(critique.parse_error is not None for critique in critiques),
    )


def ask(critic: Judge, task: str, draft: str) -> Critique:
    """A critic's critique, where a call that failed is one that could not be read.

    Raises:
        BackendUnreachableError: there is nobody to be asked.
    """
    try:
        return critic(task, draft)
    except BackendUnreachableError:
        raise
    except BackendError as error:
        return Critique(parse_error=str(error))


def each_seed(critic_of: Callable[[int], Judge]) -> Judge:
    """A critic that asks `critic_of(0)` first, then `critic_of(1)`, and so on.

    >>> critic = each_seed(lambda seed: lambda task, draft: Critique(score=seed))
    >>> [critic("a task", "a draft").score for _ in range(3)]
    [0, 1, 2]
    """
    seeds = count()
    return lambda task, draft: critic_of(next(seeds))(task, draft)


def _disagreement(share: float) -> float:
    return 2 * share * (1 - share)
