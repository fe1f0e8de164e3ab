"""Times from files that a wrong clock wrote: none holds for longer than its kind allows."""

import ast
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import command
import pytest

import g2c
from g2c.agent.core.result import AgentRunResult
from g2c.course.runs import newest_first
from g2c.course.writeup import PLACEHOLDER, check_writeup, render_entry
from g2c.foreign_json import load_json
from g2c.guard.app.permissions import PermissionLog
from g2c.guard.core.permission import ProposedCall
from g2c.home.supervisor import Day, today
from g2c.loop.core.types import Budget, LoopState, Spent
from g2c.memory import MemoryStore, Turn
from g2c.memory.app.checked import sight_of
from g2c.memory.app.layers import DreamLock
from g2c.memory.app.own_words import own_words
from g2c.memory.app.tools import make_remember_tool
from g2c.memory.core.dreams import end_dream, note_failure, past_state, read_state, too_soon
from g2c.memory.grep import grep
from g2c.swarm.app.folder import SwarmFiles
from g2c.swarm.app.leases import Leases
from g2c.swarm.core.leases import Request

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
CALLS = [ProposedCall("agent", "post/send", {"to": name}) for name in ("ada", "ben", "eve")]

CARELESS = {
    "cli/swarm.py": "shows a time",
    "files.py": "a leftover that lies far ahead is as old as one far back",
    "classroom/course_file.py": "a teacher's own due dates, which may lie ahead",
    "course/browser/build.py": "a file is compared with itself",
    "json_files.py": "whoever reads a record bounds its times",
    "classroom/answers/store.py": "a mark's time is a text that is shown",
    "classroom/counted.py": "has no time",
    "guard/app/journal.py": "a time is compared on both sides",
    "home/supervisor.py": "a day that is yet to come counts as today",
    "loop/app/proposal.py": "has no time",
    "suite/outside.py": "has no time",
    "swarm/app/folder.py": "has no time",
    "swarm/app/order.py": "has no time",
    "loop/core/identity.py": "shows a time",
    "loop/core/journal.py": "shows a time; a tick is known by its number",
    "loop/core/progress.py": "a wait of less than nothing is shown as nothing",
    "memory/app/sight.py": "the day that a transcript counts as, which is bounded",
    "memory/app/checked.py": "the day that a line names, whose transcript is looked for",
    "memory/app/own_words.py": "the day that a transcript counts as, which is bounded",
    "memory/app/evidence.py": "the day that a person's note is about",
    "memory/app/said_on.py": "a day that the person asks about",
    "memory/app/tools.py": "a day that a model names",
    "memory/core/topics.py": "a topic of the future is not stale, and nothing waits for it",
}
"""The files that read times and need no bound, each with its reason."""


class Clock:
    def __init__(self, time: datetime = NOW) -> None:
        self.time = time

    def __call__(self) -> datetime:
        return self.time


def test_each_file_that_reads_a_time_bounds_it_or_says_why_not() -> None:
    root = Path(g2c.__file__).parent
    found = set()
    for file in root.rglob("*.py"):
        name = file.relative_to(root).as_posix()
        if name.startswith("exercises/"):
            continue
        names = {
            getattr(node, "attr", getattr(node, "id", ""))
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Attribute | ast.Name)
        }
        readers = {"fromisoformat", "fromtimestamp", "st_mtime", "st_mtime_ns", "record_from"}
        calls = names & readers
        if calls and "not_after" not in file.read_text("utf-8"):
            found.add(name)
    assert found == set(CARELESS)


def test_a_lease_of_a_clock_that_was_ahead_ends_after_its_length(tmp_path: Path) -> None:
    files = SwarmFiles(tmp_path / "main")
    assert Leases(files, 30.0, lambda: 6 * 3600.0).ask("e", Request("claim", "w1"))
    assert Leases(files, 30.0, lambda: 0.0).ask("e", Request("claim", "w2")) is None
    assert Leases(files, 30.0, lambda: 29.0).ask("e", Request("claim", "w2")) is None
    lease = Leases(files, 30.0, lambda: 31.0).ask("e", Request("claim", "w2"))
    assert lease and (lease.worker, lease.number, lease.until) == ("w2", 2, 61.0)


def test_a_no_of_a_clock_that_was_ahead_is_kept_and_a_yes_is_not(tmp_path: Path) -> None:
    clock = Clock(NOW + 2 * HOUR)
    log = PermissionLog(tmp_path / "permissions.jsonl", clock)
    no, yes, _ = (log.ask(call) for call in CALLS)
    log.answer(no.id, "no")
    log.answer(yes.id, "always")
    clock.time = NOW
    assert log.is_refused(CALLS[0])
    assert not log.approvals() and not log.spend(CALLS[1])
    assert [question.id for question in log.questions()] == ["q1", "q2", "q3"]
    assert log.ask(ProposedCall("agent", "post/send", {})).id == "q4"
    log.answer(no.id, "yes")
    assert log.spend(CALLS[0]), "the person's newest answer counts, whatever the clocks said"


def test_a_used_yes_stays_used_if_the_clock_goes_back(tmp_path: Path) -> None:
    clock = Clock()
    log = PermissionLog(tmp_path / "permissions.jsonl", clock)
    log.answer(log.ask(CALLS[0]).id, "yes")
    clock.time = NOW + HOUR
    assert log.spend(CALLS[0])
    clock.time = NOW + HOUR / 2
    assert not log.spend(CALLS[0])


@pytest.mark.parametrize("odd", ['{"n": 1e400}', '{"n": ' + "[" * 63 + "1" + "]" * 63 + "}"])
def test_a_call_that_cannot_be_read_back_is_not_asked_about(tmp_path: Path, odd: str) -> None:
    log = PermissionLog(tmp_path / "permissions.jsonl", Clock())
    with pytest.raises(ValueError, match=r"JSON|nested"):
        log.ask(ProposedCall("agent", "clock/now", load_json(odd)))
    assert log.ask(CALLS[0]).id == "q1"


def test_a_line_that_is_skipped_keeps_its_id(tmp_path: Path) -> None:
    log = PermissionLog(tmp_path / "permissions.jsonl", Clock())
    log.ask(CALLS[0])
    lines = log.file.read_text().replace('"agent"', "7")
    log.file.write_text(lines)
    assert not log.questions() and log.ask(CALLS[1]).id == "q2"


def test_a_dream_of_the_future_happened_now_and_that_is_written_down(tmp_path: Path) -> None:
    file = tmp_path / "dream_state.json"
    end_dream(file, NOW + 100 * HOUR, "", 0)
    note_failure(file, NOW + 100 * HOUR)
    assert too_soon(past_state(file, NOW), NOW)
    state = read_state(file)
    assert (state.last_dream, state.last_failure) == (NOW, NOW)
    assert past_state(file, NOW + HOUR) == state


def test_the_last_run_is_the_one_that_was_written_last(tmp_path: Path) -> None:
    """A file that a clock that was ahead has named is not the last one until that time has come."""

    def run(name: str, written: datetime) -> Path:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (written.timestamp(),) * 2)
        return tmp_path / name

    ahead = NOW + 100 * HOUR
    early = run("20260101-110000-a.json", NOW - HOUR)
    wrong = [run(f"20260105-16000{n}-b.json", ahead) for n in range(2)]
    assert newest_first([early, *wrong], NOW) == [*reversed(wrong), early]
    right = run("20260101-130000-c.json", NOW + HOUR)
    expected = [right, *reversed(wrong), early]
    for now in (NOW + HOUR, NOW + 101 * HOUR):
        assert newest_first([early, *wrong, right], now) == expected
    copied = run("20260101-125959-d.json", NOW + 102 * HOUR)
    assert newest_first([copied, right], NOW + 103 * HOUR) == [right, copied]


def test_a_mitigation_is_tried_after_a_failure_at_a_clock_that_was_ahead(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    names = ["29990101-120000-a", "20260102-120000-b"]
    for name, written in zip(names, (NOW, NOW + HOUR), strict=True):
        file = tmp_path / f"runs/{name}.json"
        file.touch()
        os.utime(file, (written.timestamp(),) * 2)
    entry = render_entry("It stopped.", names[0], "x").replace("Tried: ``", f"Tried: `{names[1]}`")
    (tmp_path / "entries.md").write_text(entry.replace(PLACEHOLDER, "It now stops when told."))
    (one,) = check_writeup(tmp_path / "entries.md", tmp_path / "runs").entries
    assert not [said for said in one.lacks if "not later" in said], one.lacks


@pytest.mark.parametrize("place", ["transcript", "topic"])
def test_a_newer_word_wins_over_one_of_a_clock_that_was_ahead(place: str, tmp_path: Path) -> None:
    clock = Clock(NOW + 24_000 * HOUR)
    store = MemoryStore(tmp_path, now=clock)
    for name, text in (
        ("Dentist", "My dentist is on Monday."),
        ("Moved", "Actually, my dentist was moved to Friday."),
    ):
        store.log_turn("user", text)
        if place == "topic":
            store.write_topic(name, "On the dentist", f'- {clock():%Y-%m-%d}: "{text}"')
        clock.time = NOW
    found = store.recall("When is my dentist?", 4, transcripts=place == "transcript")
    assert "Friday" in found[0].excerpt and not found[0].outdated
    assert any("Monday" in hit.excerpt and hit.outdated for hit in found)
    run = AgentRunResult("When is my dentist?", None, "", (), "final_answer")
    newest, *_ = own_words(sight_of(run, (), store, is_persons=True)).split("\n")
    assert "Friday" in newest


def test_an_end_of_a_fact_ends_a_line_of_a_clock_that_was_ahead(tmp_path: Path) -> None:
    clock = Clock(NOW + 24_000 * HOUR)
    store = MemoryStore(tmp_path, now=clock)
    was = "My sister lives in Bergen."
    store.log_turn("user", was)
    store.write_topic("Sister", "My sister", f'- {clock():%Y-%m-%d}: "{was}"')
    clock.time = NOW
    store.log_turn("user", "My sister no longer lives in Bergen.")
    store.store_user_facts(NOW)
    body = store.read_topic("Sister").body
    assert "no longer" in body and was not in body


@pytest.mark.parametrize("may_write", [True, False])
def test_a_day_of_a_clock_that_was_ahead_stays_where_it_was_first_seen(
    may_write: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(NOW + 240 * HOUR)
    log = MemoryStore(tmp_path, now=clock).transcripts
    log.folder.mkdir(parents=True, exist_ok=True)

    def say() -> str:
        log.append(Turn(clock(), "agent", "user", "Hello."))
        return f"{clock():%Y-%m-%d}"

    def days() -> list[str]:
        return [file.stem for _, file in log.days()]

    def found(days_back: int) -> list[str]:
        at = clock().date()
        return [hit.file.stem for hit in grep(log, "Hello", days_back=days_back, today=at)]

    if not may_write:
        monkeypatch.setattr("g2c.memory.core.transcripts.keep_json", lambda *_: None)
    ahead = say()
    clock.time = NOW
    first = say()
    assert days() == [first, ahead]
    clock.time = NOW + 24 * HOUR
    second = say()
    if not may_write:
        assert days() == [second, ahead, first], "it moves with the clock, as nothing can be kept"
        return
    assert days() == [second, first, ahead]
    assert found(1) == [second] and found(2) == [second, first, ahead]
    assert [day for day, _ in log.days()] == [clock().date(), NOW.date(), NOW.date()]
    done = command.g2c(
        "memory", "grep", "Hello", "--memory", str(tmp_path), "--days", "9999", root=tmp_path
    )
    assert f"{ahead}.jsonl:1 (first seen on {NOW:%Y-%m-%d})" in done.stdout
    assert done.stdout.count("first seen") == 1
    clock.time = NOW + 264 * HOUR
    assert days() == [second, first, ahead], "also when its day is past"
    clock.time = NOW + 240 * HOUR
    assert say() == ahead and days() == [ahead, second, first], "what is said on it is new"
    (log.folder / ".first-seen.json").write_text('{"2026-01-11": 3, "x": ["y", 1]}')
    assert days() == [ahead, second, first]


def test_words_said_now_are_newer_than_those_of_a_clock_that_was_ahead(tmp_path: Path) -> None:
    clock = Clock(NOW + 999 * HOUR)
    store = MemoryStore(tmp_path, now=clock)
    for number in range(300):
        store.log_turn("user", f"Lamp {number} is broken.")
    clock.time = NOW
    store.log_turn("user", "My sister lives in Bergen.")
    remember = make_remember_tool(store, checked=True)
    assert "It is kept" in remember.func(name="sister", text="My sister lives in Bergen.")
    said = [turn.content for turn in store.transcripts.tail(2)]
    assert said == ["Lamp 299 is broken.", "My sister lives in Bergen."]
    assert len(list(store.grep("Lamp|sister"))) == 301
    clock.time = NOW + 9 * 24 * HOUR
    store.log_turn("user", "It rains.")
    assert [turn.content for turn in store.transcripts.tail(1)] == ["It rains."]


def test_a_lock_of_another_computer_from_the_future_gets_old(tmp_path: Path) -> None:
    clock = Clock()
    there = DreamLock(tmp_path / "dream.lock", host="there", now=clock)
    assert there.acquire()
    ahead = (NOW + 9 * HOUR).timestamp()
    os.utime(there.file, (ahead, ahead))
    here = DreamLock(tmp_path / "dream.lock", host="here", now=clock)
    assert not here.acquire()
    clock.time = NOW + 2 * HOUR
    assert here.acquire()


def test_a_day_that_is_yet_to_come_counts_as_today(tmp_path: Path) -> None:
    file = tmp_path / "day.json"
    file.write_text(json.dumps({"date": "2026-01-02", "tokens_before": 100}))
    state = LoopState("Bake.", "running", 1, Budget(), Spent(1, 500), NOW, NOW)
    assert today(file, state, NOW) == today(file, state, NOW) == Day("2026-01-01", 100)
    assert today(file, state, NOW + 24 * HOUR) == Day("2026-01-02", 500)
