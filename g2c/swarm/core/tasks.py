"""The tasks that a swarm's work is cut into, and which of them may start now."""

from dataclasses import dataclass
from typing import Literal

State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True)
class Task:
    """A piece of the work. It waits until all that it `needs`, by name, is done, and it may spend
    at most its `grant`, in tokens. Names are unique in a list.

    Raises:
        ValueError: the grant is below 0, which would add to the budget.
    """

    name: str
    text: str
    needs: tuple[str, ...] = ()
    grant: int = 0

    def __post_init__(self) -> None:
        if self.grant < 0:
            raise ValueError(f"{self.name!r} may spend 0 tokens or more, not {self.grant}.")


@dataclass(frozen=True)
class Progress:
    """A task's state. `spent` is its cost in tokens, which is known only once the task has ended,
    done or failed."""

    state: State = "waiting"
    spent: int = 0


@dataclass(frozen=True)
class Starts:
    """The names of the tasks that start now, and of those that never can."""

    now: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
