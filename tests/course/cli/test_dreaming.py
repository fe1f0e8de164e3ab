"""A dream that goes on when the shell is back: real processes, and a model on a server."""

import json
from pathlib import Path
from threading import Event

import pytest
from ollama_server import until_hung_up
from openai_server import CHAT, MODEL, OpenAIServer, events, piece

from g2c.cli.dreaming import TOLD, start_dream, tell_last_dream
from g2c.memory import MemoryStore

PLAN = {
    "upserts": [
        {"name": "Dog", "description": "Rex", "type": "person", "body": "The user's dog is Rex."}
    ],
    "deletes": [],
    "summary": "The dog was noted.",
}


def a_store(home: Path, sessions: int = 5) -> MemoryStore:
    store = MemoryStore(home / "memory")
    for _ in range(sessions):
        store.start_session()
    store.log_turn("user", "My dog is Rex.")
    return store


@pytest.fixture(autouse=True)
def with_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("G2C_REFERENCE", "all")


def test_a_dream_goes_on_behind_its_lock_and_the_next_chat_tells_of_it(tmp_path: Path) -> None:
    asked, go_on, told = Event(), Event(), list[str]()
    store = a_store(tmp_path)
    with OpenAIServer() as server:
        answer = events(piece("stop", content=json.dumps(PLAN)))
        server.on(CHAT, answer.but(asked.set, go_on.wait, *answer.steps))
        model = f"openai:{server.url}/v1#{MODEL}"
        process = start_dream(store, tmp_path, model, told.append)
        assert process and "background" in told[-1]
        assert asked.wait(60)
        assert process.poll() is None
        tell_last_dream(store, told.append)
        assert told[-1] == "It still dreams about earlier chats."
        assert start_dream(store, tmp_path, model, told.append) is None, "one dream at a time"
        go_on.set()
        assert process.wait(60) == 0
    tell_last_dream(store, told.append)
    assert told[-1] == "It dreamed, and kept: Dog.", "a model's summary of it is nobody's word"
    assert not (store.root / TOLD).exists(), "it is told once"
    assert "The user's dog is Rex." in store.read_topic("dog").body


def test_a_dream_that_is_killed_loses_nothing_and_is_begun_again(tmp_path: Path) -> None:
    asked, told = Event(), list[str]()
    store = a_store(tmp_path)
    with OpenAIServer() as server:
        server.on(CHAT, events(piece("stop", content="x")).but(asked.set, until_hung_up))
        process = start_dream(store, tmp_path, f"openai:{server.url}/v1#{MODEL}", told.append)
        assert process and asked.wait(60)
        process.kill()
        process.wait(60)
    assert not store.is_dreaming() and store.dream_is_due()
    assert store.transcripts.tail(1)[0].content == "My dog is Rex."
    count = len(told)
    tell_last_dream(store, told.append)
    assert len(told) == count, "it has nothing to tell"


def test_before_it_is_time_no_process_begins(tmp_path: Path) -> None:
    store = a_store(tmp_path, sessions=4)
    assert start_dream(store, tmp_path, None, pytest.fail) is None
    assert not (store.root / TOLD).exists()


def test_a_model_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    store, told = a_store(tmp_path), list[str]()
    process = start_dream(store, tmp_path, "openai:http://127.0.0.1:1/v1#none", told.append)
    assert process and process.wait(60) == 0
    tell_last_dream(store, told.append)
    assert told[-1].startswith("The dream was left out: ") or "given up" in told[-1]
