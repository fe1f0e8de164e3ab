"""A small HTTP server that answers as Ollama does, for the tests of whatever speaks to one.

What it answers lies in `fixtures/ollama`. `real_wire.json` has whole answers of a real server
(Ollama 0.33), which `real` gives; the others were written in the shape of 0.12's.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[1] / "fixtures/ollama"


def until_hung_up() -> None:
    """As a step of an `Answer`: wait until the client closes the connection."""


Step = bytes | Callable[[], Any]


@dataclass(frozen=True)
class Answer:
    """An answer to send: bytes go out as they are, one piece a step; any other step is called.

    `Event().wait` as a step holds the answer, before its first byte or in the middle. Status and
    headers go out with the first bytes, as they do from Ollama. An answer that is not `whole`
    ends in a connection cut before the last piece that HTTP asks for. Of an answer that is `raw`,
    status, headers and pieces are all in the steps.
    """

    steps: Iterable[Step]  # without an end, if it is an iterable without one
    status: int = 200
    whole: bool = True
    raw: bool = False

    def but(self, *steps: Step, **changes: Any) -> Answer:
        return replace(self, **({"steps": steps} if steps else {}), **changes)


def recorded(name: str, status: int = 200) -> Answer:
    """Return a fixture, a piece a line: `recorded("chat.ndjson")`."""
    return Answer(tuple((FIXTURES / name).read_bytes().splitlines(keepends=True)), status)


def real(name: str, model: str = "") -> Answer:
    """A real server's answer in the exchange of that name, and of that model if several have the
    name: `real("think_default")`."""
    for exchange in real_exchanges():
        if exchange["name"] == name and model in str(exchange["request"]["body"]):
            answer = exchange["response"]
            return Answer(
                tuple(answer["body"].encode().splitlines(keepends=True)), answer["status"]
            )
    raise KeyError(name)


def real_exchanges() -> list[dict[str, Any]]:
    """All that was asked of a real server, with what it answered."""
    return json.loads((FIXTURES / "real_wire.json").read_text("utf-8"))["exchanges"]


def lines(*objects: object) -> Answer:
    """Return a stream of `objects`, one a line."""
    return Answer(tuple(json.dumps(data).encode() + b"\n" for data in objects))


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    method: str
    path: str
    body: Any
    authorization: str | None = None


class OllamaServer:
    """Serves on a port of its own within a `with` block; `requests` keeps what it was asked.

    Every path of the API has a plain answer to begin with; `on` changes it.
    """

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.hung_up = threading.Event()
        self._lock = threading.Lock()
        self._answers = {
            "/": deque([Answer((b"Ollama is running",))]),
            "/api/chat": deque([recorded("chat.ndjson")]),
            "/api/generate": deque([recorded("generate.ndjson")]),
            "/api/ps": deque([lines({"models": []})]),
            "/api/pull": deque([recorded("pull.ndjson")]),
            "/api/show": deque([recorded("show.json")]),
            "/api/tags": deque([recorded("tags.json")]),
            "/api/version": deque([recorded("version.json")]),
        }

    def on(self, path: str, *answers: Answer) -> None:
        """Answer the next requests for `path` with `answers` in turn, and stay at the last."""
        self._answers[path] = deque(answers)

    def bodies(self, path: str) -> list[Any]:
        """The bodies sent to `path`, in order."""
        return [request.body for request in self.requests if request.path == path]

    def take(self, request: Received) -> Answer:
        with self._lock:
            self.requests.append(request)
            answers = self._answers.get(request.path)
            if answers is None:
                return Answer((b"404 page not found",), 404)
            return answers.popleft() if len(answers) > 1 else answers[0]

    def __enter__(self) -> OllamaServer:
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False  # a held answer must not hold the tests
        self._http.ollama = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        # The default poll of half a second is what closing a server would take.
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server: OllamaServer = self.server.ollama  # type: ignore[attr-defined]
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(sent) if sent else None
        request = Received(self.command, self.path, body, self.headers.get("Authorization"))
        answer = server.take(request)
        self.close_connection = True
        with suppress(OSError):
            self._send(answer)
            return
        server.hung_up.set()

    do_POST = do_GET

    def _send(self, answer: Answer) -> None:
        started = False
        for step in answer.steps:
            if step is until_hung_up:
                if not self.connection.recv(1):
                    raise ConnectionAbortedError
            elif callable(step):
                step()
            elif answer.raw:
                self.wfile.write(step)
            else:
                if not started:
                    self.send_response(answer.status)
                    self.send_header("Content-Type", "application/json; charset=utf-8")
                    self.send_header("Transfer-Encoding", "chunked")
                    self.send_header("Connection", "close")  # or a client may reuse it
                    self.end_headers()
                    started = True
                self.wfile.write(b"%x\r\n%s\r\n" % (len(step), step))
        if answer.whole and not answer.raw:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        pass
