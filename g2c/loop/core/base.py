"""The argument of your `run`: a loop that has everything but the order in which things happen."""

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from g2c.loop.core.types import Budget, LoopConfig, LoopState, Signals, TickRecord


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
        """The state to begin with, already on the disk. With a goal it is a new loop's, else that
        of the loop in the folder, which may have ended.

        Raises:
            LoopError: the loop cannot be begun or resumed.
        """

    @abstractmethod
    def failures_in_a_row(self, state: LoopState) -> int:
        """How many ticks in a row have failed up to `state`, restarts included. It reads the log,
        so a tick that is not committed yet does not count."""

    @abstractmethod
    def signals(self) -> Signals:
        """Look for the stop file, and run the success command.

        Raises:
            LoopError: the success command cannot be run.
        """

    @abstractmethod
    def tick(self, state: LoopState) -> tuple[LoopState, TickRecord]:
        """Run one tick. Return the state after it, with its number and cost and still `running`,
        and the tick's record. Nothing is written. If the agent breaks, the record's outcome is
        `failed`."""

    @abstractmethod
    def commit(self, state: LoopState, record: TickRecord) -> None:
        """Put a tick and the state after it on the disk."""

    @abstractmethod
    def review(self, state: LoopState) -> LoopState:
        """Have the ticks on the disk reviewed if a checkpoint is due. Return the state with the
        feedback, already on the disk."""

    @abstractmethod
    def interrupted(self) -> LoopState:
        """After Ctrl-C: the last state on the disk, now as `stopped`."""

    @abstractmethod
    def close(self, state: LoopState) -> None:
        """Put a state that is no longer `running` on the disk, and do once what follows a loop."""

    @abstractmethod
    def run(self, goal: str | None = None, budget: Budget | None = None) -> LoopState:
        """Run a loop until it ends; see `g2c.loop.run.run`."""
