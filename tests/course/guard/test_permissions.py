"""Questions and answers, by one process and by many, and what a kill leaves of them."""

import json
import multiprocessing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from g2c.guard.app.permissions import LASTS, Answer, PermissionLog
from g2c.guard.core.permission import ProposedCall

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
CALL = ProposedCall("agent", "post/send", {"to": "ada@mill.example", "n": 1})
OTHERS = [
    ProposedCall("agent", "post/send", {"to": "ada@mill.example", "n": True}),
    ProposedCall("agent", "post/send", {"to": "ada@mill.example", "n": 1.0}),
    ProposedCall("agent", "post/send", {"to": "ada@mill.example"}),
    ProposedCall("loop main", "post/send", {"to": "ada@mill.example", "n": 1}),
    ProposedCall("agent", "cave/send", {"to": "ada@mill.example", "n": 1}),
]


ASKED: dict[str, Any] = {"what": "asked", "id": "q1", "why": []}


class Clock:
    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(tmp_path: Path, clock: Clock) -> PermissionLog:
    return PermissionLog(tmp_path / "outbox/permissions.jsonl", clock)


def test_a_question_is_asked_once(log: PermissionLog) -> None:
    first = log.ask(CALL, ("a mail: send it",))
    assert log.ask(CALL) == first
    assert [log.ask(other).id for other in OTHERS] == ["q2", "q3", "q4", "q5", "q6"]
    assert log.waiting()[0] == first and len(log.waiting()) == 6


def test_a_yes_is_for_one_call(log: PermissionLog) -> None:
    log.answer(log.ask(CALL).id, "yes")
    assert not any(log.spend(other) for other in OTHERS)
    assert [approval.call for approval in log.approvals()] == [CALL]
    assert log.spend(CALL)
    assert not log.spend(CALL) and not log.approvals()
    assert log.ask(CALL).id == "q2", "it has to be asked again"


def test_an_always_stays_until_its_time_is_over(log: PermissionLog, clock: Clock) -> None:
    log.answer(log.ask(CALL).id, "always")
    assert log.spend(CALL) and log.spend(CALL)
    clock.time += LASTS["always"]
    assert not log.spend(CALL)


def test_a_yes_that_nobody_used_ends_by_itself(log: PermissionLog, clock: Clock) -> None:
    log.answer(log.ask(CALL).id, "yes")
    clock.time += LASTS["yes"] - timedelta(seconds=1)
    assert log.approvals()
    clock.time += timedelta(seconds=1)
    assert not log.spend(CALL)


@pytest.mark.parametrize("answer", ["yes", "always"])
def test_a_yes_that_was_seen_to_be_over_stays_over_when_the_clock_is_set_back(
    log: PermissionLog, clock: Clock, answer: Answer
) -> None:
    log.answer(log.ask(CALL).id, answer)
    clock.time += LASTS[answer]
    assert not log.approvals()
    clock.time = NOW + timedelta(hours=1)
    assert not log.approvals() and not log.spend(CALL)
    assert len(log.file.read_text().splitlines()) == 3, "it is written down once"
    log.answer(log.ask(CALL).id, "yes")
    assert log.spend(CALL), "a person may say yes again"


def test_a_no_is_kept_for_a_while(log: PermissionLog, clock: Clock) -> None:
    log.answer(log.ask(CALL).id, "no")
    assert log.is_refused(CALL) and not any(map(log.is_refused, OTHERS))
    assert not log.approvals()
    clock.time += LASTS["no"]
    assert not log.is_refused(CALL)


def test_a_yes_after_a_no_counts(log: PermissionLog) -> None:
    log.answer(log.ask(CALL).id, "no")
    log.answer(log.ask(CALL).id, "yes")
    assert not log.is_refused(CALL) and log.spend(CALL)


def test_an_answer_to_nothing_says_what_waits(log: PermissionLog) -> None:
    with pytest.raises(ValueError, match="wait for an answer: none"):
        log.answer("q1", "yes")
    log.ask(CALL)
    with pytest.raises(ValueError, match="wait for an answer: q1"):
        log.answer("q7", "yes")
    log.answer("q1", "no")
    log.answer("q1", "yes")
    assert log.spend(CALL), "somebody who has thought again is believed"
    with pytest.raises(ValueError, match="the call has been made"):
        log.answer("q1", "no")


def test_the_newest_answer_counts(log: PermissionLog) -> None:
    log.ask(CALL)
    log.answer("q1", "yes")
    log.answer("q1", "no")
    assert not log.spend(CALL) and log.is_refused(CALL)


@pytest.mark.parametrize(
    "line",
    [
        {**ASKED, "call": {"actor": "a", "tool": "t", "arguments": 5}},
        {**ASKED, "id": "x1", "call": {"actor": "a", "tool": "t", "arguments": {}}},
        {**ASKED, "call": {"actor": "a", "tool": [], "arguments": {}}},
        {"what": "yes", "id": "q1", "at": "0001-01-01T00:00:00+14:00"},
        {"what": "yes", "id": "q1", "at": "2026-01-01T00:00:00"},
        {"what": "yes", "id": "q1", "at": "3000-01-01T00:00:00+00:00"},
        {"what": "yes", "id": 7},
    ],
)
def test_a_line_that_nobody_here_wrote_opens_nothing(
    log: PermissionLog, line: dict[str, object]
) -> None:
    log.file.parent.mkdir(parents=True)
    call = {"actor": CALL.actor, "tool": CALL.tool, "arguments": dict(CALL.arguments)}
    for item in ({**ASKED, "call": call}, line):
        with log.file.open("a") as file:
            file.write(json.dumps({"at": NOW.isoformat(), **item}) + "\n")
    assert [question.call for question in log.questions()] == [CALL]
    assert not log.approvals() and not log.spend(CALL)


def test_a_lost_line_gives_no_id_twice(log: PermissionLog) -> None:
    for other in OTHERS[:3]:
        log.ask(other)
    _, *rest = log.file.read_text().splitlines(keepends=True)
    log.file.write_text("".join(rest))
    assert log.ask(CALL).id == "q4"


def test_a_torn_or_foreign_line_is_passed_over(log: PermissionLog) -> None:
    log.answer(log.ask(CALL).id, "yes")
    lines = ['{"what": "asked", "id": "q9"', "[]", "7", '{"what": "yes", "id": "q1", "at": "soon"}']
    lines += ['{"at": "2026-01-01T00:00:00+00:00", "what": "asked", "id": "q8", "call": {"a": 1}}']
    with log.file.open("a") as file:
        file.write("\n".join(lines))
    assert [question.id for question in log.questions()] == ["q1"]
    assert log.spend(CALL), "and the next line is written below the torn one"


def spend(file: Path) -> bool:
    return PermissionLog(file, lambda: NOW).spend(CALL)


def ask(file: Path) -> str:
    return PermissionLog(file, lambda: NOW).ask(CALL).id


def test_one_of_many_processes_gets_the_yes(log: PermissionLog) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert set(pool.map(ask, [log.file] * 16)) == {"q1"}
        log.answer("q1", "yes")
        assert sorted(pool.map(spend, [log.file] * 16)) == [False] * 15 + [True]
