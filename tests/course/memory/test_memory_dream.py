"""Dreams among other processes, with a model that means no good, and under kill -9."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from crashing import in_child, kill_at_change
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.inference import BackendError, ScriptedBackend, UnusableAnswerError
from g2c.memory.app.dream import DreamResult, dream
from g2c.memory.app.layers import DreamLock, Layers, MemoryIndex, TranscriptLog
from g2c.memory.core.dreams import count_session, read_state
from g2c.memory.core.plan import TURN_CHARS, parse_plan
from g2c.memory.core.topics import MAX_SOURCES, MAX_TOPIC_BYTES, Topics
from g2c.memory.core.types import DreamPlan, DreamState, MemoryStoreError, TopicDraft, Turn
from maintain.crash.checks import believed
from maintain.crash.lives import Outcome, Say
from maintain.crash.races import Start, race

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAN = json.dumps(
    {
        "upserts": [
            {"name": "Tea", "description": "how Ada takes it", "type": "user", "body": "Black."},
            {"name": "Trip", "description": "where to go", "type": "project", "body": "To Rome."},
        ],
        "deletes": ["old-news"],
        "summary": "Tea and a trip.",
    }
)


@pytest.fixture(scope="module", autouse=True)
def believing() -> Iterator[None]:
    with believed():
        yield


def turn(minute: int, content: str = "I take my tea black.", day: int = 20) -> Turn:
    return Turn(datetime(2026, 4, day, 9, minute, tzinfo=UTC), "a1", "user", content)


class Store:
    """A store whose gates are open, with something to dream of."""

    def __init__(self, root: Path, now: datetime = NOON) -> None:
        self.root, self.now = root, now
        self.layers = Layers(
            TranscriptLog(root / "transcripts"),
            Topics(root / "topics"),
            MemoryIndex(root / "MEMORY.md"),
            root / "dream_state.json",
        )

    @classmethod
    def filled(cls, root: Path) -> Store:
        store = cls(root)
        for _ in range(5):
            count_session(store.layers.state_file)
        store.say(turn(1))
        store.know("Tea", "With milk.")
        store.know("Old news", "It rained.")
        return store

    def say(self, said: Turn) -> None:
        self.layers.transcripts.append(said)
        self.layers.index.upsert(
            f"transcripts/{said.ts:%Y-%m-%d}.jsonl", f"said on {said.ts.date()}"
        )

    def know(self, name: str, body: str, updated: datetime = NOON - 30 * HOUR) -> None:
        topic = self.layers.topics.write(TopicDraft(name, f"on {name}", "fact", body), updated)
        self.layers.index.upsert(f"topics/{topic.slug}.md", topic.description)

    def lock(self) -> DreamLock:
        return DreamLock(self.root / "dream.lock", now=lambda: self.now)

    def dream(self, *completions: Any, **options: Any) -> DreamResult:
        return dream(self.layers, self.lock(), ScriptedBackend(completions), self.now, **options)

    def plan(self) -> str:
        """`PLAN`, as a model would write it that sees the topics that there are."""
        topics = {topic.slug for topic in self.layers.topics.list()}
        return PLAN if "old-news" in topics else PLAN.replace('"old-news"', "")

    def files(self) -> dict[str, bytes]:
        """All files but the hidden ones: guards, and what a killed process was writing."""
        return {
            file.relative_to(self.root).as_posix(): file.read_bytes()
            for file in self.root.rglob("*")
            if file.is_file() and not file.name.startswith(".")
        }

    def state(self) -> dict[str, bytes]:
        """The file with the state of the dreams, where a plan that cannot be used is counted."""
        return {"dream_state.json": self.layers.state_file.read_bytes()}

    def check_sound(self) -> None:
        """Everything opens, and every pointer to a topic leads somewhere."""
        read_state(self.layers.state_file)
        self.layers.transcripts.tail(10)
        slugs = {f"topics/{topic.slug}.md" for topic in self.layers.topics.list()}
        pointed = {p.file for p in self.layers.index.pointers if p.file.startswith("topics/")}
        assert pointed <= slugs


def test_a_dream_writes_deletes_and_closes_the_gate(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    phases: list[str] = []
    result = store.dream(PLAN, on_phase=phases.append)
    assert result.dreamed and result.reason == "Tea and a trip."
    assert phases == ["orient", "gather", "consolidate", "index"]
    assert [p.file for p in store.layers.index.pointers] == ["topics/tea.md", "topics/trip.md"]
    assert store.layers.topics.read("tea").body == "Black."
    assert read_state(store.layers.state_file) == DreamState(NOON, 0, "Tea and a trip.")
    assert "-With milk.\n+Black." in result.diff and "--- before/topics/old-news.md" in result.diff
    again = store.dream(PLAN)
    assert not again.dreamed and again.closed == ("time", "sessions")
    assert again.reason == "No dream now: the last was 0.0 hours ago; 0 sessions since the last."
    assert not (tmp_path / "dream.lock").exists()


def test_force_opens_every_gate_but_the_lock(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.lock().acquire()
    refused = store.dream(PLAN, force=True)
    assert refused.closed == ("lock",) and f"process {os.getpid()} of" in refused.reason
    (tmp_path / "dream.lock").unlink()
    assert store.dream('{"upserts": [], "deletes": [], "summary": "x"}', force=True).dreamed


def test_a_dry_run_changes_nothing_and_tells_all(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    before = store.files()
    result = store.dream(PLAN, dry_run=True)
    assert store.files() == before and not result.dreamed
    assert result.reason == "A dry run, nothing was changed. Tea and a trip."
    assert result.plan and result.plan.deletes == ("old-news",)
    assert result.diff == store.dream(PLAN).diff != ""


def test_only_read_entries_leave_the_index(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)

    def answer(prompt: str) -> str:
        store.say(turn(2, "One more thing.", day=21))
        return PLAN

    store.say(turn(1, day=21))
    assert store.dream(answer).dreamed
    transcripts = [p.file for p in store.layers.index.pointers if "transcripts" in p.file]
    assert transcripts == ["transcripts/2026-04-21.jsonl"]


def test_a_topic_that_was_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    for change in (
        lambda: store.know("Tea", "With lemon."),
        lambda: store.know("Trip", "To Oslo."),
        lambda: store.layers.topics.delete("old-news"),
    ):

        def answer(prompt: str, change: Callable[[], Any] = change) -> str:
            change()
            answer.files = store.files()  # type: ignore[attr-defined]
            return PLAN

        result = store.dream(answer)
        assert not result.dreamed and "during the dream" in result.reason
        after = store.files()
        assert after == {k: v for k, v in answer.files.items() if k != "dream.lock"}  # type: ignore[attr-defined]


def test_the_index_is_made_to_match_the_topics(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    store.layers.topics.write(TopicDraft("Lost", "no pointer", "fact", "x"), NOON)
    store.layers.index.upsert("topics/gone.md", "no file")
    assert store.dream(PLAN).dreamed
    files = {p.file for p in store.layers.index.pointers}
    assert files == {"topics/tea.md", "topics/trip.md", "topics/lost.md"}


def test_the_prompt_is_bounded_and_its_turns_are_one_line_each(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    for n in range(60):
        store.know(f"Topic {n}", "word " * 150)
    store.know("Long", "word " * 4_000, updated=NOON)
    for n in range(59):
        store.say(turn(n, "[2026-04-20 09:00 user] so\n[2026-04-20 09:00 user] it goes " * n))
    store.say(turn(59, "Say {topics} and {turns}."))
    model = ScriptedBackend([BackendError("no")])
    dream(store.layers, store.lock(), model, NOON)
    prompt = model.history[0].prompt
    assert 8_000 < len(prompt) < 18_000
    lines = [line for line in prompt.splitlines() if line.startswith("[2026")]
    assert lines[-1].endswith("Say {topics} and {turns}.") and len(lines) < 59
    assert max(map(len, lines)) < TURN_CHARS + 40
    assert "\n- Long: on Long\n" in prompt, "what is too long to be shown is named"
    assert model.history[0].options["schema"]["properties"]["deletes"]["items"]["enum"]


def test_a_topic_that_was_cut_stays_and_the_rest_of_the_plan_is_done(tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    store.know("Trip", "word " * 4_000)
    before = store.layers.topics.read("trip")
    result = store.dream(PLAN)
    assert result.refused == ("Trip was not shown whole, and stays as it is.",)
    assert store.layers.topics.read("trip") == before
    assert store.layers.topics.read("tea").body == "Black."


def test_a_backend_that_knows_no_schema_is_asked_for_plain_text(tmp_path: Path) -> None:
    class Plain(ScriptedBackend):
        supports_json = False

    store = Store.filled(tmp_path)
    model = Plain([f"```json\n{PLAN}\n```"])
    assert dream(store.layers, store.lock(), model, NOON).dreamed
    assert [call.kind for call in model.history] == ["complete"]


HOSTILE: dict[str, Any] = {
    "no JSON": "I would rather sleep.",
    "refused by its reader": PLAN.replace("old-news", "tea"),
    "no answer": BackendError("The server is not running."),
    "no more answers": None,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_plan_that_is_not_sound_changes_nothing_and_says_why(name: str, tmp_path: Path) -> None:
    store = Store.filled(tmp_path)
    before = store.files()
    result = store.dream(*[HOSTILE[name]] if HOSTILE[name] else [])
    assert not result.dreamed and result.reason.endswith((".", "again.")) and result.closed == ()
    assert len(result.reason) < 400
    assert store.files() == before | store.state()
    store.now += HOUR
    assert store.dream(PLAN).dreamed, "the next one, with a better plan, goes well"


@pytest.mark.parametrize(
    "answer", ["I would rather sleep.", UnusableAnswerError("It wrote no JSON.")], ids=str
)
def test_a_plan_that_cannot_be_used_is_not_asked_for_again_at_once(
    tmp_path: Path, answer: str | BackendError
) -> None:
    store = Store.filled(tmp_path)
    pauses = []
    for _ in range(10):
        assert not store.dream(answer).closed
        waited = 0
        while "could not be used" in (refused := store.dream()).reason and refused.closed:
            waited += 1
            store.now += HOUR
        pauses.append(waited)
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 168, 168], "it doubles up to a week"
    assert store.dream(PLAN, force=True).dreamed, "a person does not wait"
    assert not read_state(store.layers.state_file).failures


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
words = st.sampled_from(["tea", "old", "..", "MEMORY.md", "a/b", "\x00", "\ud800", "日本", ""])
drafts = st.fixed_dictionaries(
    {key: words | st.text(max_size=30) for key in ("name", "description", "type", "body")}
)
plans = st.fixed_dictionaries(
    {
        "upserts": st.lists(drafts, max_size=3) | json_values,
        "deletes": st.lists(words, max_size=2) | json_values,
        "summary": st.text(max_size=20) | json_values,
    }
)


@given(st.one_of(plans.map(json.dumps), json_values.map(json.dumps), st.text()))
@settings(derandomize=True, max_examples=200)
def test_whatever_a_model_writes_is_a_plan_or_a_reason(text: str) -> None:
    try:
        plan = parse_plan(text, {"tea", "old"})
    except MemoryStoreError as error:
        assert str(error).startswith("The plan") and len(str(error)) < 400
        return
    assert isinstance(plan, DreamPlan) and set(plan.deletes) <= {"tea", "old"}


@pytest.mark.parametrize("letter", ["x", "€", "\U000e0001", "\ud800", "\x07", "'"])
def test_every_plan_that_is_accepted_can_be_written(letter: str, tmp_path: Path) -> None:
    def accepts(size: int) -> DreamPlan | None:
        topic = {
            "name": letter * 80,
            "description": letter * 200,
            "type": "episode",
            "body": letter * size,
        }
        data = {"upserts": [topic], "deletes": [], "summary": "x"}
        try:
            return parse_plan(json.dumps(data), ())
        except MemoryStoreError:
            return None

    largest = max(size for size in range(0, MAX_TOPIC_BYTES, 256) if accepts(size))
    plan = accepts(largest)
    assert plan
    sources = tuple(f"transcripts/2026-04-21.jsonl:{10_000 + n}" for n in range(MAX_SOURCES))
    Topics(tmp_path).write(replace(plan.upserts[0], sources=sources), NOON)


def test_a_state_that_cannot_be_read_stops_the_dream_and_lets_go_of_the_lock(
    tmp_path: Path,
) -> None:
    store = Store.filled(tmp_path)
    store.layers.state_file.write_text("{")
    with pytest.raises(MemoryStoreError, match="Mend it, or delete it"):
        store.dream(PLAN)
    assert store.lock().acquire()


def test_a_full_disk_leaves_a_store_that_can_dream_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.filled(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Topics, "write", full_disk)
        with pytest.raises(OSError, match="No space"):
            store.dream(PLAN)
    store.check_sound()
    assert read_state(store.layers.state_file).session_count == 5
    assert store.dream(PLAN).dreamed


def full_disk(*_: Any) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.slow
@needs_fork
def test_killed_before_any_change_of_a_file_a_dream_can_be_dreamed_again(tmp_path: Path) -> None:
    finished = Store.filled(tmp_path / "finished")
    assert finished.dream(PLAN).dreamed
    for changes in range(100):
        store = Store.filled(tmp_path / str(changes))
        status = in_child(lambda store=store, changes=changes: killed_after(changes, store))
        store.check_sound()
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
        again = store.dream(store.plan())
        assert again.dreamed or again.closed == ("time", "sessions"), again.reason
        assert store.files().keys() == finished.files().keys()
        assert store.layers.topics.list() == finished.layers.topics.list()
        assert store.layers.index.render() == finished.layers.index.render()
    assert 10 < changes < 90, "as many kills as there are changes"


def killed_after(changes: int, store: Store) -> None:
    """Dream in this process, and kill it in place of the change that comes after so many."""
    kill_at_change(changes, "replace", "unlink", "link")
    store.dream(PLAN)


def winners(work: Callable[[], bool]) -> int:
    """How many of sixteen processes that begin at the same moment succeed, and live on until all
    the others have failed."""

    def run(number: int, start: Start, say: Say) -> None:
        has_won = work()
        say(has_won)
        if has_won:
            start.hold()
        else:
            start.losers.release()

    outcome = Outcome()
    said = [won for life in race(1, outcome, run) for won in life.acknowledged]
    assert not outcome.faults and len(said) == 16
    return said.count(True)


@pytest.mark.slow
@needs_fork
@pytest.mark.parametrize("lock_is", ["free", "stale", "unreadable and old", "another computer's"])
def test_one_of_sixteen_processes_gets_the_lock(lock_is: str, tmp_path: Path) -> None:
    for round_number in range(5):
        file = tmp_path / f"{round_number}.lock"
        if lock_is == "stale":
            in_child(lambda file=file: DreamLock(file).acquire())
        elif lock_is == "unreadable and old":
            file.write_text("{")
            os.utime(file, (0, 0))
        elif lock_is == "another computer's":
            assert DreamLock(file, host="elsewhere").acquire()
            os.utime(file, (0, 0))
        won = winners(lambda file=file: DreamLock(file).acquire())
        assert won == 1, f"{won} of 16 got a lock that was {lock_is}"
        assert [path.name for path in tmp_path.glob(f".{file.name}.*")] == [f".{file.name}.guard"]


@pytest.mark.slow
@needs_fork
def test_one_of_many_dreams_at_once_asks_the_model(tmp_path: Path) -> None:
    for round_number in range(3):
        store = Store.filled(tmp_path / str(round_number))
        calls = tmp_path / f"{round_number}.calls"

        def answer(prompt: str, calls: Path = calls) -> str:
            with calls.open("a") as file:
                file.write("x")
            return PLAN

        dreamed = winners(lambda store=store: store.dream(answer).dreamed)
        assert (dreamed, calls.read_text()) == (1, "x"), (
            "a process that waited for the lock looks at the gates again once it has it"
        )
        store.check_sound()
