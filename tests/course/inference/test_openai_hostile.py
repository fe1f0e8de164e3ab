"""No server with OpenAI's API makes a call hang, grow without end, or fail with anything but a
sentence; the table of what it sends is the one that Ollama's tests use."""

from __future__ import annotations

import json
import tracemalloc
from math import inf, nan

import pytest
from hostile_server import CHUNKED, HEAD, OF_EACH_SORT, OPEN, Clock, dripping, endless, wire
from ollama_server import Answer, lines
from openai_server import CHAT, MODEL, MODELS, TEXT, OpenAIServer, events, piece

from g2c.inference import (
    BackendError,
    BackendTimeoutError,
    BrokenStreamError,
    OpenAICompatibleBackend,
)
from g2c.inference.served import _openai_wire
from g2c.inference.served.openai import list_models

KEY = "sk-course-0123456789abcdef"
QUESTION = [{"role": "user", "content": "Hi"}]
WIRE = list(wire())


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def tight(monkeypatch):
    """Bounds that a test reaches soon."""
    monkeypatch.setattr(_openai_wire, "MAX_LINE_BYTES", 2**17)
    monkeypatch.setattr(_openai_wire, "MAX_ANSWER_BYTES", 2**18)


def backend(server: OpenAIServer, **settings) -> OpenAICompatibleBackend:
    return OpenAICompatibleBackend(server.url, MODEL, timeout=1.0, deadline=1.0, **settings)


CALLS = {
    CHAT: {
        "text": lambda server: backend(server).complete("Hi"),
        "chat": lambda server: backend(server).chat_with_tools(QUESTION, []),
        "json": lambda server: backend(server).complete_json("Hi", {"type": "object"}),
    },
    TEXT: {"raw": lambda server: backend(server, raw=True).complete("Hi")},
    MODELS: {"list": lambda server: list_models(server.url)},
}
EACH = [
    (path, call, name)
    for path, calls in CALLS.items()
    for call in calls
    for name in (WIRE if call == "text" else OF_EACH_SORT)
]


def refused(server: OpenAIServer, path: str, call: str, answer: Answer, monkeypatch) -> str:
    """Make the call, which gets `answer`, and return the sentence of its error."""
    monkeypatch.setenv("G2C_API_KEY", KEY)
    server.on(path, answer)
    with pytest.raises(BackendError) as caught:
        CALLS[path][call](server)
    said = str(caught.value)
    assert said.isprintable(), f"this can steer a terminal: {said!r}"
    assert said[0].isupper() or said.startswith("http"), said
    assert said.endswith(".") and len(said) < 1000, said
    assert KEY not in said and "OLLAMA" not in said.upper(), said
    return said


@pytest.mark.parametrize(
    ("path", "call", "name"), EACH, ids=[f"{call}-{name}" for _, call, name in EACH]
)
def test_broken_http_is_an_error_with_a_sentence(server, tight, monkeypatch, path, call, name):
    refused(server, path, call, wire()[name], monkeypatch)


CHOICES = {
    "choices null": {"choices": None},
    "choices as an object": {"choices": {}},
    "no choices": {"object": "chat.completion.chunk"},
    "an index as text": {"choices": [{"index": "0", "delta": {}}]},
    "a delta as a list": {"choices": [{"index": 0, "delta": ["Hi"]}]},
    "content as a list": piece("stop", content=[{"type": "text"}]),
    "thinking as a list": piece("stop", reasoning=["Hm"]),
    "a reason as a list": piece(["stop"]),
    "calls as an object": piece("stop", tool_calls={}),
    "a call as text": piece("stop", tool_calls=["now()"]),
    "a call whose function is text": piece("stop", tool_calls=[{"function": "now"}]),
    "a call whose name is a number": piece("stop", tool_calls=[{"function": {"name": 1}}]),
    "a call whose id is a number": piece("stop", tool_calls=[{"id": 1}]),
    "a call at half an index": piece("stop", tool_calls=[{"index": 0.5}]),
    "a call below 0": piece("stop", tool_calls=[{"index": -1}]),
    "arguments as a list": piece("stop", tool_calls=[{"function": {"arguments": [1]}}]),
    "a count below 0": {**piece("stop"), "usage": {"prompt_tokens": -1}},
    "a count as text": {**piece("stop"), "usage": {"completion_tokens": "nine"}},
    "a count beyond all bounds": {**piece("stop"), "usage": {"prompt_tokens": 10**300}},
    "usage as a list": {**piece("stop"), "usage": [1]},
    "details as text": {**piece("stop"), "usage": {"prompt_tokens_details": "none"}},
}


@pytest.mark.parametrize(
    ("call", "name"), [*(("chat", name) for name in CHOICES), ("text", "usage as a list")]
)
def test_an_event_of_another_shape_is_told_by_what_came(server, monkeypatch, call, name):
    said = refused(server, CHAT, call, events(CHOICES[name]), monkeypatch)
    assert "It begins: " in said and repr(json.dumps(CHOICES[name])[:20])[2:-1] in said


@pytest.mark.parametrize(
    "listed",
    [
        {},
        {"data": {"id": "a"}},
        {"data": ["a"]},
        {"data": [{}]},
        {"data": [{"id": 5}]},
        {"data": [{"id": "a", "max_model_len": "8k"}]},
        {"data": [{"id": "a", "meta": []}]},
        {"data": [{"id": "a", "aliases": "b"}]},
    ],
    ids=json.dumps,
)
def test_an_odd_list_of_models_is_told_by_what_came(server, monkeypatch, listed):
    assert "It begins: " in refused(server, MODELS, "list", lines(listed), monkeypatch)


DRIPS = {
    "status": b"HTTP/1.1 200 OK, all is well, and there is more to come",
    "headers": HEAD + b"X: a header that takes its time",
    "event": OPEN + b'data: {"choices": [{"delta": {"content": "an event that takes its time',
    "comments": OPEN + b":\n" * 60,
    "chunks": CHUNKED + b"1\r\n\n\r\n" * 60,
    "error": b"HTTP/1.1 500 No\r\n\r\nan error that takes its time",
}


@pytest.mark.parametrize("name", DRIPS)
def test_a_drip_is_given_up_at_the_deadline(server, name):
    clock = Clock()
    end = b"1\r\n\n\r\n" if name == "chunks" else b"\n"
    server.on(CHAT, dripping(DRIPS[name], clock, end))
    model = _openai_wire.OpenAIServer(server.url + "/v1", "NO_KEY", 60, 300, clock=clock)
    with pytest.raises(BackendTimeoutError, match="more than 300 s for one answer"):
        list(model.stream("/chat/completions", {"model": "m"}))
    assert clock.now >= 300


EVENT = b'data: {"choices": [{"delta": {"%s"}}]}\n\n'


@pytest.mark.parametrize(
    ("start", "forever"),
    [
        (OPEN, b"x"),
        (OPEN, b": ping\n"),
        (OPEN, b"\n"),
        (OPEN + b"data: [", b"{},"),
        (OPEN, EVENT % (b'content": "' + b"x" * 2**19)),
        (OPEN, EVENT % (b'reasoning": "' + b"x" * 2**19)),
        (
            OPEN,
            b'data: {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "a", '
            b'"arguments": "' + b"x" * 2**19 + b'"}}]}}]}\n\n',
        ),
    ],
    ids=["line", "comments", "blank lines", "objects", "text", "thinking", "arguments"],
)
def test_memory_is_bounded_by_the_real_bounds(server, start, forever):
    server.on(CHAT, endless(start, forever))
    model = OpenAICompatibleBackend(server.url, MODEL)
    tracemalloc.start()
    try:
        with pytest.raises(BrokenStreamError):
            model.complete("Hi")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * _openai_wire.MAX_ANSWER_BYTES, f"{peak:,} bytes at once"


@pytest.mark.parametrize(
    ("name", "bad"), [*(("timeout", bad) for bad in (0, -1, nan, inf, 1e12)), ("deadline", nan)]
)
def test_a_time_without_end_is_refused(name, bad):
    with pytest.raises(ValueError, match=name):
        OpenAICompatibleBackend("http://127.0.0.1:1", MODEL, **{name: bad})


@pytest.mark.parametrize("host", ["\u2603", "a..b", "a" * 300, "[::1"])
def test_a_host_that_no_name_server_could_know_is_refused(host):
    with pytest.raises(ValueError, match="must be an http:// or https:// address"):
        OpenAICompatibleBackend(f"http://{host}/v1", MODEL)
