"""A call that was under way when the program ended, by a real kill."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from g2c.guard.app.guard import UNDER_WAY, Ask, Guard
from g2c.guard.app.journal import CallJournal
from g2c.guard.app.permissions import Answer, PermissionLog, Question
from g2c.guard.core.permission import ProposedCall, Rule
from g2c.guard.core.provenance import RunText
from g2c.guard.core.unanswered import Recovery
from g2c.processes import mark_of
from g2c.tools import Tool, ToolError

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}

SENDS_AND_HANGS = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from g2c.guard.app.guard import UNDER_WAY, Ask, Guard
from g2c.guard.app.journal import CallJournal
from g2c.guard.app.permissions import PermissionLog
from g2c.guard.core.permission import Rule
from g2c.tools import Tool

folder = Path(sys.argv[1])
now = lambda: datetime.now(UTC)
log = PermissionLog(folder / "permissions.jsonl", now)
rules = (Rule("allow"),)
guard = Guard("agent", rules, log, None, now, journal=CallJournal(folder / "calls.jsonl"))

def send(to):
    print("sent", flush=True)
    time.sleep(600)

schema = {"type": "object", "properties": {"to": {"type": "string"}}}
guard.guarded(Tool("send", "Send.", schema, send), name="post/send", sends=True).func(to="ada")
"""


def make_guard(tmp_path: Path, ask: Ask = lambda *_: "no") -> Guard:
    log = PermissionLog(tmp_path / "permissions.jsonl", lambda: NOW)
    journal = CallJournal(tmp_path / "calls.jsonl")
    return Guard("agent", (Rule("allow"),), log, ask, lambda: NOW, journal=journal)


def kill_while_sending(tmp_path: Path) -> None:
    environment = {**os.environ, "G2C_REFERENCE": "all"}
    command = [sys.executable, "-c", SENDS_AND_HANGS, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout and process.stdout.readline() == b"sent\n"
        process.send_signal(signal.SIGKILL)


@pytest.mark.parametrize(("answer", "sent"), [("yes", ["ada"]), ("no", [])])
def test_the_same_call_after_a_kill_is_asked_about_once_though_a_rule_allows_it(
    answer: Answer, sent: list[str], tmp_path: Path
) -> None:
    kill_while_sending(tmp_path)
    asked, made = [], []

    def ask(question: Question, origins: Sequence[RunText]) -> Answer:
        asked.append([origin.text for origin in origins])
        return answer

    def try_to_send(to: str) -> None:
        tool = Tool("send", "Send.", SCHEMA, lambda to: made.append(to))
        guard = make_guard(tmp_path, ask)
        with suppress(ToolError):
            guard.guarded(tool, name="post/send", sends=True).func(to=to)

    try_to_send("bob")  # another call is not asked about
    try_to_send("ada")
    assert made == ["bob", *sent]
    assert asked == [[UNDER_WAY.text]]
    assert CallJournal(tmp_path / "calls.jsonl").unanswered(()) == []


def test_a_kill_between_effect_and_answer_leaves_it_open(tmp_path: Path) -> None:
    kill_while_sending(tmp_path)
    journal = CallJournal(tmp_path / "calls.jsonl")
    [(recovery, call)] = journal.unanswered(())
    assert recovery.action == "ask"
    assert call == ProposedCall("agent", "post/send", {"to": "ada"})
    journal.record_finding(recovery.call, True)
    assert journal.unanswered(()) == [(Recovery(recovery.call, "tell"), call)]
    journal.record_end(recovery.call)
    assert journal.unanswered(()) == []


@pytest.mark.parametrize(
    ("raised", "is_open"), [(None, False), (ToolError("no"), False), (KeyboardInterrupt(), True)]
)
def test_an_error_is_an_answer_and_an_interruption_is_none(
    tmp_path: Path, raised: BaseException | None, is_open: bool
) -> None:
    def send(to: str) -> str:
        if raised:
            raise raised
        return "sent"

    guard = make_guard(tmp_path)
    tool = guard.guarded(Tool("send", "Send.", SCHEMA, send), name="post/send", sends=True)
    if raised:
        with pytest.raises(type(raised)):
            tool.func(to="ada")
    else:
        tool.func(to="ada")
    assert guard.journal and bool(guard.journal.unanswered(())) == is_open


def test_a_call_that_another_process_makes_now_is_left_to_it(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path / "calls.jsonl")
    journal.record_start(ProposedCall("agent", "post/send", {}))
    line = journal.file.read_text()
    line = line.replace(f'"process": {os.getpid()}', f'"process": {os.getppid()}')
    journal.file.write_text(line)
    assert len(journal.unanswered(())) == 1, "another process has the number now"
    journal.file.write_text(line.replace(mark_of(os.getpid()), mark_of(os.getppid())))
    assert journal.unanswered(()) == []


def test_a_call_of_another_computer_is_left_to_it_for_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = NOW.timestamp()
    journal = CallJournal(tmp_path / "calls.jsonl", lambda: now)
    ids = [journal.record_start(ProposedCall("agent", "post/send", {})) for _ in range(2)]
    assert journal.elsewhere() == {} and len(journal.unanswered(())) == 2
    monkeypatch.setattr("socket.gethostname", lambda: "other")
    hosts = set(journal.elsewhere().values())
    assert list(journal.elsewhere()) == ids and hosts == {os.uname().nodename}
    assert journal.unanswered(()) == []
    journal.record_end(ids[0])
    assert list(journal.elsewhere()) == ids[1:]
    now += 25 * 3600
    assert journal.elsewhere() == {} and len(journal.unanswered(())) == 1
    now -= 50 * 3600
    assert journal.elsewhere() == {}, "a clock was wrong"


def test_a_local_call_is_not_logged(tmp_path: Path) -> None:
    guard = make_guard(tmp_path)
    guard.guarded(Tool("write_file", "Write.", SCHEMA, lambda to: "done")).func(to="a")
    assert not (tmp_path / "calls.jsonl").exists()


def test_torn_and_foreign_lines_are_passed_over(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path / "calls.jsonl")
    id = journal.record_start(ProposedCall("agent", "post/send", {}))
    with journal.file.open("a") as file:
        told = f'{{"what": "told", "id": "{id}"}}'
        file.write(f'[]\n{{"what": "ended", "id": "c9"}}\n{told}\n{{"wh')
    assert [one.action for one, _ in journal.unanswered(())] == ["ask"]
    journal.record_end(id)
    assert journal.unanswered(()) == []
