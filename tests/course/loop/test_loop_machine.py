"""Runner and healer in any order: success, failure, crash, stop, the budget's end, a corrupt state
file, time that passes. Whatever happens, what the invariants say is so."""

import functools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from crashing import Crash, crash_at
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from g2c.agent import AgentRunResult, AgentStep
from g2c.inference import InferenceResult
from g2c.loop.app.recovery import heal, read_events
from g2c.loop.app.runner import LoopRunner
from g2c.loop.core import state
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.journal import read_ticks
from g2c.loop.core.state import StateError, read_state, write_state
from g2c.loop.core.types import Budget, LoopConfig, LoopState, TickRecord
from g2c.tools import Tool

HOUR = timedelta(hours=1)
NEVER = 10**6
CALL_TOKENS = 25
GARBAGE = [b"", b"\xff", b"---\ngoal: [\n---\n", b"---\ntick: -1\n---\n"]
NOTED = "Your state is again as it was"

ticks = st.sampled_from(["well", "fails", "done", "stop", "interrupt", "crash"])
scripts = st.lists(ticks, min_size=1, max_size=6)
few_writes = st.just(NEVER) | st.integers(0, 10)
writes = st.just(NEVER) | st.integers(0, 40)
torn_bytes = st.sampled_from([0, 1, 30])
hours = st.sampled_from([1 / 60, 0.5, 1, 6, 12, 23.5, 24])
budgets = st.builds(
    Budget,
    ticks=st.none() | st.integers(20, 60),
    tokens=st.none() | st.integers(300, 1_500),
    seconds=st.none() | st.integers(100, 400),
)


class LoopMachine(RuleBasedStateMachine):
    """A loop's folder, all that was acknowledged of it, and a clock."""

    @initialize(budget=budgets, max_failures=st.sampled_from([5, 5, 7]))
    def begin(self, budget: Budget, max_failures: int) -> None:
        self.folder = TemporaryDirectory()
        self.files = LoopFiles(Path(self.folder.name) / "loop")
        self.config = LoopConfig(max_failures=max_failures, evolve=False, recall=False)
        self.now = datetime(2026, 4, 21, 12, tzinfo=UTC)
        self.seconds = 0.0
        self.interrupts = 0
        self.script: list[str] = []
        self.acknowledged: dict[int, TickRecord] = {}
        self.restored: dict[int, datetime] = {}
        """When the state was restored, by the tick after which it was."""
        self._run("Tidy up.", budget, ["well"])

    @property
    def state(self) -> LoopState:
        return read_state(self.files.state)

    @rule(script=scripts, write=writes, torn=torn_bytes)
    def run_on(self, script: list[str], write: int, torn: int) -> None:
        with crash_at(write, torn):
            self._run(None, None, script)

    @rule(failures=st.sampled_from([5, 7]), write=few_writes, torn=torn_bytes)
    def fail_until_it_is_healed(self, failures: int, write: int, torn: int) -> None:
        if self.state.status == "done":  # somebody finds that it is not
            write_state(self.files.state, replace(self.state, status="running"))
        more = Budget() if self.state.status == "budget_exceeded" else None
        self._run(None, more, [*["fails"] * failures, "crash"])
        self.have_it_healed(write, torn)

    @rule(budget=budgets)
    @precondition(lambda self: self.state.status == "budget_exceeded")
    def give_more(self, budget: Budget) -> None:
        more = {
            name: bound and bound + getattr(self.state.spent, name)
            for name, bound in vars(budget).items()
        }
        self._run(None, Budget(**more), ["well"])

    @rule()
    def ask_to_stop(self) -> None:
        self.files.stop.touch()

    @rule(write=few_writes, torn=torn_bytes)
    def have_it_healed(self, write: int, torn: int) -> None:
        before = self.files.state.read_bytes()
        with crash_at(write, torn), suppress(Crash):
            result = heal(self.files.root, self.now)
            assert not result.unsent
            if result.decision.action == "restore":
                assert heal(self.files.root, self.now).decision.action == "none", "made twice"
        if self.files.state.read_bytes() != before:
            self.restored[self.state.tick] = self.now

    @rule(hours=hours)
    def let_time_pass(self, hours: float) -> None:
        self.now += hours * HOUR

    @rule(garbage=st.sampled_from(GARBAGE), waits=st.lists(hours, max_size=2))
    def corrupt_for_a_while(self, garbage: bytes, waits: list[float]) -> None:
        good = self.files.state.read_bytes()
        self.files.state.write_bytes(garbage)
        with pytest.raises(StateError):
            self._run(None, None, ["well"])
        for wait in waits:
            assert heal(self.files.root, self.now).decision.action == "panic"
            self.let_time_pass(wait)
        assert self.files.state.read_bytes() == garbage
        copies = self.files.root.glob("state.md.unreadable-*")
        assert garbage in {copy.read_bytes() for copy in copies}
        self.files.state.write_bytes(good)

    @invariant()
    def no_acknowledged_tick_is_lost(self) -> None:
        state = self.state
        kept = {record.tick: record for record in read_ticks(self.files.ticks, state.tick)}
        assert kept.items() >= self.acknowledged.items()
        assert sorted(kept) == list(range(1, state.tick + 1)), "a number is missing"
        assert state.spent.ticks == state.tick
        unrecorded = state.spent.tokens - sum(record.tokens for record in kept.values())
        assert unrecorded % CALL_TOKENS == 0, "only whole calls of interrupted ticks are in no tick"
        assert 0 <= unrecorded <= CALL_TOKENS * self.interrupts

    @invariant()
    def at_most_3_recoveries_in_any_24_hours(self) -> None:
        times = sorted(self.restored.values())
        for first, fourth in zip(times, times[3:], strict=False):
            assert fourth - first >= 24 * HOUR

    @invariant()
    def at_most_one_flare_an_hour_in_panic(self) -> None:
        flares = [event.ts for event in read_events(self.files.flares) if event.kind == "panic"]
        for flare, following in pairwise(flares):
            assert following - flare >= HOUR

    @invariant()
    def a_note_is_seen_by_exactly_one_tick(self) -> None:
        kept = {record.tick: record for record in read_ticks(self.files.ticks, self.state.tick)}
        notes = [record.note for record in kept.values() if record.note]
        assert len(notes) == len(set(notes)), "a note was shown twice"
        for record in kept.values():
            assert bool(record.note) == (NOTED in record.prompt)
        for tick in self.restored:
            if tick + 1 in kept:
                assert kept[tick + 1].note.endswith(f"-{tick}"), "a note was not shown"

    def teardown(self) -> None:
        self.folder.cleanup()

    def _run(self, goal: str | None, budget: Budget | None, script: list[str]) -> None:
        """Run the loop; each tick is the next one of the script, and after it comes Ctrl-C."""
        self.script = list(script)
        runner = LoopRunner(
            lambda tools: ScriptedAgent(self, tools),  # type: ignore[arg-type, return-value]
            None,
            self.config,
            self.files.root,
            now=lambda: self.now,
            clock=lambda: self.seconds,
            on_tick=self._acknowledge,
        )
        with suppress(Crash):
            runner.run(goal, budget)

    def _acknowledge(self, state: LoopState, record: TickRecord) -> None:
        self.acknowledged[record.tick] = record
        for name, bound in vars(state.budget).items():
            cost = 1 if name == "ticks" else getattr(record, name)
            spent = getattr(state.spent, name)
            assert bound is None or spent - cost < bound, f"{name} were used up before this tick"


class ScriptedAgent:
    """The agent of one tick, which does what the machine's script says next."""

    def __init__(self, machine: LoopMachine, tools: Sequence[Tool]) -> None:
        self.machine = machine
        self.tools = {tool.name: tool.func for tool in tools}
        self.on_step: Callable[[AgentStep], None] = lambda step: None

    def run(self, prompt: str) -> AgentRunResult:
        what = self.machine.script.pop(0) if self.machine.script else "interrupt"
        call = InferenceResult(prompt, "", 20, 5, 0.0, "scripted")
        self.on_step(AgentStep("", inference=call))
        self.machine.seconds += 7
        if what == "interrupt":
            self.machine.interrupts += 1
            raise KeyboardInterrupt
        if what == "crash":
            raise Crash
        self.tools["update_state"](text=f"After {what}.")
        if what == "fails":
            raise RuntimeError("It broke.")
        if what == "done":
            self.tools["finish"](summary="All is done.")
        if what == "stop":
            self.machine.files.stop.touch()
        return AgentRunResult(prompt, None, what, (), "final_answer")


@pytest.fixture(autouse=True)
def parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same texts are read again and again, and YAML takes most of the time."""
    monkeypatch.setattr(state, "_parse", functools.lru_cache(state._parse))


@pytest.mark.slow
def test_runner_and_healer_keep_their_promises_in_any_order_of_events() -> None:
    run_state_machine_as_test(
        LoopMachine,
        settings=settings(
            max_examples=30,
            stateful_step_count=40,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
