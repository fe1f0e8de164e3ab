"""No server makes a call hang, grow without end, or fail with anything but a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from math import inf, nan
from pathlib import Path

import pytest
from hostile_server import (
    CHUNKED,
    HEAD,
    OF_EACH_SORT,
    OPEN,
    PULLS,
    REPLIES,
    SHOWS,
    TAGS,
    UNTOLD,
    Clock,
    dripping,
    endless,
    wire,
)
from ollama_server import Answer, OllamaServer, lines

from g2c.inference import (
    BackendError,
    BackendTimeoutError,
    BrokenStreamError,
    OllamaBackend,
)
from g2c.inference.served import _ollama_models, _ollama_wire

pytestmark = pytest.mark.slow

SCHEMA = {"type": "object"}
QUESTION = [{"role": "user", "content": "Hi"}]
WIRE = list(wire())


@pytest.fixture
def server():
    with OllamaServer() as running:
        yield running


@pytest.fixture
def tight(monkeypatch):
    """Bounds that a test reaches soon."""
    monkeypatch.setattr(_ollama_wire, "MAX_LINE_BYTES", 2**17)
    monkeypatch.setattr(_ollama_wire, "MAX_ANSWER_BYTES", 2**18)
    monkeypatch.setattr(_ollama_models, "MAX_LIST_BYTES", 2**18)
    monkeypatch.setattr(_ollama_models, "PULL_MAX_BYTES", 2**18)
    monkeypatch.setattr(_ollama_models, "PULL_DEADLINE_S", 1.0)
    monkeypatch.setattr(_ollama_models, "LIST_DEADLINE_S", 1.0)


def backend(server: OllamaServer, **settings) -> OllamaBackend:
    return OllamaBackend(base_url=server.url, timeout=1.0, deadline=1.0, **settings)


CALLS = {
    "/api/chat": {
        "text": lambda server: backend(server).complete("Hi"),
        "chat": lambda server: backend(server).chat_with_tools(QUESTION, []),
        "json": lambda server: backend(server).complete_json("Hi", SCHEMA),
    },
    "/api/generate": {"raw": lambda server: backend(server, raw=True).complete("Hi")},
    "/api/show": {
        "stop": lambda server: backend(server).stopping_at("x").complete("Hi"),
        "think": lambda server: backend(server, think=True).complete("Hi"),
    },
    "/api/tags": {"list": lambda server: _ollama_models.list_tags()},
    "/api/pull": {"pull": lambda server: _ollama_models.pull("llama3.2:3b", lambda *_: None)},
}
EACH = [
    (path, call, name)
    for path, calls in CALLS.items()
    for call in calls
    for name in (WIRE if call == "text" else OF_EACH_SORT)
]


def refused(server: OllamaServer, path: str, call: str, answer: Answer, monkeypatch) -> str:
    """Make the call, which gets `answer`, and return the sentence of its error."""
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    server.on(path, answer)
    with pytest.raises(BackendError) as caught:
        CALLS[path][call](server)
    said = str(caught.value)
    assert said.isprintable(), f"this can steer a terminal: {said!r}"
    assert said[0].isupper() or said.startswith("http"), said
    assert said.endswith(".") and len(said) < 1000, said
    return said


@pytest.mark.parametrize(
    ("path", "call", "name"), EACH, ids=[f"{call}-{name}" for _, call, name in EACH]
)
def test_broken_http_is_an_error_with_a_sentence(server, tight, monkeypatch, path, call, name):
    refused(server, path, call, wire()[name], monkeypatch)
    asked = {request.path for request in server.requests}
    assert asked <= {path, "/api/show", "/api/ps"}, "it asked elsewhere"


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_of_another_shape_is_told_by_what_came(server, monkeypatch, name):
    said = refused(server, "/api/chat", "chat", lines(REPLIES[name]), monkeypatch)
    assert "It begins: " in said and repr(json.dumps(REPLIES[name])[:20])[2:-1] in said


@pytest.mark.parametrize("name", UNTOLD)
def test_a_number_that_none_can_be_is_as_if_it_were_not_told(server, name):
    message = {"role": "assistant", "content": "Hi"}
    server.on("/api/chat", lines({"message": message, "done": True, **UNTOLD[name]}))
    result = backend(server).complete("Hi")
    assert (result.completion, result.completion_tokens) == ("Hi", None)
    assert result.metadata["total_ms"] is None


@pytest.mark.parametrize("name", SHOWS)
def test_an_odd_model_is_told_by_what_came(server, monkeypatch, name):
    refused(server, "/api/show", "stop", lines(SHOWS[name]), monkeypatch)


@pytest.mark.parametrize("name", TAGS)
def test_an_odd_list_of_models_is_told_by_what_came(server, monkeypatch, name):
    said = refused(server, "/api/tags", "list", lines(TAGS[name]), monkeypatch)
    assert "models" in said


@pytest.mark.parametrize("name", PULLS)
def test_odd_progress_is_told_by_what_came(server, monkeypatch, name):
    refused(server, "/api/pull", "pull", lines(PULLS[name]), monkeypatch)


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN"])
def test_json_that_is_too_deep_is_not_an_answer(server, text):
    server.on("/api/chat", lines({"message": {"role": "assistant", "content": text}, "done": True}))
    with pytest.raises(BackendError, match="no whole JSON"):
        backend(server).complete_json("Hi", SCHEMA)


def test_calls_without_end_are_given_up(server):
    calls = [{"function": {"name": "now", "arguments": {}}}] * 600
    line = {"message": {"role": "assistant", "tool_calls": calls}}
    server.on("/api/chat", lines(line, line))
    with pytest.raises(BackendError, match="more than 1000 calls"):
        backend(server).chat_with_tools(QUESTION, [])


DRIPS = {
    "status": b"HTTP/1.1 200 OK, all is well, and there is more to come",
    "headers": HEAD + b"X: a header that takes its time",
    "line": OPEN + b'{"message": {"content": "a line that takes its time',
    "lines": OPEN + b"\n" * 60,
    "chunks": CHUNKED + b"1\r\n\n\r\n" * 60,
    "error": b"HTTP/1.1 500 No\r\n\r\nan error that takes its time",
}


@pytest.mark.parametrize("name", DRIPS)
def test_a_drip_is_given_up_at_the_deadline(server, name):
    clock = Clock()
    end = b"1\r\n\n\r\n" if name == "chunks" else b"\n"
    server.on("/api/chat", dripping(DRIPS[name], clock, end))
    model = _ollama_wire.OllamaServer(server.url, "m", timeout=60, deadline=300, clock=clock)
    with pytest.raises(BackendTimeoutError, match="more than 300 s for one answer"):
        list(model.stream(False, {}))
    assert clock.now >= 300


@pytest.mark.parametrize(
    ("start", "forever"),
    [
        (OPEN, b"x"),
        (OPEN, b" " * 1000 + b"\n"),
        (OPEN, b"[" * 100 + b"\n"),
        (OPEN + b"[", b"{},"),
        (OPEN + b'{"message": {"tool_calls": [', b'{"function": {"name": "a"}},'),
        (OPEN, b'{"message": {"content": "' + b"x" * 2**19 + b'"}}\n'),
    ],
    ids=["line", "blank lines", "arrays", "objects", "calls", "text"],
)
def test_memory_is_bounded_by_the_real_bounds(server, start, forever):
    server.on("/api/chat", endless(start, forever))
    model = OllamaBackend(base_url=server.url)
    tracemalloc.start()
    try:
        with pytest.raises(BrokenStreamError):
            model.complete("Hi")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * _ollama_wire.MAX_ANSWER_BYTES, f"{peak:,} bytes at once"


def test_a_prompt_goes_nowhere_else(server):
    with OllamaServer() as other:
        head = f"HTTP/1.1 307 Go on\r\nLocation: {other.url}/api/chat\r\nContent-Length: 0\r\n\r\n"
        server.on("/api/chat", Answer((head.encode(),), raw=True))
        with pytest.raises(BackendError, match=other.url):
            backend(server).complete("a secret")
        assert other.requests == []


@pytest.mark.parametrize(
    ("name", "bad"), [*(("timeout", bad) for bad in (0, -1, nan, inf, 1e12)), ("deadline", nan)]
)
def test_a_time_without_end_is_refused(name, bad):
    with pytest.raises(ValueError, match=name):
        OllamaBackend(**{name: bad})


@pytest.mark.parametrize("address", ["https://\u2603.example", "http://a b"])
def test_an_address_that_is_none_is_a_sentence(address: str, tmp_path: Path) -> None:
    code = "import sys; sys.argv = ['g2c', 'model', 'x:1']; from g2c.cli.main import main; main()"
    environment = {**os.environ, "OLLAMA_HOST": address, "G2C_ROOT": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.returncode == 1 and b"Traceback" not in done.stderr, done.stderr
