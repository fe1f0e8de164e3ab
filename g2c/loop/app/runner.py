"""The runner: your functions around an agent, and everything between two ticks on the disk.

Between two ticks nothing is in memory. So the loop may be killed at any moment, and the next
process goes on as if it had been this one.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from pathlib import Path

from g2c.agent import AgentStep
from g2c.critic.app.measured import Measurement
from g2c.inference import Backend, RecordingBackend
from g2c.loop.app.claims import GateFactory, refusal, with_absent_files
from g2c.loop.app.lifecycle import close_loop, open_loop
from g2c.loop.app.recovery import read_history
from g2c.loop.app.review import Checkpoint, tokens_in
from g2c.loop.build_tick_prompt import build_tick_prompt
from g2c.loop.core.base import BaseRunner
from g2c.loop.core.checkpoint import checkpoint_due
from g2c.loop.core.delegate import SharedBudget
from g2c.loop.core.folder import LoopFiles, exclusive
from g2c.loop.core.identity import read_config
from g2c.loop.core.inbox import Message, claim, unread, with_messages
from g2c.loop.core.journal import (
    append_tick,
    extend,
    note_for,
    read_conversation,
    read_ticks,
    remove_if_shown,
    take_snapshot,
    write_conversation,
)
from g2c.loop.core.loop_tools import TickOutput, make_loop_tools
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.success import succeeds
from g2c.loop.core.tick import AgentFactory, OnStep, Work, state_after, to_each, tokens_of, work_on
from g2c.loop.core.types import (
    Budget,
    HealerNote,
    LoopConfig,
    LoopError,
    LoopState,
    Signals,
    TickParts,
    TickRecord,
)
from g2c.loop.core.words import ARCHITECTURE, budget_left
from g2c.loop.is_stuck import is_stuck
from g2c.loop.run import run as run_loop
from g2c.memory import MemoryStore
from g2c.memory.app.store import utc_now
from g2c.text import named_reason, reason_of
from g2c.tools import Tool
from g2c.tracing import traced

STUCK = "The ticks repeat: the same prompt, the same actions, the same answer."
"""The error of a tick that broke nothing and changed nothing."""


class LoopRunner(BaseRunner):
    """Runs the loop in the folder `root`.

    Args:
        agent_factory: Makes a fresh agent for each tick; it is given the loop's own tools.
        store: The memory that ticks recall from and that remembers the loop, or None.
        config: How the loop runs.
        root: The loop's folder, which is made if it is missing; see `LoopFiles`.
        backend: The model that reviews the loop and lets it evolve. None: neither takes place.
        measured: How well the reviewer did on that model. Its advice reaches the agent only if it
            can tell good from broken.
        gate: Makes the critic that a claim to be done has to satisfy where there is no success
            command. None: the claim is enough.
        work: The folder of the success command; `root/work` by default.
        now: The time, with its zone.
        clock: A clock for durations, in seconds.
        on_tick: Called with state and record of each tick, once both are on the disk.
        on_step: Called with each step of an agent, once it is over.
        on_wait: Called with what the loop waits for from now on: `agent`, `judge`, `success
            command`, `a person` or `evolution`.
        before_tick: Called with the state and the person's messages as a tick begins. It may wait;
            nobody is charged for that time. A KeyboardInterrupt ends the loop.
        quote: Formats recalled text for the model.
        tell: Called with a sentence about a failure that does not stop the loop.
        tokens_today: Ends the loop at so many tokens in all, if that is fewer than its own budget,
            which stays as it is.
        delegates: What the agents' delegates may spend, and have spent. A tick is charged for what
            they spend while it runs, and lets them spend what is left of the loop's own tokens.
    """

    def __init__(
        self,
        agent_factory: AgentFactory,
        store: MemoryStore | None,
        config: LoopConfig,
        root: Path,
        *,
        backend: Backend | None = None,
        measured: Measurement | None = None,
        gate: GateFactory | None = None,
        work: Path | None = None,
        now: Callable[[], datetime] = utc_now,
        clock: Callable[[], float] = time.monotonic,
        on_tick: Callable[[LoopState, TickRecord], None] | None = None,
        on_step: OnStep | None = None,
        on_wait: Callable[[str], None] | None = None,
        before_tick: Callable[[LoopState, tuple[Message, ...]], None] | None = None,
        quote: Callable[[str], str] = str,
        tell: Callable[[str], None] | None = None,
        tokens_today: int | None = None,
        delegates: SharedBudget | None = None,
    ) -> None:
        self.agent_factory = agent_factory
        self.store = store
        self.config = config
        self.files = LoopFiles(Path(root))
        self.backend = backend
        self.gate = gate
        tell = tell or (lambda sentence: None)
        self.checkpoint = Checkpoint(backend, measured, tell) if backend else None
        self.work = work or self.files.work
        self.now = now
        self.clock = clock
        self.on_tick = on_tick
        self.on_step = on_step
        self.on_wait = on_wait or (lambda whom: None)
        self.before_tick = before_tick
        self.quote = quote
        self.tell = tell
        self.tokens_today = tokens_today
        self.delegates = delegates or SharedBudget(Budget(ticks=1))
        self._own_tokens: int | None = None
        self._has_ticked = False
        self._success_trouble = ""
        """Why the success command could not be run when it was last needed."""
        self._on_disk: LoopState | None = None
        self._told_of_reviewer = False
        self._committed_at = 0.0
        self._uncharged = 0
        """Time of the last commit, and tokens spent since, by a review or a tick. The next commit
        charges both, or an interruption does, so that no cost falls between two of them."""

    run = run_loop

    def exclusive(self) -> AbstractContextManager[None]:
        return exclusive(self.files.lock)

    def open(self, goal: str | None, budget: Budget | None) -> LoopState:
        self.work.mkdir(parents=True, exist_ok=True)
        self._committed_at, self._uncharged = self.clock(), 0
        self._on_disk = state = open_loop(self.files, goal, budget, self.now())
        self._own_tokens, self._has_ticked = state.budget.tokens, state.tick > 0
        both = (self._own_tokens, self.tokens_today)
        bounds = [bound for bound in both if bound is not None]
        return _with_tokens(state, min(bounds, default=None))

    def _write(self, state: LoopState) -> None:
        """Replace the state file, unless this is what it holds already. The day's bound is not the
        loop's."""
        state = _with_tokens(state, self._own_tokens)
        if state != self._on_disk:
            write_state(self.files.state, state)
            self._on_disk = state

    def failures_in_a_row(self, state: LoopState) -> int:
        recovered = read_history(self.files.root).recovered_tick
        ticks = read_ticks(self.files.ticks, state.tick)
        failed = takewhile(
            lambda record: record.outcome == "failed" and record.tick > recovered, reversed(ticks)
        )
        return sum(1 for _ in failed)

    def signals(self) -> Signals:
        return Signals(self.files.stop.exists(), self._goal_is_reached())

    def _goal_is_reached(self) -> bool | None:
        command = self.config.success_command
        if not command:
            return None
        self.on_wait("success command")
        self._success_trouble = ""
        try:
            return succeeds(command, self.work, self.config.success_timeout)
        except LoopError as error:
            if not self._has_ticked:
                raise  # nothing is lost yet, and a person is there to mend it
            self._success_trouble = str(error)
            return False
        finally:
            self.on_wait("agent")

    @traced("tick")
    def tick(self, state: LoopState) -> tuple[LoopState, TickRecord]:
        self._has_ticked = True
        note = note_for(self.files.healer_note, state)
        parts = self._parts(state, note)
        messages = self._messages(state)
        if self.before_tick:
            began = self.clock()
            try:
                self.before_tick(state, messages)
            finally:
                self._committed_at += self.clock() - began
        prompt, output = with_messages(build_tick_prompt(parts), messages), TickOutput()
        log = RecordingBackend(self.backend) if self.backend and self.gate else None
        critic = self.gate(log) if log and self.gate else None
        tools = make_loop_tools(
            output,
            lambda claim: refusal(state.goal, claim, self._goal_is_reached(), critic),
            self._noted,
        )
        self.on_wait("agent")
        if self._success_trouble:  # nothing that is done could be found to be done
            work = Work("", self._success_trouble, ())
        else:
            work = self._charged(state, log, prompt, tools)
        is_done = output.summary is not None
        record = TickRecord(
            tick=state.tick + 1,
            ts=self.now(),
            outcome="failed" if work.error else "done" if is_done else "continue",
            prompt=prompt,
            answer=self._noted(work.answer) or output.summary or "",
            error=work.error,
            actions=work.actions,
            tokens=self._uncharged,
            seconds=self.clock() - self._committed_at,
            recalled=parts.recalled,
            feedback=parts.feedback,
            note=note.id if note else "",
            messages=tuple(message.id for message in messages),
            budget=parts.budget,
        )
        if record.outcome == "continue" and self._is_stuck(record):
            record = replace(record, outcome="failed", error=STUCK)
        return state_after(state, record, output), record

    def _noted(self, text: str) -> str:
        return with_absent_files(text, self.work)

    def _charged(
        self, state: LoopState, log: RecordingBackend | None, prompt: str, tools: Sequence[Tool]
    ) -> Work:
        """The work of an agent, which is paid for even if a person interrupts it."""
        steps: list[AgentStep] = []
        before, bound = self.delegates.spent.tokens, state.budget.tokens
        left = None if bound is None else bound - state.spent.tokens - self._uncharged
        self.delegates.allow(left)
        try:
            return work_on(prompt, tools, self.agent_factory, to_each(steps.append, self.on_step))
        finally:
            self._uncharged += sum(map(tokens_of, steps))
            self._uncharged += self.delegates.spent.tokens - before
            self._uncharged += tokens_in(log) if log else 0

    def _messages(self, state: LoopState) -> tuple[Message, ...]:
        claim(self.files.shared_inbox, self.files.inbox)
        ticks = read_ticks(self.files.ticks, state.tick)
        return unread(self.files.inbox, {id for tick in ticks for id in tick.messages})

    def _is_stuck(self, newest: TickRecord) -> bool:
        """Whether ticks repeat, apart from the budget's sentence. A tick that failed only because
        it is stuck counts as a repeat, so failures add up until something changes."""
        if not self.config.stuck_after:
            return False
        ticks = [*read_ticks(self.files.ticks, newest.tick - 1), newest]
        repeated = [
            replace(
                tick,
                prompt=tick.prompt.replace(tick.budget, ""),
                outcome="continue" if tick.error == STUCK else tick.outcome,
            )
            for tick in ticks
        ]
        return is_stuck(repeated, self.config.stuck_after)

    def _parts(self, state: LoopState, note: HealerNote | None) -> TickParts:
        return TickParts(
            architecture=ARCHITECTURE,
            config=read_config(self.files.agent),
            recalled=self._recall(state.goal),
            healer_note=note.text if note else "",
            directive=state.directive,
            budget=budget_left(state.budget, state.spent) if self.config.tell_budget else "",
            goal=state.goal,
            state=state.body,
            feedback=state.feedback,
        )

    def _recall(self, goal: str) -> tuple[str, ...]:
        if self.store is None or not self.config.recall:
            return ()
        try:
            return tuple(
                self.quote(hit.excerpt) for hit in self.store.recall(goal, self.config.recall_k)
            )
        except (ValueError, OSError) as error:
            self.tell(f"Nothing was recalled: {reason_of(error)}")
            return ()

    def commit(self, state: LoopState, record: TickRecord) -> None:
        # Replacing the state file commits the tick. After a crash before it, the tick runs again;
        # the steps after it can be lost.
        files = self.files
        append_tick(files.ticks, record)
        conversation = read_conversation(files.conversation)
        kept = extend(conversation, record, self.config.max_conversation_chars)
        write_conversation(files.conversation, kept)
        self._write(state)
        self._committed_at, self._uncharged = self.clock(), 0
        if record.outcome != "failed":
            take_snapshot(files, state.tick)
        remove_if_shown(files.healer_note, state)
        if self.on_tick:
            self.on_tick(state, record)

    def review(self, state: LoopState) -> LoopState:
        due = checkpoint_due(state.tick, state.budget.ticks, self.config.checkpoint_interval)
        if self.checkpoint is None or not due:
            return state
        self.on_wait("judge")
        log = RecordingBackend(self.checkpoint.backend)
        review, feedback = replace(self.checkpoint, backend=log), ""
        try:
            feedback = review(state, read_conversation(self.files.conversation))
        except Exception as error:
            self.tell(f"The review was left out ({named_reason(error)}).")
        finally:
            self._uncharged += tokens_in(log)
        if not feedback:
            return state
        if self.checkpoint.is_believed:
            state = replace(state, feedback=feedback)
        else:
            if not self._told_of_reviewer:
                self.tell(self.checkpoint.why_not_believed)
                self._told_of_reviewer = True
            self.tell(f"After tick {state.tick}: {feedback}")
        self._write(state)
        return state

    def interrupted(self) -> LoopState:
        state = read_state(self.files.state)
        if state.status == "running":
            spent = replace(
                state.spent,
                tokens=state.spent.tokens + self._uncharged,
                seconds=state.spent.seconds + self.clock() - self._committed_at,
            )
            state = replace(state, status="stopped", updated=self.now(), spent=spent)
            self._write(state)
        return state

    def close(self, state: LoopState) -> None:
        self._write(state)
        remove_if_shown(self.files.healer_note, state)
        self.files.stop.unlink(missing_ok=True)
        log = RecordingBackend(self.backend) if self.backend and self.config.evolve else None
        if log:
            self.on_wait("evolution")
        try:
            close_loop(
                self.files,
                state,
                store=self.store,
                backend=log,
                now=self.now(),
                tell=self.tell,
                ask=self.config.ask_before_evolving,
            )
        finally:
            if log:
                self._charge(state, tokens_in(log))

    @contextmanager
    def charged(self, backend: Backend) -> Iterator[Backend]:
        """`backend` for work after the loop's end, such as a dream. Its calls inside the `with`
        count to what the loop has spent, and so to its day's tokens."""
        log = RecordingBackend(backend)
        try:
            yield log
        finally:
            if tokens := tokens_in(log):
                try:
                    with self.exclusive():
                        self._charge(read_state(self.files.state), tokens)
                except LoopError as error:
                    self.tell(f"{tokens:,} tokens are not in what the loop has spent: {error}")

    def _charge(self, state: LoopState, tokens: int) -> None:
        spent = replace(state.spent, tokens=state.spent.tokens + tokens)
        self._write(replace(state, spent=spent))


def _with_tokens(state: LoopState, tokens: int | None) -> LoopState:
    return replace(state, budget=replace(state.budget, tokens=tokens))
