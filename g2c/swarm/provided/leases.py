"""The right to do a task, for a while: who has it, and what may be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["claim", "renew", "finish"]
"""Take the task; keep it for longer; say that it is done, and so have its result believed."""


@dataclass(frozen=True)
class Lease:
    """Who may do a task, and until when, in seconds since 1970. At `until` it is over.

    `number` is the fencing number. It says the how-manieth holder this is.
    """

    worker: str
    number: int
    until: float
    is_done: bool = False


@dataclass(frozen=True)
class Request:
    """What a worker asks. `number` is that of the lease which it believes to have. A claim has none
    yet, and what stands there counts for nothing."""

    kind: Kind
    worker: str
    number: int = 0
