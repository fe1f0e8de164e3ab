"""`g2c loop` over a real folder, once with the real model."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import command
import pytest
from loops import acting

from g2c.cli import options, run_loop
from g2c.cli.loop_watch import _Watcher
from g2c.cli.supervise import BUSY_S, wait
from g2c.home.home import Home
from g2c.inference import Backend, BackendUnreachableError, ScriptedBackend, patient
from g2c.loop.app.runner import LoopRunner
from g2c.loop.core.folder import LoopFiles, exclusive, holder
from g2c.loop.core.journal import append_tick
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.success import parse_success
from g2c.loop.core.types import Budget, LoopConfig, LoopError, LoopState, Spent, TickRecord

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
STATE = LoopState(
    goal="Bake a [cake].",
    status="running",
    tick=2,
    budget=Budget(ticks=9, tokens=1_000),
    spent=Spent(2, 1234, 65.0),
    started=NOON,
    updated=NOON,
    body="Done: the eggs.",
    directive="Buy flour.",
    feedback="The work is drifting.",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A loop of two ticks that nobody runs at the moment."""
    files = LoopFiles(tmp_path / "loop")
    write_state(files.state, STATE)
    files.agent.mkdir()
    (files.root / "settings.json").write_text(json.dumps({"success": []}))
    for tick in (
        TickRecord(1, NOON, "failed", "the first prompt", error="BackendError: gone"),
        TickRecord(
            2,
            NOON,
            "continue",
            "the second prompt",
            "Six eggs.",
            actions=("read_file {} -> [eggs]",),
            recalled=("A cake takes six eggs.",),
            feedback="The work is stuck.",
        ),
        TickRecord(3, NOON, "continue", "never committed"),
    ):
        append_tick(files.ticks, tick)
    return files.root


def g2c(root: Path, *arguments: str, code: int = 0) -> str:
    done = command.g2c("loop", *arguments, "--folder", str(root), root=root.parent)
    assert done.returncode == code, (done.stdout, done.stderr)
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_day")
def test_a_small_goal_is_reached_on_the_real_model(tmp_path: Path) -> None:
    goal = ("Write list.txt. It is to say: milk", "--success", "grep -q milk list.txt")
    said = g2c(tmp_path, "start", *goal, "--ticks", "3", "--model", "embedded")
    assert "tick 1: " in said and "done after tick" in said
    assert "milk" in (tmp_path / "work" / "list.txt").read_text()
    assert "done; no process works on it" in g2c(tmp_path, "status")
    log = g2c(tmp_path, "log")
    assert "write_file" in log and "Evolution" in log
    assert (tmp_path / "memory" / "topics").exists(), "the loop has become a memory"


def test_status_shows_what_a_person_wants_to_know(root: Path) -> None:
    said = g2c(root, "status")
    for part in (
        "Bake a [cake].",
        "running; no process works on it",
        "2 of 9 ticks, 1,234 of 1,000 tokens, 65 seconds",
        "Done: the eggs.",
        "Buy flour.",
        "The work is drifting.",
        f"g2c loop resume --folder {root} goes on.",
    ):
        assert part in said, part


def test_status_says_between_which_prices_a_loop_lies(tmp_path: Path) -> None:
    home = Home(tmp_path)
    write_state(home.loop().state, STATE)
    home.settings_file.write_text('[prices]\n"big" = [1.0, 10.0]\n')
    said = command.g2c("loop", "status", "--home", str(tmp_path), root=tmp_path).stdout
    assert "65 seconds, at a price of 0.001234 to 0.01234 by agent.toml" in " ".join(said.split())


def test_the_log_shows_what_was_remembered_reviewed_and_done(root: Path) -> None:
    said = g2c(root, "log")
    assert "tick 1: failed" in said and "BackendError: gone" in said
    for part in ("A cake takes six eggs.", "The work is stuck.", "-> [eggs]", "Six eggs."):
        assert part in said, part
    assert "tick 3" not in said, "what was never committed never was"
    assert "tick 1" not in g2c(root, "log", "-n", "1")
    assert "the second prompt" in g2c(root, "log", "--tick", "2")
    assert "There is no tick 7; the loop has 2." in g2c(root, "log", "--tick", "7", code=1)


@pytest.mark.slow
def test_stop_asks_and_resume_honours_it(root: Path) -> None:
    assert "No process runs it" in g2c(root, "stop")
    assert "somebody asked for it" in g2c(root, "status")
    said = g2c(root, "resume", "--ticks", "20", "--model", "embedded", code=1)
    assert "stopped after tick 2." in said and f"resume --folder {root} goes on." in said
    state = read_state(root / "state.md")
    assert (state.status, state.budget) == ("stopped", Budget(ticks=20, tokens=1_000))
    assert "The loop is stopped; there is nothing to stop." in g2c(root, "stop")


def test_stop_is_for_a_supervisor_that_waits_as_well(root: Path) -> None:
    files = LoopFiles(root)
    for status in ("budget_exceeded", "failed"):
        write_state(files.state, replace(STATE, status=status))  # type: ignore[arg-type]
        assert "nothing to stop" in g2c(root, "stop") and not files.stop.exists()
        with exclusive(files.supervisor_lock):
            assert "its supervisor, ends before another tick" in g2c(root, "stop")
        assert files.stop.exists()
        files.stop.unlink()
    runner = LoopRunner(acting(lambda prompt, tools: "x"), None, LoopConfig(evolve=False), root)
    write_state(files.state, replace(STATE, status="budget_exceeded", budget=Budget(ticks=9)))
    files.stop.touch()
    assert (runner.run().status, files.stop.exists()) == ("stopped", False)


def test_a_supervisor_waits_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("g2c.cli.supervise.time.sleep", slept.append)
    wait(86_400, lambda: len(slept) == 3)
    assert len(slept) == 3 and max(slept) <= BUSY_S


def test_the_process_that_runs_a_loop_is_named(root: Path) -> None:
    import os

    with exclusive(LoopFiles(root).lock):
        assert f"process {os.getpid()} works on it" in g2c(root, "status")
        assert f"Process {os.getpid()} stops when" in g2c(root, "stop")
        said = g2c(root, "resume", "--model", "embedded", code=1)
        assert "works on this loop at the moment" in said


def test_a_loop_that_has_ended_is_not_resumed(root: Path) -> None:
    for status, code, says in (("failed", 1, "g2c loop heal"), ("done", 0, "g2c loop log")):
        write_state(root / "state.md", replace(STATE, status=status))  # type: ignore[arg-type]
        assert says in g2c(root, "resume", code=code)


@pytest.mark.parametrize("command", ["status", "stop", "resume", "log"])
def test_a_missing_loop_says_how_to_begin_one(tmp_path: Path, command: str) -> None:
    said = g2c(tmp_path, command, code=1)
    assert f"g2c loop start --folder {tmp_path} begins one" in said


@pytest.mark.slow
def test_a_mistake_is_one_sentence(root: Path, tmp_path: Path) -> None:
    new = ("start", "Bake.", "--claim", "--model", "embedded")
    assert "has not ended" in g2c(root, *new, "--checkpoint", "9", code=1)
    assert (root / "settings.json").read_text() == '{"success": []}', "its settings stay its own"
    said = g2c(tmp_path / "a", *new, "--success", "no-such-program x", code=1)
    assert "The success command cannot be run: no-such-program" in said
    said = g2c(tmp_path / "b", *new, "--success", "grep 'a", code=1)
    assert "quotation" in said
    said = g2c(tmp_path / "d", *new, "--success", "test -f a && test -f b", code=1)
    assert "no shell reads &&. Write: sh -c 'test -f a && test -f b'" in said
    for line in ("test -f $HOME/a", "test -f ~/a", "ls *.txt", "test -f `pwd`/a"):
        with pytest.raises(LoopError, match="sh -c"):
            parse_success(line)
    assert parse_success("grep -q 'a*b $1' list.txt") == ("grep", "-q", "a*b $1", "list.txt")
    said = g2c(tmp_path / "e", *new, "--success", "true", code=1)
    assert "succeeds already, before anything was done: true" in said
    assert not [name for name in "abde" if (tmp_path / name).exists()], "nothing is left behind"
    said = g2c(tmp_path / "c", *new, "--files", str(tmp_path / "no"), code=1)
    assert "is not a folder" in said
    (root / "settings.json").write_text("[")
    assert "cannot be read" in g2c(root, "resume", code=1)


def test_the_success_command_can_be_changed(root: Path) -> None:
    assert "from its next tick on" in g2c(root, "success", "test -f cake.txt")
    assert json.loads((root / "settings.json").read_text())["success"] == ["test", "-f", "cake.txt"]
    assert "cannot be run" in g2c(root, "success", "no-such-program", code=1)
    assert json.loads((root / "settings.json").read_text())["success"] == ["test", "-f", "cake.txt"]
    assert "it names no file" in g2c(root, "success", "", code=1), "as at its start"
    with exclusive(LoopFiles(root).lock):
        assert "works on this loop at the moment" in g2c(root, "success", "false", code=1)


def test_a_loop_that_is_abandoned_makes_room_and_is_remembered(root: Path) -> None:
    new = ("start", "Bake.", "--claim", "--model", "embedded", "--ticks", "1")
    assert "g2c loop abandon" in g2c(root, *new, code=1)
    said = g2c(root, "abandon")
    assert "its memory stays" in said and not (root / "state.md").exists()
    (past,) = (root / "past").iterdir()
    assert read_state(past / "state.md").status == "stopped"
    (episode,) = (root / "memory" / "topics").glob("*.md")
    assert "abandoned" in episode.read_text() and "Bake a [cake]." in episode.read_text()
    said = g2c(root, "abandon", code=1)
    assert f"g2c loop start --folder {root} begins one" in said


def test_the_judges_model_is_kept_with_the_loop(root: Path) -> None:
    said = g2c(root, "resume", "--model", "embedded", "--judge-model", "nowhere.gguf", code=1)
    assert "nowhere.gguf" in said and read_state(root / "state.md").tick == 2


@pytest.mark.parametrize("supervised", [True, False])
@pytest.mark.parametrize("which", ["its model", "the judge", "the helper"])
def test_a_supervised_loop_waits_for_a_server_that_is_away_as_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str, supervised: bool
) -> None:
    home = Home(tmp_path / "home")
    home.create()
    home.settings_file.write_text('helper = "the helper"')
    files = home.loop()
    write_state(files.state, STATE)
    settings = {"success": ["true"], "model": "its model", "judge_model": "the judge"}
    (files.root / "settings.json").write_text(json.dumps(settings))
    missing = [which]

    def load(choice: str, *_: object) -> Backend:
        if choice in missing:
            missing.remove(choice)
            raise BackendUnreachableError("Nothing answers.")
        return ScriptedBackend([])

    for module in (run_loop, options):
        monkeypatch.setattr(module, "load", load)
    monkeypatch.setattr(patient, "GROWING_PAUSES_S", (0,))
    more = ["--supervised"] if supervised else []
    place = ["--home", str(home.root)]
    done = command.g2c("loop", "resume", *more, *place, root=tmp_path)
    waits = done.stderr.count("It waits for its model: ")
    assert (done.returncode, waits) == ((0, 1) if supervised else (1, 0)), done.stderr
    assert "Nothing answers." in done.stderr
    assert read_state(files.state).tick == 2, "the outage is not a tick"


@pytest.mark.slow
def test_a_loop_that_a_program_began_goes_on_from_the_command_line(tmp_path: Path) -> None:
    runner = LoopRunner(
        acting(lambda prompt, tools: "Done."), None, LoopConfig(evolve=False), tmp_path
    )
    runner.run("Write list.txt. It is to say: milk", Budget(ticks=1))
    said = g2c(tmp_path, "resume", "--ticks", "2", "--model", "embedded", code=1)
    assert f"g2c loop success --folder {tmp_path} gives it one" in said
    assert read_state(tmp_path / "state.md").tick == 2
    assert (tmp_path / "work" / "list.txt").exists()


def test_another_computers_work_is_reported_as_possible(root: Path) -> None:
    lock = LoopFiles(root).lock
    lock.write_text("7 attic\n")
    unseen = "a process of attic may work on it, which this computer cannot see"
    assert unseen in g2c(root, "status") and unseen in g2c(root, "stop")
    LoopFiles(root).stop.unlink()
    with pytest.warns(UserWarning, match="attic"), exclusive(lock):
        assert holder(lock) == str(os.getpid()) and unseen not in g2c(root, "status")
    assert "no process works on it" in g2c(root, "status")
    lock.write_text("7 attic\n")
    watcher = _Watcher(LoopFiles(root))
    assert watcher.look() and watcher.line() == unseen
    lock.write_text("")
    assert not watcher.look(), "the other computer has given it back"
