"""The parts of module 20 for dreams: the lock's file, plans, the state, and its health."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from cases import each

from g2c.memory.app.layers import DreamLock
from g2c.memory.core.dreams import count_session, dream_health, end_dream, read_state
from g2c.memory.core.lock import LockHolder
from g2c.memory.core.plan import MAX_BODY_BYTES, MAX_CHANGES, parse_plan, plan_schema
from g2c.memory.core.types import DreamPlan, DreamState, MemoryStoreError, TopicDraft
from g2c.processes import is_running, mark_of, process_is_alive

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
OURS, RIVAL = 200, 300


def lock_in(folder: Path, pid: int = OURS) -> DreamLock:
    """The lock of `folder` as process `pid` of the computer `here` has it."""
    return DreamLock(folder / "dream.lock", pid=pid, host="here", now=lambda: NOON)


def leave(folder: Path, text: str, age: timedelta = timedelta(0)) -> Path:
    """Leave a lock's file there."""
    file = folder / "dream.lock"
    file.write_text(text, encoding="utf-8")
    made = (NOON - age).timestamp()
    os.utime(file, (made, made))
    return file


def owner(folder: Path) -> int | None:
    """The process whose lock is there."""
    holder = lock_in(folder).holder()
    return holder and holder.pid


class TestLockFile:
    def test_it_tells_a_person_who_has_it_and_since_when(self, tmp_path: Path) -> None:
        lock = lock_in(tmp_path)
        assert lock.create()
        record = json.loads(lock.file.read_text("utf-8"))
        assert (record["pid"], record["host"]) == (OURS, "here")
        assert datetime.fromisoformat(record["time"]) == NOON

    def test_it_is_made_once_and_leaves_nothing_beside_it(self, tmp_path: Path) -> None:
        lock = lock_in(tmp_path)
        assert lock.create() and not lock_in(tmp_path, RIVAL).create()
        assert owner(tmp_path) == OURS and list(tmp_path.iterdir()) == [lock.file]

    def test_only_ones_own_is_released(self, tmp_path: Path) -> None:
        first, second, rival = (lock_in(tmp_path, pid) for pid in (OURS, OURS, RIVAL))
        assert first.create()
        rival.release()
        second.release()
        assert owner(tmp_path) == OURS, "another one, even of the same process, released it"
        first.release()
        assert owner(tmp_path) is None
        first.release()  # once more is not an error

    def test_a_lease_that_was_taken_over_is_lost(self, tmp_path: Path) -> None:
        slow = lock_in(tmp_path)
        assert slow.create()
        leave(tmp_path, json.dumps({"pid": RIVAL, "host": "here"}))
        slow.release()
        assert owner(tmp_path) == RIVAL

    def test_the_holder_is_none_where_there_is_none(self, tmp_path: Path) -> None:
        assert lock_in(tmp_path).holder() is None

    @each(["", "{", "[1]", '{"pid": -1, "host": "here"}', '{"pid": true, "host": "here"}'], "text")
    def test_a_holder_that_cannot_be_read_is_nobody(self, text: str) -> None:
        with TemporaryDirectory() as folder:
            leave(Path(folder), text, age=HOUR)
            assert lock_in(Path(folder)).holder() == LockHolder(None, None, NOON - HOUR)

    def test_this_process_is_alive_and_others_are_not(self) -> None:
        assert process_is_alive(os.getpid())
        assert not process_is_alive(2**31 - 1) and not process_is_alive(2**80)

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell by a file")
    def test_a_process_that_has_ended_and_was_not_reaped_is_dead(self) -> None:
        """In a container without an init it stays so for ever, and so did a dream's lock."""
        process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        mark = mark_of(process.pid)
        assert is_running(process.pid, mark)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it is not reaped
        assert not process_is_alive(process.pid) and not is_running(process.pid, mark)
        process.communicate()


def plan(**changes: Any) -> dict[str, Any]:
    """A sound plan as a model writes it, but for the changes."""
    topic = {"name": "Tea", "description": "how", "type": "user", "body": "No sugar."}
    return {"upserts": [topic], "deletes": ["old"], "summary": "Tea.", **changes}


def upsert(**changes: Any) -> dict[str, Any]:
    """A plan with one topic, which is sound but for the changes."""
    return plan(upserts=[{**plan()["upserts"][0], **changes}])


def read(data: Any) -> DreamPlan:
    text = data if isinstance(data, str) else json.dumps(data)
    return parse_plan(text, {"old", "tea"})


class TestDreamPlan:
    def test_a_sound_plan_is_read(self) -> None:
        assert read(plan()) == DreamPlan(
            (TopicDraft("Tea", "how", "user", "No sugar."),), ("old",), "Tea."
        )

    def test_it_may_stand_in_a_code_fence(self) -> None:
        assert read(f"```json\n{json.dumps(plan(), indent=1)}\n```") == read(plan())

    def test_nothing_to_do_is_a_plan(self) -> None:
        assert read(plan(upserts=[], deletes=[])) == DreamPlan((), (), "Tea.")

    def test_texts_for_one_line_become_one(self) -> None:
        said = read(upsert(description="a\n- [x](x) — b", name="Green\n tea"))
        assert said.upserts[0].description == "a - [x](x) — b"
        assert said.upserts[0].name == "Green tea"

    def test_a_delete_that_comes_twice_counts_once(self) -> None:
        assert read(plan(deletes=["old", "old"])).deletes == ("old",)

    @each(
        ["", "Sure!", "[]", "null", '{"upserts": [', "[" * 100_000, "1" * 5_000, "{}", '"plan"'],
        "text",
    )
    def test_another_text_than_a_plan_is_refused(self, text: str) -> None:
        with pytest.raises(MemoryStoreError, match="The plan"):
            read(text)

    @each(
        [
            plan(upserts={}),
            plan(upserts=["Tea"]),
            plan(deletes="old"),
            plan(deletes=[1]),
            plan(summary=None),
            plan(summary=" "),
            plan(commands=["rm"]),
            upsert(name=7),
            upsert(name="\n"),
            upsert(body=" "),
            upsert(path="/etc/passwd"),
        ],
        "data",
    )
    def test_a_plan_of_another_shape_is_refused(self, data: Any) -> None:
        with pytest.raises(MemoryStoreError, match="The plan"):
            read(data)

    @each(
        [
            plan(upserts=[upsert(name=f"t{n}")["upserts"][0] for n in range(MAX_CHANGES + 1)]),
            plan(deletes=["old"] * (MAX_CHANGES + 1)),
            plan(summary="x" * 301),
            upsert(name="x" * 81),
            upsert(description="x" * 201),
            upsert(body="x" * (MAX_BODY_BYTES + 1)),
            upsert(body="€" * (MAX_BODY_BYTES // 3 + 1)),
            upsert(body="\ud800" * (MAX_BODY_BYTES // 6 + 1)),
        ],
        "data",
    )
    def test_a_plan_that_is_too_large_is_refused(self, data: Any) -> None:
        with pytest.raises(MemoryStoreError, match="limit") as caught:
            read(data)
        assert len(str(caught.value)) < 300

    @each(
        [
            "MEMORY.md",
            "memory.MD",
            "transcripts/2026-04-21.jsonl",
            "dream_state.json",
            "../../etc/passwd",
            "..\\x",
            "/etc/passwd",
            "topics/tea",
            "tea\0",
        ],
        "name",
    )
    def test_a_name_that_leads_elsewhere_is_refused(self, name: str) -> None:
        with pytest.raises(MemoryStoreError, match="not a name for a topic"):
            read(upsert(name=name))

    @each(["TCP/IP", "C++", "日本", "Ada's tea", "v1.2", "memory", "..."], "name")
    def test_a_strange_name_is_a_name(self, name: str) -> None:
        assert read(upsert(name=name)).upserts[0].name == name

    @each(["unknown", "closed", "MEMORY.md", "../old", "Old", ""], "slug")
    def test_only_known_topics_may_be_deleted(self, slug: str) -> None:
        with pytest.raises(MemoryStoreError, match="The plan"):
            read(plan(deletes=[slug]))

    def test_a_topic_that_is_written_twice_is_one_draft(self) -> None:
        tea, again = (upsert(name=name, body=name)["upserts"][0] for name in ("Tea", "tea."))
        (draft,) = read(plan(upserts=[tea, again])).upserts
        assert draft.body == "Tea\ntea."

    def test_a_topic_is_not_both_written_and_deleted(self) -> None:
        with pytest.raises(MemoryStoreError, match="both writes and deletes"):
            read(plan(deletes=["tea"]))

    def test_the_schema_of_a_store_names_what_may_be_deleted(self) -> None:
        deletes = plan_schema({"b", "a"})["properties"]["deletes"]
        assert deletes["items"] == {"enum": ["a", "b"]}
        assert plan_schema(())["properties"]["deletes"]["maxItems"] == 0


class TestDreamState:
    def test_a_store_without_the_file_never_dreamed(self, tmp_path: Path) -> None:
        assert read_state(tmp_path / "state.json") == DreamState()

    def test_sessions_are_counted_until_a_dream_ends(self, tmp_path: Path) -> None:
        file = tmp_path / "state.json"
        count_session(file)
        assert count_session(file) == read_state(file) == DreamState(None, 2, "")
        end_dream(file, NOON, "Tea.", sessions=2)
        assert read_state(file) == DreamState(NOON, 0, "Tea.")
        assert count_session(file) == DreamState(NOON, 1, "Tea.")
        assert end_dream(file, NOON, "Tea.", sessions=3).session_count == 0, "never below 0"

    @each(
        [
            "",
            "[]",
            "{}",
            '{"last_dream": null, "session_count": -1, "last_summary": ""}',
            '{"last_dream": null, "session_count": true, "last_summary": ""}',
            '{"last_dream": "2026-04-21T12:00:00", "session_count": 1, "last_summary": ""}',
            '{"last_dream": "yesterday", "session_count": 1, "last_summary": ""}',
            "\xff",
        ],
        "text",
    )
    def test_a_file_that_cannot_be_read_is_an_error_and_stays(self, text: str) -> None:
        with TemporaryDirectory() as folder:
            file = Path(folder, "state.json")
            file.write_bytes(text.encode("latin-1"))
            for use in (read_state, count_session):
                with pytest.raises(MemoryStoreError, match="Mend it, or delete it"):
                    use(file)
            assert file.read_bytes() == text.encode("latin-1")


class TestDreamHealth:
    def test_it_says_in_a_sentence_how_things_stand(self) -> None:
        day, holder = 24 * HOUR, LockHolder(12, "here", NOON - HOUR)
        for state, who, words in [
            (DreamState(None, 2), None, "Well: 2 sessions of 5, and it has never dreamed"),
            (DreamState(NOON - HOUR, 9), None, "Well: 9 sessions of 5"),
            (DreamState(NOON - 9 * day, 0), None, "Waiting: 0 sessions of 5"),
            (DreamState(NOON - 2 * day, 6), None, "Due: 6 sessions of 5"),
            (DreamState(NOON - 9 * day, 40), None, "the model's plans are refused"),
            (DreamState(NOON - 9 * day, 40), holder, "process 12 of here has held the lock since"),
            (DreamState(NOON + HOUR, 9), None, "1.0 hours in the future"),
            (DreamState(None, 15), None, "Stalled: 15 sessions of 5, and it has never dreamed"),
        ]:
            said = dream_health(state, NOON, who)
            assert words in said and said.endswith("."), said
