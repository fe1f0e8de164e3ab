"""What your `run` is given: a loop that has everything but the order in which things happen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from g2c.loop.provided.types import Budget, LoopConfig, LoopState, Signals, TickRecord


class BaseRunner(ABC):
    """A loop's runner without its `run`. `LoopRunner` adds yours."""

    config: LoopConfig
    """How the loop runs; `config.max_failures` is for `next_status`."""

    @abstractmethod
    def exclusive(self) -> AbstractContextManager[None]:
        """`with runner.exclusive():` lets no other process run or heal this loop.

        Raises:
            LoopError: another process is at work on it.
        """

    @abstractmethod
    def open(self, goal: str | None, budget: Budget | None) -> LoopState:
        """The state to begin with, which is on the disk by then: a new loop's for a goal, else that
        of the loop in the folder. That one may have ended.

        Raises:
            LoopError: it cannot be begun or gone on with.
        """

    @abstractmethod
    def failures_in_a_row(self, state: LoopState) -> int:
        """How many ticks have failed up to `state`, one after the other, in this process or in
        others before it. It reads the log, so it does not know a tick that is not committed yet."""

    @abstractmethod
    def signals(self) -> Signals:
        """Ask for the stop file, and the success command.

        Raises:
            LoopError: the success command is no program.
        """

    @abstractmethod
    def tick(self, state: LoopState) -> tuple[LoopState, TickRecord]:
        """Run one tick. Gives the state after it, with its number and cost and still as `running`,
        and the tick's record. It writes nothing. An agent that breaks makes the record's outcome
        `failed`."""

    @abstractmethod
    def commit(self, state: LoopState, record: TickRecord) -> None:
        """Put a tick and the state after it on the disk."""

    @abstractmethod
    def review(self, state: LoopState) -> LoopState:
        """Have the ticks on the disk reviewed if a checkpoint is due. Gives the state with the
        feedback, which is on the disk by then."""

    @abstractmethod
    def interrupted(self) -> LoopState:
        """After Ctrl-C: the last state on the disk, now as `stopped`."""

    @abstractmethod
    def close(self, state: LoopState) -> None:
        """For a state that is no longer `running`: put it on the disk, and do what follows a loop,
        once."""

    @abstractmethod
    def run(self, goal: str | None = None, budget: Budget | None = None) -> LoopState:
        """Run a loop until it ends; see `g2c.loop.runner.run`."""
