"""The runner over real files: what it writes, in which order, and what it makes of trouble."""

import itertools
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import Act, acting

from g2c.agent import Agent
from g2c.critic.app.measured import Measurement
from g2c.files import locked
from g2c.inference import BackendError, BackendInfo, ScriptedBackend
from g2c.loop.app.lifecycle import abandon
from g2c.loop.app.recovery import heal
from g2c.loop.app.runner import LoopRunner
from g2c.loop.app.setup import LoopSettings, make_runner
from g2c.loop.core.delegate import SharedBudget
from g2c.loop.core.folder import exclusive, holder
from g2c.loop.core.journal import (
    append_tick,
    extend,
    list_snapshots,
    read_conversation,
    read_note,
    read_ticks,
    take_snapshot,
    write_note,
)
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.success import succeeds
from g2c.loop.core.types import (
    Budget,
    HealConfig,
    HealerNote,
    LoopConfig,
    LoopError,
    LoopState,
    Spent,
    TickRecord,
)
from g2c.memory import MemoryStore
from g2c.tools import ToolRegistry

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
PYTHON = sys.executable
Tools = Mapping[str, Callable[..., Any]]

GOOD_JUDGE = Measurement("criteria", "scripted", "", "2026-04-21", 40, 2, 38, 36, 0.9, 0.8, 1.0)

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


def runner_of(root: Path, act: Act, config: LoopConfig | None = None, **options: Any) -> LoopRunner:
    """A runner whose clocks move by a second and by a minute at each look."""
    wall = (NOON + timedelta(minutes=minute) for minute in itertools.count())
    clock = itertools.count(0.0, 1.0)
    given = {"now": lambda: next(wall), "clock": lambda: next(clock)} | options
    store = given.pop("store", None)
    return LoopRunner(acting(act), store, config or LoopConfig(evolve=False), root, **given)


def idle(prompt: str, tools: Tools) -> str:
    return "I did nothing."


def finishing(prompt: str, tools: Tools) -> str:
    tools["finish"](summary="All is done.")
    return "Done."


def record(tick: int, **fields: Any) -> TickRecord:
    return TickRecord(tick, NOON, **{"outcome": "continue"} | fields)


def test_a_state_is_written_once_for_each_change(tmp_path: Path, monkeypatch: Any) -> None:
    written: list[LoopState] = []

    def counted(file: Path, state: LoopState) -> None:
        written.append(state)
        write_state(file, state)

    monkeypatch.setattr("g2c.loop.app.lifecycle.write_state", counted)
    monkeypatch.setattr("g2c.loop.app.runner.write_state", counted)
    runner_of(tmp_path, idle).run("Sit.", Budget(ticks=3))
    assert [(state.tick, state.status) for state in written] == [
        (0, "running"),
        (1, "running"),
        (2, "running"),
        (3, "budget_exceeded"),
    ]


def test_the_conversation_is_kept_within_the_configured_length(tmp_path: Path) -> None:
    config = LoopConfig(evolve=False, max_conversation_chars=1_500)
    runner_of(tmp_path, lambda prompt, tools: "x" * 600, config).run("Talk.", Budget(ticks=4))
    kept = read_conversation(tmp_path / "conversation.json")
    assert [tick.tick for tick in kept] == [4], "two such ticks are longer than the bound"
    assert sum(len(tick.prompt) + len(tick.answer) for tick in kept) <= 1_500


def test_a_file_that_is_called_written_and_is_not_there_is_noted_for_the_next_tick(
    tmp_path: Path,
) -> None:
    def claim(prompt: str, tools: Tools) -> str:
        (tmp_path / "work" / "a.txt").write_text("a")
        return str(tools["update_state"](text="Done: a.txt, b.txt.\nNext: write c.txt."))

    state = runner_of(tmp_path, claim).run("Write a.txt.", Budget(ticks=1))
    assert state.body == "Done: a.txt, b.txt.\nNext: write c.txt."
    (tmp_path / "again").mkdir()

    def claim_again(prompt: str, tools: Tools) -> str:
        assert "is written" not in prompt
        assert "b.txt" in str(tools["update_state"](text="b.txt is written."))
        return "c.txt is written, d.txt is not written yet."

    state = runner_of(tmp_path / "again", claim_again).run("Write b.txt.", Budget(ticks=1))
    assert state.body == "b.txt is written.\n(Not in the folder: b.txt.)"
    (tick,) = read_ticks(tmp_path / "again" / "ticks.jsonl")
    assert tick.answer.endswith("\n(Not in the folder: c.txt.)")


def test_a_loop_that_repeats_itself_fails_and_can_be_healed(tmp_path: Path) -> None:
    def work_then_idle(prompt: str, tools: Tools) -> str:
        if "half" not in prompt:
            tools["update_state"](text="Done: half.")
        return "I did it."

    config = LoopConfig(evolve=False, stuck_after=3, max_failures=2)
    state = runner_of(tmp_path, work_then_idle, config).run("Tidy up.", Budget(ticks=20))
    ticks = read_ticks(tmp_path / "ticks.jsonl")
    assert [tick.outcome for tick in ticks] == [*["continue"] * 3, "failed", "failed"]
    assert state.status == "failed" and "repeat" in ticks[-1].error
    healed = heal(tmp_path, NOON, config=HealConfig(failures=2))
    assert healed.decision.action == "restore" and healed.decision.snapshot == 3


def test_a_tick_reads_its_budget_and_ticks_that_differ_in_nothing_else_repeat(
    tmp_path: Path,
) -> None:
    read: list[str] = []

    def reads(prompt: str, tools: Tools) -> str:
        read.append(prompt.partition("# Your budget\n\n")[2].partition("\n")[0])
        return "I did nothing."

    config = LoopConfig(evolve=False, stuck_after=3)
    runner_of(tmp_path, reads, config).run("Sit.", Budget(ticks=4, seconds=60))
    assert [name.partition(".")[0] for name in read] == [
        f"This is tick {n} of 4" for n in range(1, 5)
    ]
    assert "of 60 seconds are left." in read[-1] and read[-1] != read[-2]
    ticks = read_ticks(tmp_path / "ticks.jsonl")
    assert ticks[0].budget in ticks[0].prompt and ticks[-1].outcome == "failed", "they repeat"


@pytest.mark.parametrize(("extra", "told"), [({"note": "small"}, False), ({}, True)])
def test_the_model_in_the_box_is_not_told_its_budget(
    extra: dict[str, Any], told: bool, tmp_path: Path
) -> None:
    class Known(ScriptedBackend):
        info = BackendInfo("scripted", "scripted", extra)

    backend = Known(["Final Answer: I did nothing."])
    settings = LoopSettings(recall=False, review=False, evolve=False, claim=True)
    make_runner(tmp_path, settings, backend).run("Sit.", Budget(ticks=1))
    assert ("This is tick 1 of 1." in str(backend.history[0].prompt)) == told


def test_a_loop_that_was_stuck_and_moves_again_goes_on(tmp_path: Path) -> None:
    acts = iter([*["I wait."] * 4, "I see.", *["I wait."] * 2])
    config = LoopConfig(evolve=False, stuck_after=3, max_failures=3)
    runner_of(tmp_path, lambda prompt, tools: next(acts), config).run("Wait.", Budget(ticks=7))
    outcomes = [tick.outcome for tick in read_ticks(tmp_path / "ticks.jsonl")]
    assert outcomes == ["continue"] * 2 + ["failed"] * 2 + ["continue"] * 3


def test_a_loop_leaves_what_the_next_process_needs(tmp_path: Path) -> None:
    def count(prompt: str, tools: Tools) -> str:
        number = prompt.count("|")
        tools["update_state"](text="|" * (number + 1))
        tools["leave_directive"](text=f"Make it {number + 2}.")
        if number == 2:
            tools["finish"](summary="There are three.")
        return f"{number + 1} so far"

    seen: list[tuple[int, str]] = []
    runner = runner_of(tmp_path, count, on_tick=lambda s, r: seen.append((r.tick, s.status)))
    state = runner.run("Make three strokes.", Budget(ticks=9))
    assert (state.status, state.tick, state.body) == ("done", 3, "|||")
    assert read_state(tmp_path / "state.md") == state, "what run returns is on the disk"
    assert seen == [(1, "running"), (2, "running"), (3, "done")]
    ticks = read_ticks(tmp_path / "ticks.jsonl")
    assert [tick.answer for tick in ticks] == ["1 so far", "2 so far", "3 so far"]
    assert [tick.outcome for tick in ticks] == ["continue", "continue", "done"]
    assert "Make it 2." in ticks[1].prompt and "Make it 2." not in ticks[2].prompt
    assert read_conversation(tmp_path / "conversation.json") == ticks
    assert list_snapshots(runner.files) == (1, 2, 3)
    assert read_state(runner.files.snapshot(2) / "state.md").body == "||"
    assert state.spent.ticks == 3 and state.spent.seconds == sum(tick.seconds for tick in ticks)


def test_an_agents_actions_are_counted_and_kept(tmp_path: Path) -> None:
    said = [
        ' It is warm.\nAction: update_state\nAction Input: {"text": "warm"}',
        ' And now?\nAction: update_state\nAction Input: {"page": "x"}',
        " Well.\nFinal Answer: It is warm.",
    ]
    model = ScriptedBackend(said)
    runner = runner_of(tmp_path, idle)
    runner.agent_factory = lambda tools: Agent(model, ToolRegistry(tools), plan=False)
    state = runner.run("Say how it is.", Budget(ticks=1))
    (tick,) = read_ticks(tmp_path / "ticks.jsonl")
    assert (state.status, state.body, tick.answer) == ("budget_exceeded", "warm", "It is warm.")
    assert tick.actions[0] == 'update_state {"text": "warm"} -> The state is kept.'
    assert tick.actions[1].startswith('update_state {"page": "x"} -> [error] Bad arguments')
    written = sum(len(text) // 4 for text in said)
    assert tick.tokens == sum(len(call.prompt) // 4 for call in model.history) + written


def test_an_agent_that_breaks_is_a_failed_tick_with_its_cost(tmp_path: Path) -> None:
    def breaks(prompt: str, tools: Tools) -> str:
        tools["update_state"](text="half done")
        raise BackendError("The server is gone.")

    runner = runner_of(tmp_path, breaks, LoopConfig(max_failures=2, evolve=False))
    state = runner.run("Try.")
    assert (state.status, state.tick, state.body) == ("failed", 2, "half done")
    ticks = read_ticks(tmp_path / "ticks.jsonl")
    assert [tick.error for tick in ticks] == ["BackendError: The server is gone."] * 2
    assert state.spent.seconds > 0 and list_snapshots(runner.files) == ()


def test_a_directive_waits_for_a_tick_that_does_not_break(tmp_path: Path) -> None:
    heard: list[bool] = []

    def act(prompt: str, tools: Tools) -> str:
        heard.append("Look in the attic." in prompt)
        if len(heard) == 1:
            tools["leave_directive"](text="Look in the attic.")
        if len(heard) == 2:
            raise BackendError("busy")
        return "ok"

    runner_of(tmp_path, act).run("Search.", Budget(ticks=4))
    assert heard == [False, True, True, False]


def test_an_exercise_without_a_body_is_not_a_failed_tick(tmp_path: Path) -> None:
    def stub(prompt: str, tools: Tools) -> str:
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        runner_of(tmp_path, stub).run("Try.")
    assert read_ticks(tmp_path / "ticks.jsonl") == ()


def test_finish_is_refused_where_the_check_fails(tmp_path: Path) -> None:
    refused: list[str] = []

    def act(prompt: str, tools: Tools) -> str:
        try:
            tools["finish"](summary="done")
        except Exception as error:
            refused.append(str(error))
            (tmp_path / "work" / "cake").touch()
        return ""

    look = (PYTHON, "-c", "import os, sys; sys.exit(not os.path.exists('cake'))")
    state = runner_of(tmp_path, act, LoopConfig(success_command=look, evolve=False)).run("Bake.")
    assert (state.status, state.tick) == ("done", 1)
    assert refused == ["The goal is not reached: its check fails. Do what is missing."]
    (tick,) = read_ticks(tmp_path / "ticks.jsonl")
    assert tick.outcome == "continue", "what was refused was not said"


def test_ctrl_c_drops_the_tick_and_the_loop_goes_on_with_it(tmp_path: Path) -> None:
    calls = itertools.count(1)

    def act(prompt: str, tools: Tools) -> str:
        if next(calls) == 2:
            tools["update_state"](text="half a tick")
            raise KeyboardInterrupt
        return "ok"

    runner = runner_of(tmp_path, act)
    state = runner.run("Try.", Budget(ticks=3))
    assert (state.status, state.tick, state.body) == ("stopped", 1, "")
    assert holder(runner.files.lock) is None
    assert runner.run().tick == 3
    assert [tick.tick for tick in read_ticks(runner.files.ticks)] == [1, 2, 3]


def test_a_stop_file_is_honoured_once(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    stops = iter([2, 4])
    stop_at = [next(stops)]

    def on_tick(state: LoopState, record: TickRecord) -> None:
        if record.tick == stop_at[0] - 1:
            runner.files.stop.touch()

    runner.on_tick = on_tick
    assert (runner.run("Go.", Budget(ticks=9)).status, runner.files.stop.exists()) == (
        "stopped",
        False,
    )
    assert read_state(runner.files.state).tick == 2, "the tick under way ends first"
    stop_at[0] = 99
    runner.files.stop.touch()  # as if the process had died before it removed it
    assert runner.run().status == "budget_exceeded"


def test_a_stop_file_stops_a_loop_before_its_first_tick(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    runner.files.root.mkdir(exist_ok=True)
    runner.files.stop.touch()
    state = runner.run("Go.")
    assert (state.status, state.tick, runner.files.stop.exists()) == ("stopped", 0, False)
    assert read_state(runner.files.state).status == "stopped"


def test_a_new_budget_is_for_the_whole_loop(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    assert runner.run("Go.", Budget(ticks=2)).status == "budget_exceeded"
    assert runner.run().tick == 2, "without a new budget there is nothing left"
    state = runner.run(budget=Budget(ticks=5))
    assert (state.status, state.tick, state.budget) == ("budget_exceeded", 5, Budget(ticks=5))


def test_failures_are_counted_from_the_log(tmp_path: Path) -> None:
    def breaks(prompt: str, tools: Tools) -> str:
        raise BackendError("gone")

    runner = runner_of(tmp_path, breaks, LoopConfig(max_failures=4, evolve=False))
    assert runner.run("Try.", Budget(ticks=3)).status == "budget_exceeded"
    # A tick that was logged and never committed does not count.
    append_tick(runner.files.ticks, record(4, outcome="failed"))
    append_tick(runner.files.ticks, record(5, outcome="failed"))
    state = runner.run(budget=Budget(ticks=9))
    assert (state.status, state.tick) == ("failed", 4)


def test_a_healers_note_is_shown_to_one_tick(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    runner.run("Go.", Budget(ticks=1))
    write_note(runner.files.healer_note, HealerNote("n1", NOON, "Mind the gap."))
    state = runner.run(budget=Budget(ticks=3))
    ticks = read_ticks(runner.files.ticks)
    assert [tick.note for tick in ticks] == ["", "n1", ""]
    assert ["Mind the gap." in tick.prompt for tick in ticks] == [False, True, False]
    assert state.note_seen == "n1" and read_note(runner.files.healer_note) is None
    write_note(runner.files.healer_note, HealerNote("n1", NOON, "Mind the gap."))
    runner.run(budget=Budget(ticks=4))
    assert read_ticks(runner.files.ticks)[-1].note == "", "shown is shown, whatever lies there"


def test_a_review_reaches_the_next_prompt_and_its_cost_the_next_tick(tmp_path: Path) -> None:
    verdict = "SCORE: 3\nISSUES:\n- Open the window.\nRECOMMENDATION: REVISE"
    model = ScriptedBackend([verdict])
    config = LoopConfig(checkpoint_interval=5, evolve=False)
    runner = runner_of(tmp_path, idle, config, backend=model, measured=GOOD_JUDGE)
    state = runner.run("Go.", Budget(ticks=10))
    ticks = read_ticks(runner.files.ticks)
    assert ["Open the window." in tick.prompt for tick in ticks] == [False] * 5 + [True] * 5
    assert [bool(tick.feedback) for tick in ticks] == [False] * 5 + [True] * 5
    assert [tick.tokens > 0 for tick in ticks] == [False] * 5 + [True] + [False] * 4
    assert state.spent.tokens == ticks[5].tokens


@pytest.mark.parametrize("trouble", [BackendError("gone"), OSError("full"), "no form"])
def test_a_review_that_fails_costs_nothing_but_itself(
    tmp_path: Path, trouble: Exception | str
) -> None:
    told: list[str] = []
    config = LoopConfig(checkpoint_interval=5, evolve=False)
    runner = runner_of(tmp_path, idle, config, backend=ScriptedBackend([trouble]), tell=told.append)
    state = runner.run("Go.", Budget(ticks=10))
    assert (state.tick, state.feedback, len(told)) == (10, "", 1)
    assert "review" in told[0].lower()


def test_a_review_that_breaks_after_its_call_is_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def aggregate(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("g2c.loop.app.review.aggregate", aggregate)
    model = ScriptedBackend(["SCORE: 3\nISSUES:\n- Slow.\nRECOMMENDATION: REVISE"])
    config = LoopConfig(checkpoint_interval=5, evolve=False)
    state = runner_of(tmp_path, idle, config, backend=model).run("Go.", Budget(ticks=10))
    assert state.feedback == "" and state.spent.tokens > 0


def test_a_loop_recalls_memories_and_becomes_one(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path / "memory", now=lambda: NOON)
    store.write_topic("Cake", "how she bakes", "A cake takes six eggs.")
    state = runner_of(tmp_path, finishing, store=store).run("Bake a cake.", Budget(ticks=2))
    (tick,) = read_ticks(tmp_path / "ticks.jsonl")
    assert tick.recalled == ("A cake takes six eggs.",) and "six eggs" in tick.prompt
    assert state.status == "done" and len(store.topics.list()) == 2
    loop = next(topic for topic in store.topics.list() if topic.slug != "cake")
    assert "Bake a cake." in loop.body

    again = runner_of(tmp_path, finishing, LoopConfig(recall=False, evolve=False), store=store)
    again.run("Bake a second cake.")
    assert read_ticks(tmp_path / "ticks.jsonl")[0].recalled == ()


def test_a_memory_that_cannot_be_read_costs_the_loop_nothing(tmp_path: Path) -> None:
    class Broken(MemoryStore):
        def recall(self, *args: Any, **options: Any) -> Any:
            raise OSError("no disk")

        def write_topic(self, *args: Any, **options: Any) -> Any:
            raise OSError("no disk")

    told: list[str] = []
    store = Broken(tmp_path / "memory")
    state = runner_of(tmp_path, finishing, store=store, tell=told.append).run("Bake.")
    assert state.status == "done" and len(told) == 2 and all("no disk" in said for said in told)


def test_follow_ups_of_a_loop_run_once_for_each_end(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path / "memory", now=lambda: NOON)
    edits = json.dumps({"edits": []})
    model = ScriptedBackend([edits, edits])
    config = LoopConfig(checkpoint_interval=0)
    runner = runner_of(tmp_path, idle, config, store=store, backend=model)
    runner.run("Go.", Budget(ticks=1))
    tokens = read_state(runner.files.state).spent.tokens
    assert tokens > 0, "the loop pays for what follows it"
    runner.run()
    assert len(model.history) == 1, "nothing is new, so nothing is learned again"
    assert read_state(runner.files.state).spent.tokens == tokens
    runner.run(budget=Budget(ticks=2))
    assert len(model.history) == 2 and len(store.topics.list()) == 1
    runner.files.ended.unlink()  # as if the process had died on the way
    model._completions.append(edits)
    runner.run()
    assert len(model.history) == 3 and len(store.topics.list()) == 1


def test_a_new_loop_keeps_what_the_old_one_learned(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, finishing)
    first = runner.run("Bake.")
    runner.files.agent.joinpath("knowledge.md").write_text("Ovens are hot.\n")
    second = runner.run("Bake again.")
    assert (second.tick, second.status) == (1, "done") and second.started > first.started
    (tick,) = read_ticks(runner.files.ticks)
    assert "Ovens are hot." in tick.prompt
    (past,) = (tmp_path / "past").iterdir()
    assert read_state(past / "state.md") == first and len(read_ticks(past / "ticks.jsonl")) == 1


def test_a_new_loop_is_not_mixed_with_one_whose_state_is_lost(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, finishing)
    runner.run("Bake.")
    runner.files.state.unlink()
    runner.run("Fly.")
    (tick,) = read_ticks(runner.files.ticks)
    (past,) = (tmp_path / "past").iterdir()
    (old,) = read_ticks(past / "ticks.jsonl")
    assert "Fly." in tick.prompt and "Bake." in old.prompt and (past / "snapshots").is_dir()


def test_a_loop_that_has_not_ended_is_not_replaced(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    runner.run("Go.", Budget(ticks=1))
    for status in ("running", "stopped"):
        write_state(runner.files.state, replace(read_state(runner.files.state), status=status))
        with pytest.raises(LoopError, match="g2c loop resume"):
            runner.run("Something else.")
    assert read_state(runner.files.state).goal == "Go."


def test_a_loop_cannot_be_begun_wrongly(tmp_path: Path) -> None:
    for goal, says in ((None, "There is no loop"), (" ", "a goal in words")):
        with pytest.raises(LoopError, match=says):
            runner_of(tmp_path, idle).run(goal)
    config = LoopConfig(success_command=("no-such-program-here",), evolve=False)
    with pytest.raises(LoopError, match=r"no-such-program-here: No such file"):
        runner_of(tmp_path, idle, config).run("Go.")
    assert read_ticks(tmp_path / "ticks.jsonl") == ()


@posix
def test_a_success_command_that_is_gone_is_a_failed_tick(tmp_path: Path) -> None:
    program = tmp_path / "check.sh"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)

    def act(prompt: str, tools: Tools) -> str:
        program.unlink(missing_ok=True)
        return "It is gone."

    config = LoopConfig(success_command=(str(program),), evolve=False, max_failures=3)
    state = runner_of(tmp_path / "loop", act, config).run("Go.", Budget(ticks=9))
    ticks = read_ticks(tmp_path / "loop/ticks.jsonl")
    assert (state.status, [tick.outcome for tick in ticks]) == (
        "failed",
        ["continue"] + ["failed"] * 3,
    )
    assert all("check.sh: No such file" in tick.error for tick in ticks[1:])


def test_the_smallest_of_the_bounds_counts_and_none_replaces_another(tmp_path: Path) -> None:
    delegates = SharedBudget(Budget(ticks=1))

    def idle(prompt: str, tools: Tools) -> None:
        delegates.take_tokens(100)

    for own, today, ticks in ((None, 250, 2), (400, 250, 2), (250, 400, 2), (250, None, 2)):
        root = tmp_path / f"{own}-{today}"
        runner = runner_of(root, idle, tokens_today=today, delegates=delegates)
        state = runner.run("Sit.", Budget(ticks=9, tokens=own))
        assert (state.status, state.tick) == ("budget_exceeded", ticks + 1), (own, today)
        assert read_state(root / "state.md").budget == Budget(9, own), "the loop's own stays"
        more = runner_of(root, idle, delegates=delegates)
        if own is None:
            assert more.run(None, None).tick == 9, "the next day it goes on"


def test_delegates_spend_at_most_what_is_left_of_the_loops_tokens(tmp_path: Path) -> None:
    delegates = SharedBudget(Budget(ticks=99, tokens=10_000))

    def act(prompt: str, tools: Tools) -> None:
        while True:
            delegates.take_question()
            delegates.take_tokens(100)

    runner = runner_of(tmp_path, act, delegates=delegates, tokens_today=450)
    state = runner.run("Ask.", Budget(ticks=3, tokens=900))
    assert (state.status, state.tick, state.spent.tokens) == ("budget_exceeded", 1, 500)
    assert "tokens are used up" in read_ticks(runner.files.ticks)[0].error


def test_an_interrupted_tick_is_paid_for(tmp_path: Path) -> None:
    delegates = SharedBudget(Budget(ticks=1))
    clock = [0.0]

    def act(prompt: str, tools: Tools) -> None:
        delegates.take_tokens(100)
        clock[0] += 30
        raise KeyboardInterrupt

    def wait(state: LoopState, messages: object) -> None:
        clock[0] += 3600
        if state.spent.tokens:
            raise KeyboardInterrupt

    runner = runner_of(tmp_path, act, delegates=delegates, before_tick=wait, clock=lambda: clock[0])
    state = runner.run("Go.", Budget(tokens=250))
    assert (state.tick, state.spent) == (0, Spent(0, 100, 30.0)), "it was not committed, but spent"
    assert runner.run().spent == Spent(0, 100, 30.0), "nobody pays for waiting for a person"
    runner.before_tick = None
    assert runner.run().spent.tokens == 200
    assert runner.run().spent.tokens == 300
    assert runner.run().status == "budget_exceeded"


def test_a_stop_of_an_abandoned_loop_does_not_stop_the_next(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    runner.run("Go.", Budget(ticks=1))
    for wish in (runner.files.stop, runner.files.day):
        wish.write_text("")
    abandon(runner.files, store=None, now=NOON, tell=lambda sentence: None)
    assert not runner.files.stop.exists() and not runner.files.day.exists()
    assert runner_of(tmp_path, idle).run("Go on.", Budget(ticks=2)).tick == 2


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    with exclusive(runner.files.lock):
        assert holder(runner.files.lock) == str(os.getpid())
        with pytest.raises(LoopError, match=f"Process {os.getpid()} works on this loop"):
            runner.run("Go.")
    assert holder(runner.files.lock) is None
    assert not runner.files.state.exists(), "who is refused has written nothing"


def test_a_state_that_cannot_be_read_stops_the_loop_and_stays(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, idle)
    runner.run("Go.", Budget(ticks=1))
    runner.files.state.write_text("---\ngoal: [\n---\n")
    with pytest.raises(LoopError, match="line"):
        runner.run()
    assert runner.files.state.read_text() == "---\ngoal: [\n---\n"
    assert (tmp_path / "state.md.unreadable-1").exists()


class TestSuccess:
    @pytest.mark.parametrize(("code", "expected"), [("0", True), ("1", False), ("'no'", False)])
    def test_only_an_exit_with_0_is_success(
        self, tmp_path: Path, code: str, expected: bool
    ) -> None:
        command = [PYTHON, "-c", f"import sys; print('x' * 99999); sys.exit({code})"]
        assert succeeds(command, tmp_path, 60.0) is expected

    def test_a_folder_that_is_gone_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(LoopError, match=r"its folder .* is gone"):
            succeeds((PYTHON, "-c", ""), tmp_path / "work", 5)

    def test_a_command_that_takes_too_long_has_not_succeeded(self, tmp_path: Path) -> None:
        assert not succeeds([PYTHON, "-c", "while True: pass"], tmp_path, 0.2)

    @posix
    def test_its_processes_end_with_it(self, tmp_path: Path) -> None:
        code = (
            "import fcntl, os\n"
            "fcntl.flock(os.open('lock', os.O_CREAT | os.O_RDWR), fcntl.LOCK_EX)\n"
            "if os.fork() == 0:\n"
            "    while True: pass"
        )
        assert succeeds([PYTHON, "-c", code], tmp_path, 60.0)
        with locked(tmp_path / "lock"):
            pass  # the child held it, too, so it has ended


class TestTickLog:
    def test_the_last_line_of_a_number_counts(self, tmp_path: Path) -> None:
        file = tmp_path / "ticks.jsonl"
        for tick in (record(1), record(2, answer="lost"), record(2, answer="kept"), record(3)):
            append_tick(file, tick)
        assert [(tick.tick, tick.answer) for tick in read_ticks(file)] == [
            (1, ""),
            (2, "kept"),
            (3, ""),
        ]
        assert read_ticks(file, 2) == read_ticks(file)[:2]

    @pytest.mark.parametrize("size", [1, 20, 60])
    def test_a_torn_line_is_passed_over_and_nothing_is_lost_below_it(
        self, tmp_path: Path, size: int
    ) -> None:
        file = tmp_path / "ticks.jsonl"
        append_tick(file, record(1))
        file.write_bytes(file.read_bytes() + file.read_bytes()[:size])
        append_tick(file, record(2))
        file.write_bytes(b'\n[]\n{"tick": 9}\nnull\n' + file.read_bytes())
        assert read_ticks(file) == (record(1), record(2))

    @settings(derandomize=True, max_examples=60)
    @given(st.text(st.characters(codec=None)), st.lists(st.text(), max_size=3))
    def test_any_text_comes_back(self, text: str, lines: list[str]) -> None:
        from tempfile import TemporaryDirectory

        tick = record(1, prompt=text, answer=text, actions=tuple(lines), recalled=(text,))
        with TemporaryDirectory() as folder:
            append_tick(Path(folder, "t"), tick)
            assert read_ticks(Path(folder, "t")) == (tick,)

    @settings(derandomize=True)
    @given(st.lists(st.text(max_size=9), min_size=1, max_size=9), st.integers(1, 30))
    def test_a_conversation_stays_within_its_bound(self, prompts: list[str], most: int) -> None:
        conversation: tuple[TickRecord, ...] = ()
        for number, prompt in enumerate(prompts, 1):
            conversation = extend(conversation, record(number, prompt=prompt), most)
            again = extend(conversation, record(number, prompt=prompt), most)
            assert again == conversation, "a tick that runs again takes its own place"
        sizes = [len(tick.prompt) for tick in conversation]
        assert sum(sizes) <= most and conversation[-1].tick == len(prompts)
        numbers = [tick.tick for tick in conversation]
        assert numbers == [*range(numbers[0], len(prompts) + 1)], "the newest ones, without holes"
        if numbers[0] > 1:
            dropped = len(prompts[numbers[0] - 2])
            assert sum(sizes) + dropped > most, "no more is dropped than it takes"


class TestSnapshots:
    def test_the_newest_ones_stay_whole(self, tmp_path: Path) -> None:
        files = runner_of(tmp_path, idle).files
        files.state.write_text("state")
        (files.snapshots / ".new").mkdir(parents=True)
        (files.snapshots / ".new" / "junk").touch()
        for tick in range(1, 15):
            take_snapshot(files, tick)
        assert list_snapshots(files) == tuple(range(5, 15))
        assert [file.name for file in files.snapshot(14).iterdir()] == ["state.md"]

    def test_a_snapshot_of_the_same_tick_is_replaced(self, tmp_path: Path) -> None:
        files = runner_of(tmp_path, idle).files
        for text in ("old", "new"):
            files.state.write_text(text)
            take_snapshot(files, 7, kept=1)
        assert (files.snapshot(7) / "state.md").read_text() == "new"
        assert list_snapshots(files) == (7,)


def test_a_dream_after_a_loop_counts_to_what_it_spent(tmp_path: Path) -> None:
    runner = runner_of(tmp_path, lambda tools: None)
    state = runner.run("Sit.", Budget(ticks=1, tokens=9_000))
    model = ScriptedBackend(["A dream."])
    with pytest.raises(KeyboardInterrupt), runner.charged(model) as charged:
        charged.complete("What was said?")
        raise KeyboardInterrupt
    (call,) = model.history
    then = read_state(runner.files.state)
    assert then.spent.tokens >= state.spent.tokens + len(call.prompt) // 4 > state.spent.tokens
    assert replace(then, spent=state.spent) == state, "nothing else changes"


def test_a_dream_beside_another_process_of_the_loop_writes_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    runner = runner_of(tmp_path, lambda tools: None, tell=said.append)
    state = runner.run("Sit.", Budget(ticks=1))
    with runner.exclusive(), runner.charged(ScriptedBackend(["A dream."])) as charged:
        charged.complete("What was said?")
    assert read_state(runner.files.state) == state
    assert "tokens are not in what the loop has spent" in said[-1]
