"""A memory survives edited files, forks, killed writers, and patterns that never end."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from g2c.cli.console import time_limit
from g2c.files import leftovers
from g2c.inference import ScriptedBackend
from g2c.memory import DreamLock, MemoryStore, MemoryStoreError, Topics, TranscriptLog
from g2c.memory.core.dreams import count_session, read_state
from g2c.memory.core.topics import read_topic
from g2c.memory.core.transcripts import turn_of
from g2c.memory.core.types import Topic, TopicDraft, Turn
from maintain.crash.checks import believed

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
PLAN = """{"upserts": [{"name": "Tea", "description": "how she takes it", "type": "user",
"body": "No sugar."}], "deletes": [], "summary": "Tea."}"""


@pytest.fixture(scope="module", autouse=True)
def believing() -> Iterator[None]:
    with believed():
        yield


class Writer(ScriptedBackend):
    """A model during whose answer something else happens to the memory."""

    def __init__(self, meanwhile: object) -> None:
        super().__init__([PLAN])
        self.meanwhile = meanwhile

    def complete_json(self, *arguments: object, **options: object) -> object:
        self.meanwhile()  # type: ignore[operator]
        return super().complete_json(*arguments, **options)  # type: ignore[arg-type]


def store_in(folder: Path) -> MemoryStore:
    return MemoryStore(folder, now=lambda: NOON)


def test_sessions_that_begin_during_a_dream_count_for_the_next(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.log_turn("user", "No sugar in my tea.")
    for _ in range(5):
        store.start_session()
    model = Writer(lambda: count_session(store.state_file))
    assert store.maybe_dream(model).dreamed  # type: ignore[arg-type]
    assert read_state(store.state_file).session_count == 1


def test_a_session_in_which_nothing_is_said_is_not_counted(tmp_path: Path) -> None:
    for _ in range(3):
        assert store_in(tmp_path / "m").expect_session() == 1
    assert not (tmp_path / "m").exists(), "nothing was said, and nothing is kept"
    for number in (1, 2):
        store = store_in(tmp_path / "m")
        assert store.expect_session() == number
        for said in ("No sugar in my tea.", "And no milk."):
            store.log_turn("user", said)
            assert read_state(store.state_file).session_count == number


def test_a_topic_is_written_by_nobody_else_between_check_and_consolidation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_in(tmp_path)
    store.log_turn("user", "No sugar in my tea.")
    write = (
        "import sys; from datetime import datetime, UTC; from pathlib import Path;"
        "from g2c.memory import Topics, TopicDraft; print('here', flush=True);"
        "Topics(Path(sys.argv[1])).write(TopicDraft('Tea', 'd', 'user', 'Milk.'),"
        "datetime(2026, 4, 21, tzinfo=UTC))"
    )
    others: list[subprocess.Popen[str]] = []
    real = Topics.write

    def write_after_another_has_begun(self: Topics, draft: TopicDraft, now: datetime) -> object:
        command = [sys.executable, "-c", write, str(tmp_path / "topics")]
        others.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert others[0].stdout and others[0].stdout.readline() == "here\n"
        return real(self, draft, now)

    monkeypatch.setattr(Topics, "write", write_after_another_has_begun)
    result = store.maybe_dream(ScriptedBackend([PLAN]), force=True)
    monkeypatch.undo()
    assert others[0].wait() == 0
    assert result.dreamed and "No sugar." in result.diff and "Milk." not in result.diff
    assert store.read_topic("Tea").body == "Milk.", "the later of two writers, and not lost"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_lock_taken_after_a_fork_has_the_childs_number(tmp_path: Path) -> None:
    lock = DreamLock(tmp_path / "dream.lock")
    if not (child := os.fork()):
        os._exit(0 if lock.acquire() else 1)
    assert os.waitpid(child, 0)[1] == 0
    holder = lock.holder()
    assert holder and holder.pid == child, "the parent's number would make it look held"
    assert lock.acquire(), "the child is dead, so its lock is stale"


@pytest.mark.parametrize(
    "time", ["0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"]
)
def test_a_last_dream_at_an_end_of_time_is_a_sentence(tmp_path: Path, time: str) -> None:
    store = store_in(tmp_path)
    store.start_session()
    text = f'{{"last_dream": "{time}", "session_count": 1, "last_summary": ""}}'
    store.state_file.write_text(text, "utf-8")
    with pytest.raises(MemoryStoreError, match="is not a plausible time"):
        store.dream_health()


def test_a_turn_that_has_no_time_in_utc_is_skipped() -> None:
    line = b'{"ts": "0001-01-01T00:00:00+14:00", "agent_id": "a", "role": "user", "content": "x"}'
    assert turn_of(line) is None and turn_of(line.replace(b"0001", b"0002")) is not None


def test_a_link_that_leads_nowhere_is_not_a_topic(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.log_turn("user", "No sugar in my tea.")
    (tmp_path / "topics").mkdir()
    (tmp_path / "topics" / "gone.md").symlink_to("nowhere.md")
    assert store.topics.list() == () and store.recall("tea", transcripts=True)
    assert store.maybe_dream(ScriptedBackend([PLAN]), force=True).dreamed
    assert store.maybe_dream(ScriptedBackend([PLAN]), dry_run=True).plan


def test_files_of_killed_writers_are_named_and_removed_by_the_next_dream(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.write_topic("Tea", "how she takes it", "No sugar.")
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    dead = tmp_path / "topics" / f".tea.md.{child.pid}-0123abcd"
    alive = tmp_path / "topics" / f".tea.md.{os.getpid()}-0123abcd"
    for file in (dead, alive):
        file.write_text("half", "utf-8")
    assert leftovers(tmp_path / "topics") == [dead]
    assert f"topics/{dead.name}" in store.dream_health()
    assert store.maybe_dream(ScriptedBackend([PLAN]), force=True).dreamed
    assert alive.exists() and not dead.exists() and "removes" not in store.dream_health()


def test_no_question_looks_at_blank_lines_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = TranscriptLog(tmp_path / "transcripts")
    turn = Turn(NOON, "a", "user", "No sugar in my tea.")
    log.append(turn)
    with log.path_of(NOON.date()).open("ab") as file:
        file.write(b"\n" * 1_000_000)
    asked: list[bytes] = []

    def counted(line: bytes) -> Turn | None:
        asked.append(line)
        return turn_of(line)

    for module in ("g2c.exercises.e20_2_tail.solution", "g2c.memory.app.followed"):
        monkeypatch.setattr(f"{module}.turn_of", counted)
    assert log.tail(1) == [turn]
    (found,) = MemoryStore(tmp_path).recall("tea", 1, transcripts=True)
    assert found.line == 1 and len(asked) < 10


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs SIGALRM")
def test_a_pattern_that_never_ends_is_ended_with_a_sentence(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.log_turn("user", "a" * 40 + "!")
    with pytest.raises(ValueError, match="simpler"), time_limit(0.2, "Use a simpler pattern."):
        list(store.grep("(a+)+$"))
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that nobody can read")
def test_a_topic_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.write_topic("Tea", "how she takes it", "She takes no sugar.")
    (tmp_path / "topics/odd.md").symlink_to("/proc/self/mem")
    (hit, *_) = store.recall("sugar")
    assert hit.file.name == "tea.md"
    assert [topic.slug for topic in store.topics.list()] == ["tea"] and "tea.md" in store.context()
    assert any("odd.md cannot be read" in fault for fault in store.topics.faults())


def test_a_prompt_reads_only_the_topics_that_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_in(tmp_path)
    for number in range(20):
        store.write_topic(f"Topic {number}", "one of many", "It is here.")
    before = store.context()
    read: list[Path] = []

    def counted(file: Path) -> Topic:
        read.append(file)
        return read_topic(file)

    monkeypatch.setattr("g2c.memory.core.topics.read_topic", counted)
    assert store.context() == before and not read
    store.write_topic("Topic 7", "another now", "It is there.")
    read.clear()
    assert store.context() != before and {file.name for file in read} <= {"topic-7.md"}
