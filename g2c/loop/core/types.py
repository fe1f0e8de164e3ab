"""The types of a loop: its state, its ticks, what it has spent, and what a healer knows of it.

All of it is frozen data. Anything that is not in one of these values, and on disk, does not exist
for the next tick.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

LoopStatus = Literal["running", "done", "stopped", "budget_exceeded", "failed"]
"""A loop's present activity, or the reason for its end."""

TickOutcome = Literal["continue", "done", "failed"]
"""How a tick ended: there is more to do, the agent says that all is done, or it broke."""

SessionOutcome = Literal["success", "abandoned", "failure"]
"""The outcome of a whole loop, for memory and evolution."""


class LoopError(ValueError):
    """The loop was used wrongly, or its files cannot be used; says what to do."""


@dataclass(frozen=True)
class Budget:
    """The most that a loop may spend. None means no bound.

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
    """A loop's spending: ticks, the model's tokens (read and written), and seconds."""

    ticks: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class LoopState:
    """All that one tick hands to the next.

    `tick` is the number of the last recorded tick, 0 before the first. `body` is the agent's own
    page: what is done, what is next, what blocks it. `directive` is the agent's note for its next
    tick. `feedback` is what the reviewer said at the last checkpoint. `note_seen` is the id of the
    last healer's note that a tick was shown. Each is empty where there is none.
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
    `feedback`, `note` (the id of a healer's note) and `messages` (their ids) were in the prompt.
    So was `budget`, the sentence about what is left.
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
    messages: tuple[str, ...] = ()
    budget: str = ""


@dataclass(frozen=True)
class Signals:
    """The state outside the agent after a tick: whether somebody asked the loop to stop, and
    whether the success command succeeded (None: there is no such command)."""

    stop_requested: bool = False
    success: bool | None = None


@dataclass(frozen=True)
class SessionSummary:
    """The summary of a loop that has ended, for memory and evolution."""

    goal: str
    outcome: SessionOutcome
    status: LoopStatus
    ticks: int
    spent: Spent
    transcript: str
    started: datetime
    ended: datetime


@dataclass(frozen=True)
class HealerNote:
    """A healer's note to the next tick. Each note has an `id` of its own."""

    id: str
    ts: datetime
    text: str


HealAction = Literal["none", "restore", "panic"]


@dataclass(frozen=True)
class HealHistory:
    """A healer's view of a loop.

    `ticks` are in the order of their numbers. `snapshots` are the numbers of the ticks that can be
    restored. `recoveries` and `panic_flares` are times. `recovered_tick` is the number of the last
    tick before the newest recovery, 0 if there was none. `trouble` says what is broken and cannot
    be mended by a snapshot, such as a state file that cannot be read; it is empty if all is well.
    """

    ticks: tuple[TickRecord, ...] = ()
    snapshots: tuple[int, ...] = ()
    recoveries: tuple[datetime, ...] = ()
    panic_flares: tuple[datetime, ...] = ()
    recovered_tick: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class HealConfig:
    """The healer's limits: failed ticks in a row that need healing, recoveries that are too many
    within `window_hours`, and the minutes between two flares of one panic."""

    failures: int = 5
    recoveries: int = 3
    window_hours: float = 24.0
    flare_minutes: float = 60.0


@dataclass(frozen=True)
class Decision:
    """A healer's decision: restore the snapshot of the tick `snapshot`, panic, or nothing.

    With `flare`, a person is notified now. `reason` is a sentence for the log.
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
        recall: Whether a tick's prompt holds what memory knows about the goal.
        recall_k: How many paragraphs of memory it holds.
        evolve: Whether the agent may change its own files after the loop.
        ask_before_evolving: Whether such a change waits for a person.
        max_conversation_chars: How many characters of prompts and answers are kept.
        stuck_after: Equal ticks in a row after which a tick counts as failed, 2 or more; 0 for
            never.
        tell_budget: Whether a tick's prompt says what is left of the budget.
    """

    checkpoint_interval: int = 5
    success_command: tuple[str, ...] = ()
    success_timeout: float = 60.0
    max_failures: int = 5
    recall: bool = True
    recall_k: int = 3
    evolve: bool = True
    ask_before_evolving: bool = False
    max_conversation_chars: int = 20_000
    stuck_after: int = 0
    tell_budget: bool = True


@dataclass(frozen=True)
class EvolvedConfig:
    """The agent's own Markdown files, a field each.

    A person writes `constitution`, `identity` and `persona`: its rules, who it is, how it speaks.
    The agent adds to `knowledge` and `recovery`: what it knows, and what helped after errors.
    """

    constitution: str = ""
    identity: str = ""
    persona: str = ""
    knowledge: str = ""
    recovery: str = ""


@dataclass(frozen=True)
class TickParts:
    """The parts of a tick's prompt. A part that is empty is left out. `recalled` are paragraphs of
    memory."""

    architecture: str = ""
    config: EvolvedConfig = field(default_factory=EvolvedConfig)
    recalled: tuple[str, ...] = ()
    healer_note: str = ""
    directive: str = ""
    budget: str = ""
    goal: str = ""
    state: str = ""
    feedback: str = ""


MAX_FAILURES = 5
INTERVAL = 5
MIN_PLANNED_TICKS = 10
"""A shorter loop has no reviews: it would be over before one could help."""

DEFAULTS = HealConfig()
