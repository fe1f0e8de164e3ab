"""Two answers to a task, a judge's replies in both orders, and the tally of many pairs.

All of it is frozen data.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Place = Literal["first", "second", "tie"]
"""A judge's reply: the better answer, as the first or the second that it read, or a tie."""

Judge = Callable[[str, str, str], str]
"""A judge: a function from a task, a first and a second answer to a reply."""

Winner = Literal["a", "b", "tie", "split", "unread"]


@dataclass(frozen=True)
class Pair:
    """A task and two answers to it. The judge does not know which of them is `a`."""

    task: str
    a: str
    b: str


@dataclass(frozen=True)
class Verdict:
    """A judge's two replies on a pair, with `a` first and with `b` first, and who won by them."""

    a_first: str
    b_first: str
    winner: Winner


@dataclass(frozen=True)
class Tally:
    """The verdicts on several pairs, and the share of the readable ones that went to `b`."""

    verdicts: tuple[Verdict, ...]
    share_b: float | None
