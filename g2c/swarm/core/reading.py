"""A question, the files that may answer it, and the workers that read them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from g2c.swarm.core.reports import Claim

CONTEXT = 8_000
"""How many tokens a worker can read at once."""
OVERHEAD = 600
"""A worker's cost besides the files, in tokens: its brief and its reply."""

Asked = Literal["fact", "linked", "total"]
"""`fact`: what the files say about a thing. `linked`: what they say about that answer. `total`: the
sum of the numbers that they give for it."""


@dataclass(frozen=True)
class Question:
    """A question in words, what it is about, and how the answer follows from the files.

    `about` is what a file says the value of: it may have "The keeper of the mill is Ada." A linked
    question has `then`, in which `{}` stands for that value, such as "the telephone of {}".
    """

    text: str
    about: str
    kind: Asked
    then: str = ""

    def second(self, value: str) -> str:
        """The subject of a linked question, once the value of `about` is known.

        >>> asked = Question("Who?", "the keeper of the mill", "linked", "the telephone of {}")
        >>> asked.second("Ada")
        'the telephone of Ada'
        """
        return self.then.replace("{}", value)


@dataclass(frozen=True)
class File:
    """A file that may be read. If it is a copy, `copy_of` names the file with the same text."""

    name: str
    tokens: int
    copy_of: str = ""


@dataclass(frozen=True)
class Errand:
    """A worker's search, and the names of the files that it reads, in this order.

    An equal errand is another look: another worker does it and may find something else.
    """

    look_for: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Reply:
    """A worker's claims, each with one file as its source; the files that it has read; and how many
    tokens of the budget are left once all workers have replied."""

    claims: tuple[Claim, ...]
    read: tuple[str, ...]
    left: int


Ask = Callable[[Sequence[Errand]], list[Reply]]
"""Sends workers, which work side by side; returns a reply for each errand, in order. If the budget
is not enough for all, the first errands are paid."""
