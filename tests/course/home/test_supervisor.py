"""Keeping a loop going from outside: the policy, messages, and real processes that are killed."""

import os
import plistlib
import signal
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from checkout import COMMAND, Checkout
from loops import acting
from references import references

from g2c.home import Home
from g2c.home.supervisor import (
    MAX_RUNS_WITHOUT_TICK,
    Day,
    Effects,
    next_move,
    supervise,
    until_tomorrow,
)
from g2c.loop.app.recovery import HealResult
from g2c.loop.app.runner import LoopRunner
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.inbox import MAX_CHARS, claim, leave, unread
from g2c.loop.core.journal import read_ticks
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.types import Budget, Decision, LoopConfig, LoopState, LoopStatus, Spent

NOW = datetime(2026, 4, 21, 12, tzinfo=UTC)
STATE = LoopState("Bake.", "running", 3, Budget(ticks=50), Spent(3, 900, 60.0), NOW, NOW)
GOAL = "Write list.txt. It is to say: milk"


@pytest.mark.parametrize(
    ("state", "crashed", "per_day", "move"),
    [
        (STATE, False, None, "run"),
        (STATE, True, None, "heal"),
        (replace(STATE, status="done"), True, None, "end"),
        (replace(STATE, status="stopped"), False, 100, "end"),
        (replace(STATE, status="failed"), False, 100, "heal"),
        (replace(STATE, status="budget_exceeded"), False, None, "end"),
        (replace(STATE, status="budget_exceeded"), False, 1_000, "run"),
        (replace(STATE, status="budget_exceeded"), False, 800, "wait for tomorrow"),
        (replace(STATE, status="budget_exceeded", budget=Budget(ticks=3)), False, 1_000, "end"),
        (replace(STATE, status="budget_exceeded", budget=Budget(seconds=9)), False, 1_000, "end"),
        (replace(STATE, status="budget_exceeded", budget=Budget(tokens=900)), False, 1_000, "end"),
        (replace(STATE, status="budget_exceeded", budget=Budget(tokens=950)), False, 1_000, "run"),
    ],
)
def test_the_next_exercise(state: LoopState, crashed: bool, per_day: int | None, move: str) -> None:
    assert next_move(state, crashed=crashed, per_day=per_day, day=Day("2026-04-21", 0)) == move


def effects(
    states: list[LoopState],
    log: list[object],
    action: str = "none",
    stops: bool = False,
    closed: Sequence[bool] = (True,),
) -> Effects:
    """Effects that note what they do. A run brings the next state; so does a restore. `closed` has
    the answers to whether the end was remembered, the last one for ever."""
    answers = list(closed)

    def ahead(what: str) -> Callable[..., None]:
        def do(*given: object) -> None:
            log.append((what, *given))
            states.pop(0)

        return do

    def heal() -> HealResult:
        log.append("heal")
        if action == "restore":
            states.pop(0)
        return HealResult(Decision(action, "why"), "It was healed.")  # type: ignore[arg-type]

    return Effects(
        state=lambda: states[0],
        run=ahead("run"),
        heal=heal,
        wait=lambda seconds: log.append(("wait", seconds)),
        is_stop_asked=lambda: stops,
        is_closed=lambda: answers.pop(0) if len(answers) > 1 else answers[0],
        tell=lambda sentence: None,
        now=lambda: NOW.replace(day=21 + sum(what == ("wait", 43_200.0) for what in log)),
    )


@pytest.mark.parametrize(("status", "runs"), [("done", 2), ("stopped", 0)])
def test_a_done_loop_whose_process_died_is_run_until_its_end_is_remembered(
    status: LoopStatus, runs: int, tmp_path: Path
) -> None:
    log: list[object] = []
    states = [replace(STATE, status=status)] * 9
    found = effects(states, log, closed=(False, False, True))
    assert supervise(found, tmp_path / "day.json") is (status == "done")
    assert log == [("run", None)] * runs, "what a person stopped is not taken up again"


def test_it_waits_longer_after_each_run_that_came_no_further(tmp_path: Path) -> None:
    log: list[object] = []
    states = [STATE, STATE, STATE, replace(STATE, tick=4), replace(STATE, tick=4, status="done")]
    assert supervise(effects(states, log), tmp_path / "day.json") is True
    waits = [what for what in log if what != "heal"]
    run = ("run", None)
    assert waits == [run, ("wait", 1.0), run, ("wait", 2.0), run, run]


def test_a_loop_that_cannot_even_begin_is_left_to_a_person(tmp_path: Path) -> None:
    log: list[object] = []
    told: list[str] = []
    able = replace(
        effects([STATE] * 99, log),
        tell=told.append,
        run=lambda tokens: log.append("run") or "no disk",
    )
    assert supervise(able, tmp_path / "day.json") is None
    assert log.count("run") == MAX_RUNS_WITHOUT_TICK
    assert told[-1] == "10 runs ended without a tick. The last one said: no disk"


def test_after_the_healer_gave_up_a_person_is_needed(tmp_path: Path) -> None:
    log: list[object] = []
    failed = replace(STATE, status="failed")
    assert supervise(effects([failed], log, "panic"), tmp_path / "day.json") is None
    assert log == ["heal"]
    assert supervise(effects([failed], log, "none"), tmp_path / "day.json") is None, (
        "a loop that has failed and that nobody mends would be run for ever"
    )


def test_a_loop_that_failed_is_healed_and_goes_on(tmp_path: Path) -> None:
    log: list[object] = []
    states = [replace(STATE, status="failed"), STATE, replace(STATE, status="done", tick=9)]
    assert supervise(effects(states, log, "restore"), tmp_path / "day.json") is True
    assert log == ["heal", ("run", None)]


def test_a_days_tokens_are_renewed_the_next_day_and_survive_a_kill(tmp_path: Path) -> None:
    log: list[object] = []
    spent = replace(STATE, status="budget_exceeded", tick=5, spent=Spent(5, 1_950))
    states = [replace(STATE, status="budget_exceeded"), spent, replace(STATE, status="done")]
    assert supervise(effects(states, log), tmp_path / "day.json", 1_000) is True
    assert log == [("run", 1_900), ("wait", 43_200.0), ("run", 2_950)]
    log.clear()  # another supervisor, on the first day again
    (tmp_path / "day.json").write_text('{"date": "2026-04-21", "tokens_before": 900}')
    states = [replace(spent, spent=Spent(5, 1_800)), replace(STATE, status="done")]
    assert supervise(effects(states, log), tmp_path / "day.json", 1_000) is True
    assert log == [("run", 1_900)], "what was spent before it began counts"


def test_a_stop_is_heard_while_it_waits_for_tomorrow(tmp_path: Path) -> None:
    log: list[object] = []
    (tmp_path / "day.json").write_text('{"date": "2026-04-21", "tokens_before": 0}')
    states = [replace(STATE, status="budget_exceeded"), replace(STATE, status="stopped")]
    assert supervise(effects(states, log, stops=True), tmp_path / "day.json", 900) is False
    assert log == [("run", 900)], "the run stops before its first tick"


def test_a_stop_is_heard_while_a_run_waits_for_its_server(tmp_path: Path) -> None:
    log: list[object] = []
    states = [STATE, STATE, STATE]
    assert supervise(effects(states, log, stops=True), tmp_path / "day.json") is False
    assert [what for what in log if what != "heal"] == [("run", None)]


@pytest.mark.parametrize("text", ["", "[]", '{"date": 1}', '{"date": "2026-04-21", "x": 1}'])
def test_a_day_that_cannot_be_read_begins_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / "day.json").write_text(text)
    log: list[object] = []
    assert supervise(
        effects([STATE, replace(STATE, status="done")], log), tmp_path / "day.json", 50
    )
    assert ("run", 950) in log


def test_midnight_is_that_of_the_persons_zone() -> None:
    assert until_tomorrow(NOW) == 12 * 3600


def test_a_message_is_read_once_and_by_one(tmp_path: Path) -> None:
    shared, first, second = (tmp_path / name for name in ("inbox", "first", "second"))
    leave(shared, "Oat milk.\x1b[2J", NOW)
    claim(shared, first)
    claim(shared, second)
    (message,) = unread(first)
    assert message.text == "Oat milk.[2J", "nothing in it steers a terminal"
    assert unread(second) == () and unread(shared) == ()
    assert unread(first, {message.id}) == () and list(first.iterdir()) == []


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MAX_CHARS + 1)])
def test_a_message_that_says_nothing_or_too_much_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"Write the message|at most"):
        leave(tmp_path, text, NOW)
    assert list(tmp_path.iterdir()) == []


def test_a_tick_reads_a_message_and_the_next_does_not(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    files = home.loop("shop")
    prompts: list[str] = []

    def act(prompt: str, tools: object) -> str:
        prompts.append(prompt)
        return "Noted."

    with references(fsync=False):
        runner = LoopRunner(
            acting(act), None, LoopConfig(evolve=False, recall=False), files.root, now=lambda: NOW
        )
        leave(home.inbox, "Take oat milk.", NOW)
        runner.run("Shop.", Budget(ticks=2))
    assert [prompt.count("A message from the user:\nTake oat milk.") for prompt in prompts] == [
        1,
        0,
    ]
    first, second = read_ticks(files.ticks)
    assert len(first.messages) == 1 and second.messages == ()


@pytest.fixture
def supervised(tmp_path: Path) -> tuple[Checkout, Path, LoopFiles]:
    """A course, a home in it, and a loop there that has just begun."""
    root = tmp_path / "home"
    files = Home(root).loop()
    write_state(files.state, LoopState(GOAL, "running", 0, Budget(ticks=9), Spent(), NOW, NOW))
    settings = '{"success": ["grep", "-q", "milk", "list.txt"], "model": "embedded"}'
    (files.root / "settings.json").write_text(settings)
    return Checkout(tmp_path / "course"), root, files


def start(course: Checkout, root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "loop", "supervise", "--home", str(root)],
        cwd=course.folder,
        env=course.environment(G2C_REFERENCE="all"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def loop_of(supervisor: subprocess.Popen[str]) -> int:
    """The number of the loop's process, as soon as the supervisor says it."""
    assert supervisor.stdout is not None
    for line in supervisor.stdout:
        if "works on the loop." in line:
            return int(line.split()[1])
    raise AssertionError("the supervisor ended without a loop")


@pytest.mark.slow
def test_loop_and_supervisor_are_killed_and_the_work_gets_done(
    supervised: tuple[Checkout, Path, LoopFiles],
) -> None:
    course, root, files = supervised
    first = start(course, root)
    try:
        os.kill(loop_of(first), signal.SIGKILL)
        loop = loop_of(first)  # it was begun again
        first.kill()
        first.wait()
    finally:
        first.kill()
    os.kill(loop, signal.SIGKILL)
    second = start(course, root)
    said, _ = second.communicate(timeout=600)
    assert second.returncode == 0, said
    assert read_state(files.state).status == "done"
    assert "milk" in (files.work / "list.txt").read_text()


@pytest.mark.slow
def test_a_unit_names_its_loop_the_home_and_the_course(
    supervised: tuple[Checkout, Path, LoopFiles],
) -> None:
    course, root, _ = supervised
    for unit in ("systemd", "cron", "launchd"):
        options = ("--home", str(root), "--tokens-per-day", "500", "--unit", unit)
        done = course.g2c("loop", "supervise", "garden", *options, G2C_REFERENCE="all")
        assert done.returncode == 0, done.stderr
        assert str(root) in done.stdout and str(course.folder) in done.stdout
        assert "500" in done.stdout
        if unit == "launchd":
            job = plistlib.loads(done.stdout.encode())
            assert job["ProgramArguments"][-2:] == ["--tokens-per-day", "500"]
            assert job["Label"] == "g2c.supervise.garden"
        if unit == "systemd":
            assert "Description=g2c loop supervise garden\n" in done.stdout


@pytest.mark.slow
def test_telling_a_loop_that_there_is_not_says_how_to_begin_one(
    supervised: tuple[Checkout, Path, LoopFiles],
) -> None:
    course, root, files = supervised
    done = course.g2c(
        "loop", "tell", "Oat milk.", "--home", str(root), "--name", "x", G2C_REFERENCE="all"
    )
    assert done.returncode == 1
    assert f"g2c loop start --home {root} --name x begins one" in done.stderr
    done = course.g2c("loop", "tell", "Oat milk.", "--home", str(root), G2C_REFERENCE="all")
    assert done.returncode == 0
    assert [message.text for message in unread(files.shared_inbox)] == ["Oat milk."]
