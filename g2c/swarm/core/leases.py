"""The right to do a task for a while: who has it, and the requests about it."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["claim", "renew", "finish"]
"""Take the task; keep it for longer; say that it is done, so that its result counts."""


@dataclass(frozen=True)
class Lease:
    """A worker's right to do a task until `until`, in seconds since 1970. At `until` it is over.

    `number` is the fencing number: 1 for the first holder, 2 for the second, and so on.
    """

    worker: str
    number: int
    until: float
    is_done: bool = False


@dataclass(frozen=True)
class Request:
    """A worker's request. `number` is that of the lease that it believes to have; a claim has none
    yet, and its `number` is ignored."""

    kind: Kind
    worker: str
    number: int = 0
