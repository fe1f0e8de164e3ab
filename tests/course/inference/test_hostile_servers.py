"""No model server makes a call hang, grow without end, or fail with anything but a sentence."""

import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hostile_server import (
    CHOICES,
    CHUNKED,
    HEAD,
    LISTS,
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
from openai_server import CHAT, MODEL, MODELS, TEXT, OpenAIServer, events

from g2c.inference import (
    Backend,
    BackendError,
    BackendTimeoutError,
    BrokenStreamError,
    OllamaBackend,
    OpenAICompatibleBackend,
    RecordingBackend,
)
from g2c.inference.served import _ollama_models, _ollama_wire, _openai_wire
from g2c.inference.served.openai import list_models

pytestmark = pytest.mark.slow

KEY = "sk-course-0123456789abcdef"
SCHEMA = {"type": "object"}
QUESTION = [{"role": "user", "content": "Hi"}]
WIRE = list(wire())


@dataclass(frozen=True)
class Dialect:
    """One of the two ways in which a server is spoken to."""

    server: type[OllamaServer]
    backend: Callable[..., Backend]  # from the server's URL and settings
    stream: Callable[..., Iterator[Any]]  # from the server's URL and a clock: an answer as it comes
    wire: ModuleType
    calls: dict[str, tuple[str, Callable[[str, Callable[..., Backend]], object]]]
    """For each name the path that is asked, and the call."""

    @property
    def chat(self) -> str:
        return self.calls["text"][0]


def _openai_stream(url: str, clock: Clock) -> Iterator[Any]:
    model = _openai_wire.OpenAIServer(url + "/v1", "NO_KEY", 60, 300, clock=clock)
    return model.stream("/chat/completions", {"model": "m"})


def calls_of(chat: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "text": (chat, lambda url, make: make(url).complete("Hi")),
        "chat": (chat, lambda url, make: make(url).chat_with_tools(QUESTION, [])),
        "json": (chat, lambda url, make: make(url).complete_json("Hi", SCHEMA)),
        "raw": (text, lambda url, make: make(url, raw=True).complete("Hi")),
        **more,
    }


DIALECTS = {
    "ollama": Dialect(
        OllamaServer,
        lambda url, **settings: OllamaBackend(base_url=url, **settings),
        lambda url, clock: _ollama_wire.OllamaServer(url, "m", 60, 300, clock).stream(False, {}),
        _ollama_wire,
        calls_of(
            "/api/chat",
            "/api/generate",
            stop=("/api/show", lambda url, make: make(url).stopping_at("x").complete("Hi")),
            think=("/api/show", lambda url, make: make(url, think=True).complete("Hi")),
            list=("/api/tags", lambda url, make: _ollama_models.list_tags()),
            pull=("/api/pull", lambda url, make: _ollama_models.pull("llama3.2:3b", print)),
        ),
    ),
    "openai": Dialect(
        OpenAIServer,
        lambda url, **settings: OpenAICompatibleBackend(url, MODEL, **settings),
        _openai_stream,
        _openai_wire,
        calls_of(CHAT, TEXT, list=(MODELS, lambda url, make: list_models(url))),
    ),
}


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return DIALECTS[request.param]


@pytest.fixture
def server(dialect: Dialect) -> Iterator[OllamaServer]:
    with dialect.server() as running:
        yield running


def only(name: str) -> pytest.MarkDecorator:
    """Only this dialect."""
    return pytest.mark.parametrize("dialect", [DIALECTS[name]], ids=[name])


@pytest.fixture
def tight(monkeypatch):
    """Bounds that a test reaches soon."""
    for module in (_ollama_wire, _openai_wire):
        monkeypatch.setattr(module, "MAX_LINE_BYTES", 2**17)
        monkeypatch.setattr(module, "MAX_ANSWER_BYTES", 2**18)
    monkeypatch.setattr(_ollama_models, "MAX_LIST_BYTES", 2**18)
    monkeypatch.setattr(_ollama_models, "PULL_MAX_BYTES", 2**18)
    monkeypatch.setattr(_ollama_models, "PULL_DEADLINE_S", 1.0)
    monkeypatch.setattr(_ollama_models, "LIST_DEADLINE_S", 1.0)


def refused(dialect: Dialect, server: OllamaServer, call: str, answer: Answer, monkeypatch) -> str:
    """Make the call, which gets `answer`, and return the sentence of its error."""
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    monkeypatch.setenv("G2C_API_KEY", KEY)
    path, make_call = dialect.calls[call]
    server.on(path, answer)
    with pytest.raises(BackendError) as caught:
        make_call(
            server.url,
            lambda url, **settings: dialect.backend(url, timeout=1.0, deadline=1.0, **settings),
        )
    said = str(caught.value)
    assert said.isprintable(), f"this can steer a terminal: {said!r}"
    assert said[0].isupper() or said.startswith("http"), said
    assert said.endswith(".") and len(said) < 1000, said
    if dialect is DIALECTS["openai"]:
        assert KEY not in said and "OLLAMA" not in said.upper(), said
    else:
        asked = {request.path for request in server.requests}
        assert asked <= {path, "/api/show", "/api/ps"}, "it asked elsewhere"
    return said


@pytest.mark.parametrize(
    ("dialect", "call", "name"),
    [
        pytest.param(dialect, call, name, id=f"{kind}-{call}-{name}")
        for kind, dialect in DIALECTS.items()
        for call in dialect.calls
        for name in (WIRE if call == "text" else OF_EACH_SORT)
    ],
)
def test_broken_http_is_an_error_with_a_sentence(dialect, server, tight, monkeypatch, call, name):
    refused(dialect, server, call, wire()[name], monkeypatch)


ODD = [
    *(("ollama", "chat", name, lines(data), data) for name, data in REPLIES.items()),
    *(("ollama", "stop", name, lines(data), None) for name, data in SHOWS.items()),
    *(("ollama", "list", name, lines(data), "models") for name, data in TAGS.items()),
    *(("ollama", "pull", name, lines(data), None) for name, data in PULLS.items()),
    *(("openai", "chat", name, events(data), data) for name, data in CHOICES.items()),
    ("openai", "text", "usage as a list", events(CHOICES["usage as a list"]), None),
    *(("openai", "list", json.dumps(data), lines(data), "It begins: ") for data in LISTS),
]
"""Answers in JSON of another shape. With the last, what is told: a part of the sentence, or how the
data begins."""


@pytest.mark.parametrize(
    ("dialect", "call", "answer", "told"),
    [
        pytest.param(DIALECTS[kind], call, answer, told, id=f"{kind}-{call}-{name}")
        for kind, call, name, answer, told in ODD
    ],
)
def test_an_answer_of_another_shape_is_told_by_what_came(
    dialect, server, monkeypatch, call, answer, told
):
    said = refused(dialect, server, call, answer, monkeypatch)
    if isinstance(told, dict):
        assert "It begins: " in said and repr(json.dumps(told)[:20])[2:-1] in said
    elif told:
        assert told in said


@only("ollama")
@pytest.mark.parametrize("name", UNTOLD)
def test_a_number_that_none_can_be_is_as_if_it_were_not_told(dialect, server, name):
    message = {"role": "assistant", "content": "Hi"}
    server.on("/api/chat", lines({"message": message, "done": True, **UNTOLD[name]}))
    result = dialect.backend(server.url).complete("Hi")
    assert (result.completion, result.completion_tokens) == ("Hi", None)
    assert result.metadata["total_ms"] is None


@only("ollama")
@pytest.mark.parametrize("text", ["[" * 100_000, "NaN"])
def test_json_that_is_too_deep_is_not_an_answer(dialect, server, text):
    server.on("/api/chat", lines({"message": {"role": "assistant", "content": text}, "done": True}))
    log = RecordingBackend(dialect.backend(server.url))
    with pytest.raises(BackendError, match="no whole JSON"):
        log.complete_json("Hi", SCHEMA)
    assert [call.result.completion for call in log.calls] == [text], "its tokens count"


@only("ollama")
@pytest.mark.parametrize(
    ("ending", "says"),
    [("length", "the token limit cut it off"), ("stop", "may not follow a schema")],
)
def test_text_in_the_place_of_json_is_told_with_its_cause(dialect, server, ending, says):
    message = {"role": "assistant", "content": "Weaknesses: no"}
    server.on("/api/chat", lines({"message": message, "done": True, "done_reason": ending}))
    with pytest.raises(BackendError, match=says):
        dialect.backend(server.url).complete_json("Hi", SCHEMA)


@only("ollama")
def test_calls_without_end_are_given_up(dialect, server):
    calls = [{"function": {"name": "now", "arguments": {}}}] * 600
    line = {"message": {"role": "assistant", "tool_calls": calls}}
    server.on("/api/chat", lines(line, line))
    with pytest.raises(BackendError, match="more than 1000 calls"):
        dialect.backend(server.url).chat_with_tools(QUESTION, [])


DRIPS = {
    "status": b"HTTP/1.1 200 OK, all is well, and there is more to come",
    "headers": HEAD + b"X: a header that takes its time",
    "line": OPEN + b'data: {"message": {"content": "a line that takes its time',
    "lines": OPEN + b":\n\n" * 60,
    "chunks": CHUNKED + b"1\r\n\n\r\n" * 60,
    "error": b"HTTP/1.1 500 No\r\n\r\nan error that takes its time",
}


@pytest.mark.parametrize("name", DRIPS)
def test_a_drip_is_given_up_at_the_deadline(dialect, server, name):
    clock = Clock()
    end = b"1\r\n\n\r\n" if name == "chunks" else b"\n"
    data = DRIPS[name]
    if dialect is DIALECTS["ollama"]:  # it has no comments, and no fields before its JSON
        data = data.replace(b"data: ", b"").replace(b":\n\n", b"\n")
    server.on(dialect.chat, dripping(data, clock, end))
    with pytest.raises(BackendTimeoutError, match="more than 300 s for one answer"):
        list(dialect.stream(server.url, clock))
    assert clock.now >= 300


LONG = b"x" * 2**19
EVENT = b'data: {"choices": [{"delta": {"%s"}}]}\n\n'
CALL = (
    b'tool_calls": [{"index": 0, "function": {"name": "a", "arguments": "' + LONG + b'"}}], "b": "'
)
FOREVER = {
    "ollama": {
        "line": (OPEN, b"x"),
        "blank lines": (OPEN, b" " * 1000 + b"\n"),
        "arrays": (OPEN, b"[" * 100 + b"\n"),
        "objects": (OPEN + b"[", b"{},"),
        "calls": (OPEN + b'{"message": {"tool_calls": [', b'{"function": {"name": "a"}},'),
        "text": (OPEN, b'{"message": {"content": "' + LONG + b'"}}\n'),
    },
    "openai": {
        "line": (OPEN, b"x"),
        "comments": (OPEN, b": ping\n"),
        "blank lines": (OPEN, b"\n"),
        "objects": (OPEN + b"data: [", b"{},"),
        "text": (OPEN, EVENT % (b'content": "' + LONG)),
        "thinking": (OPEN, EVENT % (b'reasoning": "' + LONG)),
        "arguments": (OPEN, EVENT % CALL),
    },
}


@pytest.mark.parametrize(
    ("dialect", "start", "forever"),
    [
        pytest.param(DIALECTS[kind], *parts, id=f"{kind}-{name}")
        for kind, answers in FOREVER.items()
        for name, parts in answers.items()
    ],
)
def test_memory_is_bounded_by_the_real_bounds(dialect, server, start, forever):
    server.on(dialect.chat, endless(start, forever))
    model = dialect.backend(server.url)
    tracemalloc.start()
    try:
        with pytest.raises(BrokenStreamError):
            model.complete("Hi")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * dialect.wire.MAX_ANSWER_BYTES, f"{peak:,} bytes at once"


def test_a_prompt_goes_nowhere_else(dialect, server):
    with OllamaServer() as other:
        head = f"HTTP/1.1 307 Go on\r\nLocation: {other.url}/api/chat\r\nContent-Length: 0\r\n\r\n"
        server.on(dialect.chat, Answer((head.encode(),), raw=True))
        with pytest.raises(BackendError, match=other.url):
            dialect.backend(server.url).complete("a secret")
        assert other.requests == []


@pytest.mark.parametrize(
    ("name", "bad"), [*(("timeout", bad) for bad in (0, -1, nan, inf, 1e12)), ("deadline", nan)]
)
def test_a_time_without_end_is_refused(dialect, name, bad):
    with pytest.raises(ValueError, match=name):
        dialect.backend("http://127.0.0.1:1", **{name: bad})


@pytest.mark.parametrize("host", ["\u2603", "a..b", "a" * 300, "[::1"])
def test_a_host_that_no_name_server_could_know_is_refused(host):
    with pytest.raises(ValueError, match="must be an http:// or https:// address"):
        OpenAICompatibleBackend(f"http://{host}/v1", MODEL)


@pytest.mark.parametrize("address", ["https://\u2603.example", "http://a b"])
def test_an_address_that_is_none_is_a_sentence(address: str, tmp_path: Path) -> None:
    code = "import sys; sys.argv = ['g2c', 'model', 'x:1']; from g2c.cli.main import main; main()"
    environment = {**os.environ, "OLLAMA_HOST": address, "G2C_ROOT": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.returncode == 1 and b"Traceback" not in done.stderr, done.stderr
