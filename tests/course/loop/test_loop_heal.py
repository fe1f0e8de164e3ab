"""The healer on a loop's folder: what it restores and leaves, and what it does when it fails."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from checkout import Checkout
from crashing import Crash, crash_at

from g2c.loop.app.recovery import heal, read_events, read_history
from g2c.loop.core.folder import LoopFiles, exclusive
from g2c.loop.core.journal import (
    append_tick,
    read_conversation,
    read_note,
    take_snapshot,
    write_conversation,
)
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.types import Budget, LoopError, LoopState, Spent, TickOutcome, TickRecord

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def files(tmp_path: Path) -> LoopFiles:
    """A loop whose ticks 1 to 3 went well, and 4 to 8 failed."""
    files = LoopFiles(tmp_path / "loop")
    for number in range(1, 9):
        add_tick(files, "failed" if number > 3 else "continue")
    change(files, status="failed")
    return files


def add_tick(files: LoopFiles, outcome: TickOutcome) -> None:
    new = LoopState("Tidy up.", "running", 0, Budget(ticks=30), Spent(), NOON - 9 * HOUR, NOON)
    old = read_state(files.state) if files.state.exists() else new
    number, bad = old.tick + 1, outcome == "failed"
    record = TickRecord(number, NOON - HOUR, outcome, error="No such tool: rm." if bad else "")
    append_tick(files.ticks, record)
    write_conversation(files.conversation, [*read_conversation(files.conversation), record])
    what = f"{'broken' if bad else 'good'} {number}"
    state = replace(
        old, tick=number, spent=Spent(number, 10 * number), body=what, directive=what, feedback=what
    )
    write_state(files.state, state)
    if not bad:
        take_snapshot(files, number)


def change(files: LoopFiles, **fields: Any) -> None:
    write_state(files.state, replace(read_state(files.state), **fields))


def full(*_: Any) -> None:
    raise OSError(28, "No space left on device")


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def kinds_of(file: Path) -> list[str]:
    return [line["kind"] for line in lines_of(file)]


def tree(root: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def test_body_directive_feedback_and_conversation_go_back_and_the_rest_stays(
    files: LoopFiles,
) -> None:
    before = read_state(files.state)
    result = heal(files.root, NOON)
    assert result.decision.action == "restore" and result.unsent == ""
    assert read_state(files.state) == replace(
        before, status="running", updated=NOON, body="good 3", directive="good 3", feedback="good 3"
    ), "numbers must not come again, and a budget must not be given back"
    assert [tick.tick for tick in read_conversation(files.conversation)] == [1, 2, 3]


def test_the_next_tick_and_a_person_are_told(files: LoopFiles) -> None:
    heal(files.root, NOON)
    note = read_note(files.healer_note)
    assert note and note.ts == NOON and "No such tool: rm." in note.text
    assert "after tick 3" in note.text
    (flare,) = lines_of(files.flares)
    assert "after tick 3" in flare["text"] and flare["ts"] == NOON.isoformat()
    assert kinds_of(files.healer_log) == ["recovery", "recovered"]


def test_a_healer_that_looks_again_has_nothing_to_do(files: LoopFiles) -> None:
    heal(files.root, NOON)
    before = tree(files.root)
    assert heal(files.root, NOON + HOUR).decision.action == "none"
    assert tree(files.root) == before
    for _ in range(5):
        add_tick(files, "failed")
    assert heal(files.root, NOON + 2 * HOUR).decision.action == "restore", "a new row"


def test_a_dry_run_says_all_and_writes_nothing(files: LoopFiles) -> None:
    before = tree(files.root)
    result = heal(files.root, NOON, dry_run=True)
    assert tree(files.root) == before
    for file in (files.state, files.conversation, files.snapshot(3), files.healer_note):
        assert str(file) in result.message
    assert "-broken 8\n+good 3\n" in result.diff and "+status: running" in result.diff
    assert heal(files.root, NOON).diff == result.diff, "it said what would be, to the letter"


@pytest.mark.parametrize("torn", [0, 1, 9])
def test_a_recovery_that_is_killed_is_made_again_and_counts_once(
    files: LoopFiles, torn: int
) -> None:
    """Killed at its first write, at its second, and so on, until there is none left."""
    whole = tree(files.root)
    heal(files.root, NOON)
    healed = read_state(files.state)
    for write in range(99):
        for file in tree(files.root).keys() - whole.keys():
            Path(file).unlink()
        for file, data in whole.items():
            Path(file).write_bytes(data)
        with crash_at(write, torn) as reached, suppress(Crash):
            heal(files.root, NOON)
        heal(files.root, NOON + HOUR)
        state = read_state(files.state)
        assert replace(state, updated=NOON) == replace(healed, updated=NOON), f"at write {write}"
        assert len(read_history(files.root).recoveries) == 1, f"at write {write}"
        note = read_note(files.healer_note)
        assert note and note.id == read_events(files.flares)[0].id, f"at write {write}"
        if not reached():
            break
    assert write > 5, "no write was hit"


def test_a_recovery_that_is_killed_each_time_counts_from_the_last_time(files: LoopFiles) -> None:
    for hour in range(0, 50, 10):
        with crash_at(4), suppress(Crash):  # after its line in the log, before the state
            heal(files.root, NOON + hour * HOUR)
    assert kinds_of(files.healer_log) == ["recovery"] * 5
    assert heal(files.root, NOON + 50 * HOUR).decision.action == "restore"
    assert read_history(files.root).recoveries == (NOON + 50 * HOUR,)


def test_a_loop_that_went_on_after_a_killed_recovery_used_one_up(files: LoopFiles) -> None:
    with crash_at(4), suppress(Crash):
        heal(files.root, NOON)
    assert read_history(files.root).recoveries == ()
    add_tick(files, "failed")
    assert read_history(files.root).recoveries == (NOON,)
    assert heal(files.root, NOON + HOUR).decision.action == "restore"


def test_a_loop_that_runs_is_left_alone(files: LoopFiles) -> None:
    before = tree(files.root)
    with exclusive(files.lock), pytest.raises(LoopError, match="works on this loop"):
        heal(files.root, NOON)
    assert tree(files.root).items() >= before.items()


@pytest.mark.parametrize("status", ["done", "stopped", "budget_exceeded"])
def test_a_loop_that_ended_otherwise_is_not_woken(files: LoopFiles, status: str) -> None:
    change(files, status=status)
    before = tree(files.root)
    assert heal(files.root, NOON).decision.action == "none"
    assert read_state(files.state).status == status and not files.flares.exists()
    assert tree(files.root).items() >= before.items()


def test_a_tick_that_was_never_committed_does_not_count(files: LoopFiles) -> None:
    change(files, tick=7)
    assert heal(files.root, NOON).decision.action == "none", "tick 8 will run again"


def test_a_snapshot_that_cannot_be_read_is_passed_over(files: LoopFiles) -> None:
    (files.snapshot(3) / "state.md").write_text("?")
    result = heal(files.root, NOON)
    assert result.decision.snapshot == 2 and read_state(files.state).body == "good 2"


def test_without_any_snapshot_a_person_is_told_once_an_hour(files: LoopFiles) -> None:
    for number in (1, 2, 3):
        (files.snapshot(number) / "state.md").unlink()
    before = read_state(files.state)
    said = [heal(files.root, NOON + minutes * HOUR / 60) for minutes in (0, 1, 59, 60, 90, 121)]
    assert {result.decision.action for result in said} == {"panic"}
    assert [line["ts"][11:16] for line in lines_of(files.flares)] == ["12:00", "13:00", "14:01"]
    assert kinds_of(files.flares) == ["panic"] * 3
    assert read_state(files.state) == before


def test_emptying_the_outbox_ends_its_flares(files: LoopFiles) -> None:
    files.state.write_text("?")
    for minutes in (0, 1):
        heal(files.root, NOON + minutes * HOUR / 60)
        files.flares.unlink(missing_ok=minutes > 0)
    assert not files.flares.exists()


def test_a_state_file_that_cannot_be_read_is_a_persons(files: LoopFiles) -> None:
    files.state.write_text("---\ngoal: x\nstatus: [\n---\n")
    result = heal(files.root, NOON)
    assert result.decision.action == "panic" and "state.md, line" in result.message
    assert files.state.read_text() == "---\ngoal: x\nstatus: [\n---\n"
    assert "state.md, line" in lines_of(files.flares)[0]["text"]


def heal_at(files: LoopFiles, *hours: int) -> list[str]:
    """The healer's moves at these hours, with five failures after each recovery."""
    actions = []
    for hour in hours:
        actions.append(heal(files.root, NOON + hour * HOUR).decision.action)
        if actions[-1] == "restore":
            for _ in range(5):
                add_tick(files, "failed")
    return actions


def test_three_recoveries_in_a_day_and_no_fourth(files: LoopFiles) -> None:
    actions = heal_at(files, 0, 1, 2, 3, 23, 24, 25, 26)
    assert actions == [*["restore"] * 3, "panic", "panic", *["restore"] * 3]


def test_recoveries_of_a_clock_that_was_ahead_count_for_a_day(files: LoopFiles) -> None:
    assert heal_at(files, 9000, 9001, 9002, 9003) == [*["restore"] * 3, "panic"]
    with files.healer_log.open("a") as log:
        log.write("torn")
    before = files.healer_log.read_bytes()
    heal(files.root, NOON, dry_run=True)
    assert files.healer_log.read_bytes() == before
    assert heal_at(files, 0) == ["panic"]
    assert files.healer_log.read_bytes().endswith(b"\ntorn"), "no line is lost, no flare repeated"
    assert heal_at(files, 1, 23, 24) == ["panic", "panic", "restore"]


def test_a_new_loop_in_the_folder_begins_a_new_row_within_the_old_limit(files: LoopFiles) -> None:
    heal(files.root, NOON)
    change(files, started=NOON, tick=5)
    history = read_history(files.root)
    assert (history.recovered_tick, history.recoveries) == (0, (NOON,))


def test_an_outbox_that_cannot_be_written_leaves_the_flare_to_the_caller(files: LoopFiles) -> None:
    files.flares.parent.write_text("not a folder")
    result = heal(files.root, NOON)
    assert "after tick 3" in result.unsent and "outbox" in result.unsent
    assert read_state(files.state).body == "good 3", "what can be mended is mended all the same"
    assert heal(files.root, NOON).decision.action == "none"


def test_a_restore_that_fails_is_a_panic_and_is_made_when_it_can(files: LoopFiles) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("g2c.loop.app.recovery.write_state", full)
        result = heal(files.root, NOON)
        again = heal(files.root, NOON + HOUR / 60)
    assert result.decision.action == again.decision.action == "panic"
    assert "No space left" in result.message and kinds_of(files.flares) == ["panic"]
    heal(files.root, NOON + HOUR)
    assert read_state(files.state).body == "good 3"
    assert read_history(files.root).recoveries == (NOON + HOUR,), "one recovery, tried three times"


def test_an_action_that_cannot_be_logged_first_is_not_taken(files: LoopFiles) -> None:
    before = tree(files.root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("g2c.loop.app.recovery.append_event", full)
        result = heal(files.root, NOON)
    assert result.decision.action == "panic" and "No space left" in result.unsent
    assert tree(files.root).items() >= before.items(), "a recovery that nobody counts has no limit"


def test_a_folder_without_a_loop_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LoopError, match="There is no loop in"):
        heal(tmp_path, NOON)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_command_speaks_to_a_person_and_to_cron(files: LoopFiles, tmp_path: Path) -> None:
    course = Checkout(tmp_path / "course")

    def g2c_heal(*options: str) -> tuple[int, str, str]:
        arguments = ("loop", "heal", "--folder", str(files.root), *options)
        done = course.g2c(*arguments, G2C_REFERENCE="all")
        return done.returncode, done.stdout, done.stderr

    code, out, _ = g2c_heal("--dry-run")
    assert code == 0 and "Would restore" in out and "+good 3" in out
    with exclusive(files.lock):
        code, out, _ = g2c_heal()
        assert code == 0 and "Nothing to do: process" in out
    code, out, _ = g2c_heal()
    assert code == 0 and "Restored" in out and read_state(files.state).body == "good 3"
    code, out, _ = g2c_heal()
    assert code == 0 and "Nothing to do" in out
    files.state.write_text("?")
    code, out, err = g2c_heal()
    assert (code, err) == (3, "") and "needs you" in out
    files.healer_log.unlink()
    files.flares.unlink()
    files.flares.parent.rmdir()
    files.flares.parent.write_text("not a folder")
    code, _, err = g2c_heal()
    assert code == 2 and "needs you" in err and "outbox" in err
