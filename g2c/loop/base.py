"""What a loop is made of: its state, its ticks, what it has spent, and what a healer knows of it.

All of it is frozen data. The idea to take away: what is not in one of these values, and on disk,
does not exist for the next tick.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

LoopStatus = Literal["running", "done", "stopped", "budget_exceeded", "failed"]
"""What a loop is doing, or why it ended."""

TickOutcome = Literal["continue", "done", "failed"]
"""How a tick ended: there is more to do; the agent says that all is done; it broke."""

Outcome = Literal["success", "abandoned", "failure"]
"""What a whole loop came to, as memory and evolution are told."""


class LoopError(ValueError):
    """The loop was used wrongly, or its files cannot be used; says what to do."""


@dataclass(frozen=True)
class Budget:
    """The most that a loop may spend; None is without a bound.

    Raises:
        LoopError: a bound is not above 0.
    """

    ticks: int | None = None
    tokens: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, bound in vars(self).items():
            if bound is not None and not bound > 0:
                raise LoopError(f"A budget of {name} must be above 0, or none; got {bound!r}.")


@dataclass(frozen=True)
class Spent:
    """What a loop has spent so far: ticks, the model's tokens (read and written), and seconds."""

    ticks: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class LoopState:
    """All that one tick hands to the next.

    `tick` is the number of the last tick that was recorded, 0 before the first. `body` is the
    agent's own page: what is done, what is next, what blocks it. `directive` is what the agent left
    for its next tick, `feedback` what the reviewer said at the last checkpoint, `note_seen` the id
    of the last healer's note that a tick was shown; each is empty for none.
    """

    goal: str
    status: LoopStatus
    tick: int
    budget: Budget
    spent: Spent
    started: datetime
    updated: datetime
    body: str = ""
    directive: str = ""
    feedback: str = ""
    note_seen: str = ""


@dataclass(frozen=True)
class TickRecord:
    """One tick as the log keeps it: its prompt, what the agent answered, and what it cost.

    `error` says what broke in a failed tick. `actions` are the tool calls, a line each. `recalled`,
    `feedback` and `note` (a healer's note, by its id) are what the prompt held of each.
    """

    tick: int
    ts: datetime
    outcome: TickOutcome
    prompt: str = ""
    answer: str = ""
    error: str = ""
    actions: tuple[str, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    recalled: tuple[str, ...] = ()
    feedback: str = ""
    note: str = ""


@dataclass(frozen=True)
class Signals:
    """What is so outside the agent when a tick is over: whether somebody asked the loop to stop,
    and whether the success command succeeded (None: there is none)."""

    stop_requested: bool = False
    success: bool | None = None


@dataclass(frozen=True)
class SessionSummary:
    """A loop that has ended, as memory and evolution are told of it."""

    goal: str
    outcome: Outcome
    status: LoopStatus
    ticks: int
    spent: Spent
    transcript: str
    started: datetime
    ended: datetime


@dataclass(frozen=True)
class HealerNote:
    """What a healer leaves for the next tick: `id` tells it from any other note."""

    id: str
    ts: datetime
    text: str


HealAction = Literal["none", "restore", "panic"]


@dataclass(frozen=True)
class HealHistory:
    """What a healer knows: the ticks by their numbers; the numbers of the snapshots that can be
    restored, each of a tick that ended well; when it recovered the loop, and sent panic flares.

    `recovered_tick` is the number of the last tick before the newest recovery, 0 where there was
    none. `trouble` says what is broken that no snapshot mends, such as a state file that cannot be
    read; empty for nothing.
    """

    ticks: tuple[TickRecord, ...] = ()
    snapshots: tuple[int, ...] = ()
    recoveries: tuple[datetime, ...] = ()
    panic_flares: tuple[datetime, ...] = ()
    recovered_tick: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class HealConfig:
    """When a healer acts: after so many failed ticks in a row, so many recoveries in so many hours,
    and so many minutes between two flares of one panic."""

    failures: int = 5
    recoveries: int = 3
    window_hours: float = 24.0
    flare_minutes: float = 60.0


@dataclass(frozen=True)
class Decision:
    """What a healer is to do: restore the snapshot of the tick `snapshot`, panic, or nothing.

    `flare` is whether a person is to be told now. `reason` is a sentence for the log.
    """

    action: HealAction
    reason: str
    snapshot: int | None = None
    flare: bool = False


@dataclass(frozen=True)
class LoopConfig:
    """How a loop runs.

    Args:
        checkpoint_interval: Ticks from one review to the next; 0 for no reviews.
        success_command: A program with its arguments that exits with 0 when the goal is reached.
        success_timeout: The seconds it may take.
        max_failures: Failed ticks in a row after which the loop has failed.
        recall: Whether a tick's prompt holds what memory has about the goal.
        recall_k: How many paragraphs of it.
        evolve: Whether the agent's configuration may change after the loop.
        max_conversation_chars: The most of the ticks' prompts and answers that is kept.
    """

    checkpoint_interval: int = 5
    success_command: tuple[str, ...] = ()
    success_timeout: float = 60.0
    max_failures: int = 5
    recall: bool = True
    recall_k: int = 3
    evolve: bool = True
    max_conversation_chars: int = 20_000


@dataclass(frozen=True)
class EvolvedConfig:
    """What evolution may write, and what it may never: each is a Markdown file of its own.

    `constitution` is a person's. The rest is the agent's: who it is, how it speaks, what it knows
    of the domain, and what helped it out of errors.
    """

    constitution: str = ""
    identity: str = ""
    persona: str = ""
    knowledge: str = ""
    recovery: str = ""


@dataclass(frozen=True)
class TickParts:
    """What a tick's prompt is made of, in the order in which the parts stand in it; empty: left
    out. `recalled` are paragraphs of memory."""

    architecture: str = ""
    config: EvolvedConfig = field(default_factory=EvolvedConfig)
    recalled: tuple[str, ...] = ()
    healer_note: str = ""
    directive: str = ""
    goal: str = ""
    state: str = ""
    feedback: str = ""
