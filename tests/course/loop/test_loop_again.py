"""The calls of a session's tools, made again by `try_again` (22.9), against a real server."""

import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

import pytest

from g2c.loop.app import again as module
from g2c.loop.app.again import again
from g2c.loop.core.failures import MAX_TRIES, Effect, FailureKind
from g2c.tools import Tool, ToolCall, ToolError, ToolRegistry, dispatch_tool_call
from g2c.tools.mcp import effect_of
from g2c.tools.web import fetch_text, make_read_page


class Time:
    """A clock that only a sleep moves on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


class Service:
    """A server that is busy `busy` times, and takes orders without always answering."""

    def __init__(self, time: Time) -> None:
        self.busy, self.retry_after, self.status = 2, "3", 503
        self.asked: list[float] = []
        self.orders: list[str] = []
        self.hangs_up = False
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.asked.append(time())
                if service.hangs_up:
                    service.hangs_up = False
                    self.close_connection = True
                    return
                if len(service.asked) <= service.busy:
                    self.answer(service.status, b"")
                else:
                    self.answer(200, b"The mill is open.")

            def do_POST(self) -> None:
                key = self.headers.get("Idempotency-Key", "")
                if not key or key not in service.orders:
                    service.orders.append(key)
                if service.hangs_up:
                    service.hangs_up = False
                    self.close_connection = True
                    return
                self.answer(200, b"It is ordered.")

            def answer(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", str(len(body)))
                if status != 200:
                    self.send_header("Retry-After", service.retry_after)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()

    def read_page(self) -> Tool:
        return make_read_page(lambda url: fetch_text(url, lambda address: True))

    def page(self) -> ToolCall:
        return ToolCall("read_page", {"url": f"http://127.0.0.1:{self.http.server_port}/mill"})

    def order(self, effect: Effect) -> Tool:
        self.hangs_up = True

        def order() -> str:
            connection = HTTPConnection("127.0.0.1", self.http.server_port, timeout=5)
            try:
                headers = {"Idempotency-Key": "7"} if effect == "same" else {}
                connection.request("POST", "/order", headers=headers)
                return connection.getresponse().read().decode()
            except (OSError, HTTPException):
                raise ToolError("The connection was lost.", kind="lost") from None
            finally:
                connection.close()

        return Tool("order", "Order flour.", {"type": "object"}, order, effect=effect)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def service(time: Time) -> Iterator[Service]:
    service = Service(time)
    yield service
    service.close()


def outcome(tool: Tool, call: ToolCall) -> str:
    return dispatch_tool_call(ToolRegistry([tool]), call).text


def with_time(tool: Tool, time: Time, patience: float = 30.0) -> Tool:
    return again(tool, patience, sleep=time.sleep, clock=time, random=Random(1))


def failing(kind: FailureKind, effect: Effect = "none") -> Tool:
    def fail() -> str:
        raise ToolError("It failed.", kind=kind)

    return Tool("fail", "Fail.", {"type": "object"}, fail, effect=effect)


def test_a_page_whose_server_is_busy_twice_is_read(service: Service, time: Time) -> None:
    assert outcome(with_time(service.read_page(), time), service.page()) == "The mill is open."
    waits = [
        later - before for before, later in zip(service.asked, service.asked[1:], strict=False)
    ]
    assert len(waits) == 2 and min(waits) >= 3, "the server asked for three seconds"


def test_a_page_is_given_up_if_its_server_names_a_time_beyond_the_patience(
    service: Service, time: Time
) -> None:
    service.retry_after = "90"
    found = outcome(with_time(service.read_page(), time), service.page())
    assert "the server says 503" in found and len(service.asked) == 1 and not time.waits


@pytest.mark.parametrize("named", ["", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", "inf", "٣"])
def test_a_named_time_that_is_not_whole_seconds_is_none(
    service: Service, time: Time, named: str
) -> None:
    service.retry_after = named.encode().decode("latin-1")
    assert outcome(with_time(service.read_page(), time), service.page()) == "The mill is open."


@pytest.mark.parametrize(("status", "asked"), [(404, 1), (500, 2), (429, 2)])
def test_an_error_is_final_or_not_by_its_status(
    service: Service, time: Time, status: int, asked: int
) -> None:
    service.busy, service.status = 1, status
    outcome(with_time(service.read_page(), time), service.page())
    assert len(service.asked) == asked


def test_a_page_whose_connection_ends_is_read_again(service: Service, time: Time) -> None:
    service.hangs_up, service.busy = True, 0
    assert outcome(with_time(service.read_page(), time), service.page()) == "The mill is open."
    assert len(service.asked) == 2


def test_a_server_that_is_not_there_is_not_asked_again(service: Service, time: Time) -> None:
    service.close()
    assert "it is not there" in outcome(with_time(service.read_page(), time), service.page())
    assert not time.waits


def test_an_order_that_was_carried_out_without_an_answer_is_not_repeated(
    service: Service, time: Time
) -> None:
    found = outcome(with_time(service.order("once"), time), ToolCall("order", {}))
    assert found == "[error] The connection was lost."
    assert service.orders == [""] and not time.waits


def test_an_order_with_a_key_is_repeated_and_carried_out_once(service: Service, time: Time) -> None:
    found = outcome(with_time(service.order("same"), time), ToolCall("order", {}))
    assert found == "It is ordered." and service.orders == ["7"] and len(time.waits) == 1


def test_nothing_is_tried_again_before_the_exercise_is_written(
    service: Service, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unwritten(*given: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(module, "try_again", unwritten)
    found = outcome(with_time(service.read_page(), time), service.page())
    assert "the server says 503" in found and len(service.asked) == 1


@pytest.mark.parametrize("said", [-1.0, float("nan"), float("inf"), 30.0, "1", None])
def test_an_answer_that_is_not_a_wait_gives_up(
    time: Time, monkeypatch: pytest.MonkeyPatch, said: Any
) -> None:
    monkeypatch.setattr(module, "try_again", lambda *given: said)
    assert outcome(with_time(failing("busy"), time), ToolCall("fail", {})) == "[error] It failed."
    assert not time.waits


def test_a_function_without_an_end_is_ended(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "try_again", lambda *given: 0.0)
    outcome(with_time(failing("busy"), time), ToolCall("fail", {}))
    assert len(time.waits) == MAX_TRIES - 1


def test_an_error_that_does_not_say_how_it_failed_is_final(
    time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "try_again", lambda *given: 1.0)
    assert ToolError("No.").kind == "refused" and str(ToolError("No.")) == "No."
    outcome(with_time(failing("refused"), time), ToolCall("fail", {}))
    assert not time.waits


def test_a_tool_that_says_nothing_of_its_effect_may_do_harm_twice(time: Time) -> None:
    calls: list[int] = []

    def send() -> None:
        calls.append(1)
        raise ToolError("No answer.", kind="lost")

    tool = Tool("send", "Send.", {"type": "object"}, send)
    outcome(with_time(tool, time), ToolCall("send", {}))
    assert calls == [1] and tool.effect == "once"


@pytest.mark.parametrize(
    ("hints", "effect"),
    [
        (None, "once"),
        ({}, "once"),
        ({"read_only_hint": True}, "none"),
        ({"idempotent_hint": True}, "same"),
        ({"read_only_hint": True, "idempotent_hint": True}, "none"),
        ({"read_only_hint": False, "idempotent_hint": False}, "once"),
    ],
)
def test_a_server_declares_the_effect_of_its_tool(
    hints: dict[str, bool] | None, effect: Effect
) -> None:
    types = pytest.importorskip("mcp").types
    annotations = None if hints is None else types.ToolAnnotations(**hints)
    schema = {"type": "object"}
    offer = types.Tool(name="order", input_schema=schema, annotations=annotations)
    assert effect_of(offer) == effect


def test_the_tools_of_a_session_that_read_the_web_are_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from g2c.loop.app.toolbox import make_session_tools

    tools = make_session_tools(("web_search", "read_page", "calculator"))
    is_wrapped = {tool.name: tool.func.__module__ == module.__name__ for tool in tools}
    assert is_wrapped == {"web_search": True, "read_page": True, "calculator": False}
