"""The right to do a task, for a while: who has it, and what may be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["claim", "renew", "finish"]
"""Take the task; keep it for longer; say that it is done."""


@dataclass(frozen=True)
class Lease:
    """Who may do a task. `number` grows with each holder, and `until` is in seconds since 1970."""

    worker: str
    number: int
    until: float
    is_done: bool = False


@dataclass(frozen=True)
class Request:
    """What a worker asks. `number` is that of its lease; a claim has none yet."""

    kind: Kind
    worker: str
    number: int = 0
