"""The tasks that a swarm's work is cut into, and what one may start now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True)
class Task:
    """A piece of the work. It waits for the tasks that it `needs`, by name, and may spend at most
    its `grant`, in tokens."""

    name: str
    text: str
    needs: tuple[str, ...] = ()
    grant: int = 0


@dataclass(frozen=True)
class Progress:
    """Where a task stands. `spent` is what it has cost so far, in tokens, if it is not running."""

    state: State = "waiting"
    spent: int = 0


@dataclass(frozen=True)
class Starts:
    """The names of the tasks that start now, and of those that never can."""

    now: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
