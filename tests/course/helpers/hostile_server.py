"""The answers of a broken or hostile server in a model server's place, as tables.

`wire` breaks HTTP, or sends without an end; it can come to any request. The others are well-formed
HTTP with JSON that the server never sends, a table for each kind of request. Each kind of trouble
is in its table once.
"""

import gzip
import itertools
from typing import Any

from ollama_server import Answer, lines
from openai_server import piece

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
OPEN = HEAD + b"\r\n"
"""Headers of an answer that ends with the connection."""
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
DONE = b'{"done": true}\n'
ELSEWHERE = "http://192.0.2.1/"


class Clock:
    """Moves only when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def passes(self) -> None:
        self.now += 10


def dripping(data: bytes, clock: Clock, end: bytes = b"\n") -> Answer:
    """`data` a byte at a time, then `end` without an end; after each ten seconds pass."""
    pieces = ([bytes([byte]), clock.passes] for byte in data)
    forever = itertools.cycle([end, clock.passes])
    return Answer(itertools.chain(itertools.chain.from_iterable(pieces), forever), raw=True)


def raw(*steps: bytes) -> Answer:
    return Answer(steps, raw=True)


def endless(start: bytes, forever: bytes) -> Answer:
    """`start`, then `forever` without an end, in pieces of 16 KiB and more."""
    piece = forever * (1 + 2**14 // len(forever))
    return Answer(itertools.chain([start], itertools.repeat(piece)), raw=True)


def redirect(status: int, to: str = ELSEWHERE) -> Answer:
    head = f"HTTP/1.1 {status} Go on\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    return raw(head.encode())


def packed(name: str, body: bytes) -> Answer:
    return raw(HEAD + f"Content-Encoding: {name}\r\n\r\n".encode() + body)


def refusal(body: bytes, status: int = 500) -> Answer:
    return Answer((body,), status)


def wire() -> dict[str, Answer]:
    """The table, made anew: an answer without an end can be sent only once."""
    bomb = gzip.compress(bytes(2**22))
    return {
        # without an end
        "endless line": endless(OPEN, b"x"),
        "endless line in chunks": endless(CHUNKED, b"1\r\nx\r\n"),
        "endless blank lines": endless(OPEN, b"\n"),
        "endless objects": endless(OPEN, b"{}\n"),
        "endless header": endless(HEAD + b"X: ", b"x"),
        "endless headers": endless(HEAD, b"X: x\r\n"),
        "endless status": endless(b"HTTP/1.1 200 ", b"x"),
        "endless continues": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        "endless chunk size": endless(CHUNKED, b"0"),
        "endless trailers": endless(CHUNKED + b"1\r\n\n\r\n0\r\n", b"X: x\r\n"),
        "endless error": endless(b"HTTP/1.1 500 No\r\n\r\n", b"x"),
        # packed
        "gzip bomb": packed("gzip", bomb),
        "odd packing": packed("x" * 3000, DONE),
        # sends the caller elsewhere
        "redirect": redirect(307),
        "redirect to a file": redirect(307, "file:///etc/passwd"),
        "redirect in a long way": redirect(307, "http://a/" + "x" * 60_000),
        "redirect with escapes": redirect(307, "http://a/\x1b[2J"),
        "redirect to nowhere": raw(b"HTTP/1.1 307 Go on\r\n\r\n"),
        # cut, or counted wrong
        "closed at once": raw(),
        "closed within a header": raw(HEAD + b"X-A"),
        "closed after the headers": raw(OPEN),
        "closed within a line": raw(OPEN + DONE[:7]),
        "closed within a chunk": raw(CHUNKED + b"ff\r\n{"),
        "length too great": raw(HEAD + b"Content-Length: 999\r\n\r\n{"),
        "length too small": raw(HEAD + b"Content-Length: 5\r\n\r\n" + DONE),
        "length below 0": raw(HEAD + b"Content-Length: -5\r\n\r\n{"),
        "length in words": raw(HEAD + b"Content-Length: many\r\n\r\n{"),
        "chunk size in words": raw(CHUNKED + b"many\r\n{\r\n"),
        "chunk size below 0": raw(CHUNKED + b"-5\r\n{\r\n"),
        "chunk size of an exabyte": raw(CHUNKED + b"fffffffffffffff\r\n{\r\n"),
        # no HTTP
        "another protocol": raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        "status in words": raw(b"HTTP/1.1 fine OK\r\n\r\n{"),
        "status of six digits": raw(b"HTTP/1.1 200200 OK\r\n\r\n{"),
        "version 9": raw(b"HTTP/9.9 200 OK\r\n\r\n{"),
        "NUL in a header": raw(HEAD + b"X: \0\r\n\r\n{"),
        # no JSON
        "empty answer": raw(HEAD + b"Content-Length: 0\r\n\r\n"),
        "no content": raw(b"HTTP/1.1 204 No content\r\n\r\n"),
        "web page": Answer((b"<!doctype html><html>\n",)),
        "not UTF-8": Answer((b'{"response": "\xff\xfe"}\n',)),
        "escape sequences": Answer((b"\x1b[2J\x1b]0;title\x07\n",)),
        "half an object": Answer((b'{"done": \n',)),
        "an array": lines([1]),
        "a number of 5,000 digits": Answer((b'{"a": ' + b"9" * 5000 + b"}\n",)),
        "not a number": Answer((b'{"a": NaN}\n',)),
        "100,000 arrays deep": Answer((b"[" * 100_000 + b"]" * 100_000 + b"\n",)),
        "100 objects deep": Answer((b'{"a":' * 100 + b"1" + b"}" * 100 + b"\n",)),
        # refusals
        "error of its own kind": lines({"error": {"code": [1]}}),
        "error with escapes": lines({"error": "\x1b[2Jno"}),
        "500 empty": refusal(b""),
        "500 web page": refusal(b"<html>" + b"x" * 100_000),
        "500 not UTF-8": refusal(b"\xff\xfe\0"),
        "500 list": refusal(b"[1]"),
        "500 escapes": refusal(b"\x1b[2J"),
        "500 deep": refusal(b'{"error":' + b"[" * 30_000),
        "401": refusal(b"who are you?", 401),
    }


OF_EACH_SORT = (
    *("endless blank lines", "gzip bomb", "redirect", "closed within a line", "length too great"),
    *("another protocol", "escape sequences", "100,000 arrays deep", "500 web page"),
)
"""Names of `wire()`, for what reads as another does that is tried with all of them."""


def _message(**fields: Any) -> dict[str, Any]:
    return {"message": {"role": "assistant", **fields}, "done": True}


def _call(**function: Any) -> dict[str, Any]:
    return _message(tool_calls=[{"function": function}])


DURATIONS = ("total_duration", "load_duration", "prompt_eval_duration", "eval_duration")
COUNTS = ("prompt_eval_count", "eval_count")

REPLIES: dict[str, Any] = {
    **{f"{name} as text": {**_message(), name: "1.5s"} for name in DURATIONS},
    **{f"{name} as text": {**_message(), name: "nine"} for name in COUNTS},
    "a count of halves": {**_message(), "eval_count": 1.5},
    "content as a list": _message(content=[{"type": "text", "text": "Hi"}]),
    "thinking as a list": _message(thinking=["Hm"]),
    "message as a list": {"message": ["Hi"], "done": True},
    "response as a list": {"response": ["Hi"], "done": True},
    "done_reason as a list": {**_message(), "done_reason": ["stop"]},
    "calls as an object": _message(tool_calls={"name": "now"}),
    "a call as text": _message(tool_calls=["now()"]),
    "a call without a function": _message(tool_calls=[{"name": "now"}]),
    "a call whose function is text": _message(tool_calls=[{"function": "now"}]),
    "a call without a name": _call(arguments={}),
    "a call whose name is a number": _call(name=7),
    "a call whose name is empty": _call(name=""),
    "a call whose arguments are a list": _call(name="now", arguments=[1]),
    "a call whose id is a number": _message(tool_calls=[{"id": 1, "function": {"name": "now"}}]),
}
"""Lines of `/api/chat` and `/api/generate`."""

UNTOLD: dict[str, Any] = {
    "a duration null": {"total_duration": None},
    "a duration below 0": {"total_duration": -1},
    "a duration beyond all bounds": {"total_duration": 10**300},
    "a count below 0": {"eval_count": -1},
    "a count beyond all bounds": {"eval_count": 10**300},
}
"""Fields that the official client takes, and that say nothing."""

SHOWS: dict[str, Any] = {
    "capabilities as a number": {"capabilities": 5},
    "capabilities of numbers": {"capabilities": [5]},
    "parameters as a list": {"parameters": ["stop"]},
    "a stop string with a broken escape": {"parameters": r'stop "\x"'},
    "a stop string with an unknown escape": {"parameters": r'stop "\q"'},
    "a stop string without an end": {"parameters": 'stop "abc'},
    "a stop string with code": {"parameters": 'stop "" + open("f").read() + ""'},
}
"""Answers of `/api/show`."""

TAGS: dict[str, Any] = {
    "no models": {},
    "models as an object": {"models": {"model": "a"}},
    "a model as a number": {"models": [5]},
    "a tag as a number": {"models": [{"model": 5}]},
}
"""Answers of `/api/tags`."""

PULLS: dict[str, Any] = {
    "status as a list": {"status": ["success"]},
    "total as text": {"status": "pulling", "total": "2 GB"},
    "completed below 0": {"status": "pulling", "completed": -1},
}
"""Lines of `/api/pull`."""

CHOICES: dict[str, Any] = {
    "choices null": {"choices": None},
    "choices as an object": {"choices": {}},
    "no choices": {"object": "chat.completion.chunk"},
    "an index as text": {"choices": [{"index": "0", "delta": {}}]},
    "a delta as a list": {"choices": [{"index": 0, "delta": ["Hi"]}]},
    "content as a list": piece("stop", content=["Hi"]),
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
"""Events of `/v1/chat/completions`."""

LISTS: list[Any] = [
    {},
    {"data": {"id": "a"}},
    {"data": ["a"]},
    {"data": [{}]},
    {"data": [{"id": 5}]},
    {"data": [{"id": "a", "max_model_len": "8k"}]},
    {"data": [{"id": "a", "meta": []}]},
    {"data": [{"id": "a", "aliases": "b"}]},
]
"""Answers of `/v1/models`."""
