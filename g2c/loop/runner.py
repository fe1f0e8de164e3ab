"""The loop itself: ticks, one after the other, until there is a reason to end.

The idea to take away: between two ticks everything is on the disk and nothing is in memory. So the
loop may be killed at any moment, and the next process goes on as if it had been this one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path

from g2c.exercise import exercise
from g2c.inference import Backend
from g2c.loop.base import (
    Budget,
    HealerNote,
    LoopConfig,
    LoopState,
    Signals,
    TickParts,
    TickRecord,
)
from g2c.loop.checkpoint import Judge, after_checkpoint, checkpoint_due
from g2c.loop.closing import close_loop
from g2c.loop.config import read_config
from g2c.loop.files import LoopFiles
from g2c.loop.heal import read_history
from g2c.loop.locking import alone
from g2c.loop.loop_tools import Desk, make_loop_tools
from g2c.loop.note import note_for, remove_if_shown
from g2c.loop.opening import open_loop
from g2c.loop.prompt import build_tick_prompt
from g2c.loop.prompts import ARCHITECTURE
from g2c.loop.snapshots import take_snapshot
from g2c.loop.state import read_state, write_state
from g2c.loop.status import next_status  # noqa: F401  (for `run`)
from g2c.loop.success import succeeds
from g2c.loop.tick import AgentFactory, OnStep, state_after, work_on
from g2c.loop.ticklog import (
    append_tick,
    extend,
    read_conversation,
    read_ticks,
    write_conversation,
)
from g2c.memory.store import MemoryStore, utc_now


class LoopRunner:
    """Runs the loop in the folder `root`.

    Args:
        agent_factory: Makes a fresh agent for each tick; it is given the loop's own tools.
        store: The memory that ticks recall from and that remembers the loop; None for none.
        config: How the loop runs.
        root: The loop's folder, made where it is missing; see `LoopFiles`.
        backend: Who reviews the loop and lets it evolve; None: neither takes place.
        work: Where the success command runs; `root/work` if it is not given.
        now: The clock on the wall; its times have a zone.
        clock: The clock that measures, in seconds.
        on_tick: Called with state and record of a tick once both are on the disk.
        on_step: Called with each step of an agent as soon as it is over.
        tell: Called with a sentence where something went wrong that costs the loop nothing.
    """

    def __init__(
        self,
        agent_factory: AgentFactory,
        store: MemoryStore | None,
        config: LoopConfig,
        root: Path,
        *,
        backend: Backend | None = None,
        work: Path | None = None,
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
        on_tick: Callable[[LoopState, TickRecord], None] | None = None,
        on_step: OnStep | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.agent_factory = agent_factory
        self.store = store
        self.config = config
        self.files = LoopFiles(Path(root))
        self.backend = backend
        self.work = work or self.files.work
        self.now = now
        self.clock = clock
        self.on_tick = on_tick
        self.on_step = on_step
        self.tell = tell or (lambda sentence: None)
        self._committed_at = 0.0
        self._reviewed_for = 0
        """The clock when the last tick was committed, or the loop opened, and the tokens of a
        review since then: the next tick pays for all that comes before its own commit, so that no
        cost falls between two questions to `next_status`."""

    @exercise("22.3")
    def run(self, goal: str | None = None, budget: Budget | None = None) -> LoopState:
        """Run a loop until it ends, and return its last state: a new one for `goal`, or, without a
        goal, the one that lies in the folder. `budget` is its budget, or its new one.

        You have:

        - `self._alone()`: for a `with`, in which no other process runs or heals this loop
        - `self._open(goal, budget)`: the state to begin with, as it is on the disk by then
        - `self._failures_in_a_row(state)`: how many ticks have failed up to that state, one after
          the other, in this process or in others before it; of a tick that is not committed yet it
          does not know
        - `self._signals()`: asks for the stop file, and the success command
        - `next_status(...)` (22.2); `self.config.max_failures`; `dataclasses.replace`
        - `self._tick(state)`: runs one tick; gives the state after it, still as `running`, with its
          number and cost, and the tick's record. It writes nothing. An agent that breaks makes the
          record's outcome `failed`.
        - `self._commit(after, record)`: puts both on the disk
        - `self._review(state)`: has the ticks on the disk reviewed if a checkpoint is due, and
          gives the state with the feedback, which is on the disk by then
        - `self._interrupted()`: after Ctrl-C; gives the last state on the disk, now as `stopped`
        - `self._close(last)`: for a state that is no longer `running`: puts it on the disk, and
          does what follows a loop

        All of it takes place alone. The state that you open may have ended: then there is no tick.
        Otherwise `next_status` is asked, after every tick and before the first one, for which there
        is no outcome but `continue`; ticks follow while its answer is `running`. Failures in a row
        are counted across restarts.

        A tick is committed with its status before anything else follows. It is reviewed after that,
        unless it was the last one. A `KeyboardInterrupt` in a tick, a commit or a review ends the
        loop: a tick that was not committed never was. Any other exception passes through, and what
        is on the disk stays as it is.

        However a loop ended, it is closed, once, when all of this is over.

        Raises:
            LoopError: another process is at work on this loop; it cannot be begun or gone on with;
                the success command is no program.
            OSError: a file cannot be read or written.
        """
        raise NotImplementedError

    def _alone(self) -> AbstractContextManager[None]:
        return alone(self.files.lock)

    def _open(self, goal: str | None, budget: Budget | None) -> LoopState:
        self.work.mkdir(parents=True, exist_ok=True)
        self._committed_at, self._reviewed_for = self.clock(), 0
        return open_loop(self.files, goal, budget, self.now())

    def _failures_in_a_row(self, state: LoopState) -> int:
        """The failed ticks at the end of the log, of those after the healer's last recovery."""
        recovered = read_history(self.files.root).recovered_tick
        ticks = read_ticks(self.files.ticks, state.tick)
        failed = takewhile(
            lambda record: record.outcome == "failed" and record.tick > recovered, reversed(ticks)
        )
        return sum(1 for _ in failed)

    def _signals(self) -> Signals:
        return Signals(self.files.stop.exists(), self._goal_is_reached())

    def _goal_is_reached(self) -> bool | None:
        command = self.config.success_command
        return succeeds(command, self.work, self.config.success_timeout) if command else None

    def _tick(self, state: LoopState) -> tuple[LoopState, TickRecord]:
        note = note_for(self.files.healer_note, state)
        parts = self._parts(state, note)
        prompt, desk = build_tick_prompt(parts), Desk()
        tools = make_loop_tools(desk, self._goal_is_reached)
        work = work_on(prompt, tools, self.agent_factory, self.on_step)
        is_done = desk.summary is not None
        record = TickRecord(
            tick=state.tick + 1,
            ts=self.now(),
            outcome="failed" if work.error else "done" if is_done else "continue",
            prompt=prompt,
            answer=work.answer or desk.summary or "",
            error=work.error,
            actions=work.actions,
            tokens=work.tokens + self._reviewed_for,
            seconds=self.clock() - self._committed_at,
            recalled=parts.recalled,
            feedback=parts.feedback,
            note=note.id if note else "",
        )
        return state_after(state, record, desk), record

    def _parts(self, state: LoopState, note: HealerNote | None) -> TickParts:
        return TickParts(
            architecture=ARCHITECTURE,
            config=read_config(self.files.agent),
            recalled=self._recall(state.goal),
            healer_note=note.text if note else "",
            directive=state.directive,
            goal=state.goal,
            state=state.body,
            feedback=state.feedback,
        )

    def _recall(self, goal: str) -> tuple[str, ...]:
        if self.store is None or not self.config.recall:
            return ()
        try:
            return tuple(hit.excerpt for hit in self.store.recall(goal, self.config.recall_k))
        except (ValueError, OSError) as error:
            self.tell(f"Nothing was recalled: {error}")
            return ()

    def _commit(self, state: LoopState, record: TickRecord) -> None:
        """Replacing the state file is what counts: all before it can be done again, all after it
        can be left undone."""
        files = self.files
        append_tick(files.ticks, record)
        conversation = read_conversation(files.conversation)
        kept = extend(conversation, record, self.config.max_conversation_chars)
        write_conversation(files.conversation, kept)
        write_state(files.state, state)
        if record.outcome != "failed":
            take_snapshot(files, state.tick)
        remove_if_shown(files.healer_note, state)
        self._committed_at, self._reviewed_for = self.clock(), 0
        if self.on_tick:
            self.on_tick(state, record)

    def _review(self, state: LoopState) -> LoopState:
        due = checkpoint_due(state.tick, state.budget.ticks, self.config.checkpoint_interval)
        if self.backend is None or not due:
            return state
        try:
            judge = Judge(self.backend, self.tell)
            feedback = judge(state, read_conversation(self.files.conversation))
            self._reviewed_for = feedback.tokens if feedback else 0
            state = after_checkpoint(state, feedback)
        except Exception as error:
            self.tell(f"The review was left out ({type(error).__name__}: {error}).")
        write_state(self.files.state, state)
        return state

    def _interrupted(self) -> LoopState:
        state = read_state(self.files.state)
        if state.status == "running":
            state = replace(state, status="stopped", updated=self.now())
            write_state(self.files.state, state)
        return state

    def _close(self, state: LoopState) -> None:
        write_state(self.files.state, state)
        remove_if_shown(self.files.healer_note, state)
        self.files.stop.unlink(missing_ok=True)
        close_loop(
            self.files,
            state,
            store=self.store,
            backend=self.backend if self.config.evolve else None,
            now=self.now(),
            tell=self.tell,
        )
