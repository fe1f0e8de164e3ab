"""A memory whose folder other programs and people change: copies, links, half files, words out."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command import g2c

from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.loop.core.inbox import unread
from g2c.memory import MemoryStore, MemoryStoreError, make_read_topic_tool
from g2c.memory.app.forget import forget
from g2c.memory.core.dreams import read_state
from g2c.memory.core.topics import MAX_TOPIC_BYTES

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
DAY = "transcripts/2026-04-21.jsonl"


@pytest.fixture
def store(tmp_path: Path) -> MemoryStore:
    """A memory in a home, with two turns and a topic."""
    store = MemoryStore(tmp_path / "home" / "memory", now=lambda: NOON)
    store.log_turn("user", "My dog is Rex.")
    store.log_turn("user", "The key is hunter2.")
    store.write_topic("House", "the door", "The door is green.")
    return store


def output_of(store: MemoryStore, *arguments: str, code: int = 0) -> str:
    done = g2c("memory", *arguments, "--memory", str(store.root), root=store.root.parent)
    assert done.returncode == code, done.stdout + done.stderr
    return " ".join((done.stdout + done.stderr).split())


def test_files_that_nobody_reads_are_named(store: MemoryStore) -> None:
    for name in ("people/ann.md", "Car.MD", "plan.txt", ".obsidian/a.md", "picture.png", "b.md~"):
        (store.root / "topics" / name).parent.mkdir(exist_ok=True)
        (store.root / "topics" / name).write_text("x")
    (store.root / "transcripts" / "2026-04-21 (conflicted copy).jsonl").write_text("")
    (store.root / "topics" / "big.md").write_text("x" * (MAX_TOPIC_BYTES + 1))
    said = output_of(store, "health", code=1)
    for name in ("topics/people/ann.md", "topics/Car.MD", "topics/plan.txt"):
        assert f"{name} is not read" in said
    assert "transcripts/2026-04-21 (conflicted copy).jsonl is not read" in said
    assert "topics/big.md has 25,001 bytes" in said
    assert said.count("is not read") == 4, "other programs' files are none of a memory's business"


def test_a_line_without_a_turn_is_told_and_is_no_fault(store: MemoryStore) -> None:
    with (store.root / DAY).open("ab") as file:
        file.write(b'{"ts": "2026-\n')
    assert "1 line holds no turn; see line 3" in output_of(store, "health")


def test_a_pointer_leads_to_its_topic_or_turn(store: MemoryStore) -> None:
    for name in ("House", "house.md", "topics/house.md", "topics/house.md:8"):
        assert "The door is green." in output_of(store, "show", name)
    assert "user: The key is hunter2." in output_of(store, "show", f"{DAY}:2")
    assert "no transcript of 2026-04-22" in output_of(store, "show", f"{DAY[:-7]}2.jsonl", code=1)


def test_a_topic_is_found_by_the_title_that_a_person_gave_it(store: MemoryStore) -> None:
    file = store.root / "topics/house.md"
    file.write_text(read_text(file).replace("name: House", "name: Our old home"))
    assert store.read_topic("our old home").slug == "house"
    assert "green" in make_read_topic_tool(store).func("Our old home")


def test_a_prompt_follows_what_a_person_deletes_and_renames(store: MemoryStore) -> None:
    (store.root / "topics/house.md").rename(store.root / "topics/home.md")
    assert "house" not in store.context()
    store.start_session()
    assert "[topics/home.md](topics/home.md) — the door" in store.context()
    assert "house" not in read_text(store.index.file)


def test_a_turn_is_kept_even_if_its_session_cannot_be_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore(tmp_path, now=lambda: NOON)
    store.expect_session()
    (tmp_path / "dream_state.json").mkdir()
    with pytest.warns(UserWarning, match="the count of this session"):
        store.log_turn("user", "Kept.")
    store.log_turn("user", "And told once.")
    assert [turn.content for turn in store.transcripts.tail(9)] == ["Kept.", "And told once."]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    assert load_json("\ufeff[1]") == [1]
    state = tmp_path / "dream_state.json"
    state.write_text('{"last_dream": null, "session_count": 2, "last_summary": ""}', "utf-8-sig")
    assert read_state(state).session_count == 2
    (tmp_path / "1.txt").write_text("Buy tea.", "utf-8-sig")
    assert [message.text for message in unread(tmp_path)] == ["Buy tea."]


def test_text_that_windows_wrote_is_read_and_not_garbled(store: MemoryStore) -> None:
    for file in (store.index.file, store.root / "topics/house.md"):
        file.write_text(read_text(file), "utf-16", newline="\r\n")
    assert "- [topics/house.md](topics/house.md) — the door" in store.context()
    assert [hit.line for hit in store.recall("door", 1)] == [8]
    assert "The door is green." in make_read_topic_tool(store).func("house.md:8")
    store.add_to_topic("House", "It has a bell.")
    assert len(store.index.pointers) == 2 and store.read_topic("house").name == "House"


def test_a_search_that_ends_before_the_past_says_how_to_reach_it(store: MemoryStore) -> None:
    old = datetime.now(UTC) - timedelta(days=20)
    MemoryStore(store.root, now=lambda: old).log_turn("user", "My cat is Tom.")
    days = (datetime.now(UTC).date() - NOON.date()).days + 1
    assert f"Nothing in the last 7 days; --days {days} searches all." in output_of(
        store, "grep", "Tom", code=1
    )
    assert output_of(store, "grep", "Bob", "--days", str(days), code=1) == ""


def test_home_and_memory_are_not_taken_for_each_other(store: MemoryStore) -> None:
    home = store.root.parent
    for arguments, why in (
        (("memory", "show", "--memory", str(home)), "is a home; its memory is"),
        (("memory", "show", "--home", str(store.root)), "is a memory; a home is the folder around"),
        (("chat", "Hi", "--memory", str(home)), "is a home; its memory is"),
        (("home", "init", "--home", str(store.root)), "is a memory; a home is the folder around"),
    ):
        done = g2c(*arguments, root=home)
        assert done.returncode and why in " ".join(done.stderr.split()), arguments
    (home.parent / "other/topics").mkdir(parents=True)
    done = g2c("home", "init", "--home", str(home.parent / "other"), root=home)
    assert done.returncode == 0, "a folder of one's own may have that name"
    assert not (home / "transcripts").exists() and not (store.root / "agent.toml").exists()


def test_a_file_in_the_place_of_a_memory_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("mine")
    done = g2c("memory", "show", "--home", str(tmp_path), root=tmp_path)
    assert done.returncode and "memory is not a folder" in done.stderr


def test_a_memory_on_a_disk_that_is_away_is_not_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/memory").symlink_to(tmp_path / "disk")
    for command in (("memory", "show"), ("home", "show")):
        done = g2c(*command, "--home", str(tmp_path / "home"), root=tmp_path)
        assert done.returncode and "a link that leads nowhere" in done.stderr.lower(), command


@pytest.mark.parametrize(
    ("said", "asked"),
    [("José lives in Łódź.", "Lodz"), ("Ma sœur a un café.", "soeur"), ("Køb smør!", "smor")],
)
def test_a_word_is_found_without_its_accents_and_not_the_other_way_round(
    store: MemoryStore, said: str, asked: str
) -> None:
    store.log_turn("user", said)
    assert [hit.excerpt for hit in store.recall(asked, 1, transcripts=True)] == [said]
    assert store.recall("döör", 1) == []


def test_forgotten_words_are_gone_and_all_else_keeps_its_place(store: MemoryStore) -> None:
    store.write_topic("Keys", "hunter2", 'It is "hunter2".\n\nIt is new.')
    (store.root / "dream_state.json").write_text(json.dumps({"last_summary": "hunter2"}))
    store.recall("key", transcripts=True)
    (store.root.parent / "calls.jsonl").write_text("hunter2\n")
    done = g2c("memory", "forget", "hunter2", "--home", str(store.root.parent), root=store.root)
    assert done.returncode == 1 and "hunter2" in read_text(store.root / DAY), "nobody said yes"
    done = g2c(
        *("memory", "forget", "hunter2", "--yes", "--home", str(store.root.parent)), root=store.root
    )
    assert done.returncode == 0 and "calls.jsonl, which you can delete" in done.stdout
    for file in (each for each in store.root.rglob("*") if each.is_file()):
        assert b"hunter2" not in file.read_bytes(), file
    assert [turn.content for turn in store.transcripts.tail(1)] == ["The key is (forgotten)."]
    assert store.read_topic("keys").body == 'It is "(forgotten)".\n\nIt is new.'
    assert output_of(store, "forget", "hunter2", code=1) == "The memory does not have these words."


def test_words_are_forgotten_behind_a_link_and_blank_ones_are_none(
    store: MemoryStore, tmp_path: Path
) -> None:
    (store.root / "topics").rename(tmp_path / "vault")
    (store.root / "topics").symlink_to(tmp_path / "vault")
    forget(store, "green")
    assert "(forgotten)" in read_text(tmp_path / "vault/house.md")
    with pytest.raises(MemoryStoreError, match="Name the words"):
        forget(store, "  ")


def test_nothing_is_forgotten_while_a_dream_could_write_it_again(store: MemoryStore) -> None:
    assert store.lock.create()
    with pytest.raises(MemoryStoreError, match="A dream goes on"):
        forget(store, "hunter2")


@pytest.mark.parametrize("words", ["role", "user", "2026-04", "updated", "hous"])
def test_words_that_every_file_needs_are_not_forgotten(store: MemoryStore, words: str) -> None:
    before = {file: file.read_bytes() for file in store.root.rglob("*.*") if file.is_file()}
    with pytest.raises(MemoryStoreError):
        forget(store, words)
    assert all(file.read_bytes() == data for file, data in before.items())
