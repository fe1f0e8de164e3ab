"""The loop itself: ticks, one after the other, until there is a reason to end.

The idea to take away: between two ticks everything is on the disk and nothing is in memory. So the
loop may be killed at any moment, and the next process goes on as if it had been this one.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.loop.core.base import BaseRunner
from g2c.loop.core.types import Budget, LoopState


@exercise("22.3")
def run(runner: BaseRunner, goal: str | None = None, budget: Budget | None = None) -> LoopState:
    """Run a loop until it ends, and return its last state.

    With a goal it is a new loop, without one the loop that lies in the folder; `budget` is its
    budget, or its new one. `BaseRunner` says what `runner` can do. You also have `next_status`
    (22.2).

    - All of it takes place in `runner.exclusive()`. A state that has ended when it is opened gets
      no tick.
    - Ask `next_status` before the first tick, with the outcome `continue`, and after each tick.
      Keep ticking while it returns `running`. Failures in a row are counted across restarts.
    - A tick is committed with its status before anything else follows. After that it is reviewed,
      unless it was the last.
    - A `KeyboardInterrupt` in a tick, a commit or a review ends the loop as `interrupted` says; a
      tick that was not committed never was. Any other exception passes through, and the disk stays
      as it is.
    - However the loop ended, it is closed, once, at the end.

    Raises:
        LoopError: another process is at work on this loop; it cannot begin or go on; the success
            command is not a program.
        OSError: a file cannot be read or written.
    """
    raise NotImplementedError
