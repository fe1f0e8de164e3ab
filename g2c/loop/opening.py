"""How a loop begins, or goes on.

The idea to take away: a new loop and one that was killed in its twelfth tick begin alike, by a
state that is on the disk. So there is one way in, and it is used, and tested, every time.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from g2c.loop.base import Budget, LoopError, LoopState, Spent
from g2c.loop.config import ensure_config
from g2c.loop.files import LoopFiles
from g2c.loop.state import read_state, write_state


def open_loop(
    files: LoopFiles, goal: str | None, budget: Budget | None, now: datetime
) -> LoopState:
    """The state to begin with, as it is on the disk when this returns.

    With a goal, a new loop's; the files of one that ended before move to `past/`, while what the
    agent has learned stays. Without a goal, that of the loop that there is, with `budget` as its
    new budget if one is given; where it was stopped or had used up its budget, it is running again.

    Raises:
        LoopError: the goal is blank; there is no loop to go on with, or one that has not ended; its
            state cannot be read.
    """
    ensure_config(files.agent)
    if goal is not None:
        if not goal.strip():
            raise LoopError("A loop needs a goal in words.")
        _set_aside(files)
        state = LoopState(goal.strip(), "running", 0, budget or Budget(), Spent(), now, now)
    else:
        if not files.state.exists():
            raise LoopError(f"There is no loop in {files.root}; g2c loop start begins one.")
        state = read_state(files.state)
        state = replace(state, budget=budget or state.budget)
        if state.status == "stopped":
            # A crash may have come between the end of the loop and that of the request for it.
            files.stop.unlink(missing_ok=True)
        if state.status in ("stopped", "budget_exceeded"):
            state = replace(state, status="running")
    write_state(files.state, state)
    return state


def check_replaceable(files: LoopFiles) -> LoopState | None:
    """The state of the loop whose place a new one may take; None where there is no loop.

    Raises:
        LoopError: the loop has not ended, or its state cannot be read.
    """
    if not files.state.exists():
        return None
    old = read_state(files.state)
    if old.status in ("running", "stopped"):
        raise LoopError(
            f"The loop in {files.root} has not ended; go on with g2c loop resume, or begin the new "
            "one in another folder."
        )
    return old


def _set_aside(files: LoopFiles) -> None:
    if (old := check_replaceable(files)) is None:
        return
    past = files.root / "past" / f"{old.started:%Y%m%d-%H%M%S-%f}"
    past.mkdir(parents=True, exist_ok=True)
    # The state goes last: while it is there, a crash has this done again.
    parts = (files.ticks, files.conversation, files.snapshots, files.healer_note, files.closed)
    for part in (*parts, files.state):
        if part.exists():
            part.rename(past / part.name)
