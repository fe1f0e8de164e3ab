"""Runs an MCP server and relays between it and its client: a separate program.

It ends the server, with all that the server started, as soon as its client is gone, even if the
client was killed. It passes on only messages that the client can read and that are not too long. An
answer that cannot be read becomes an error that says why. `python -I -S _mcp_relay.py COMMAND...`
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from typing import IO

MAX_LINE_BYTES = 4_000_000
MAX_STDERR_BYTES = 100_000
MAX_DEPTH = 100
"""The SDK reads JSON that is nested 200 deep."""
MAX_NOTED = 5
MAX_SHOWN_CHARS = 80
_ID = re.compile(r'"id"\s*:\s*(\d{1,15}|"[\w.-]{1,100}")')
_BEGINS_AS_MESSAGE = re.compile(
    r"""(?:\[\s*)?\{.*["']jsonrpc["']|["']jsonrpc["']\s*:|Content-Length:\s*\d"""
)
GRACE_S = 1.5
"""How long a server may take to end by itself. The SDK waits two seconds for this program."""


def main(command: list[str]) -> int:
    """Run `command` until it ends, or until the client is gone."""
    try:
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except (OSError, ValueError) as error:
        print(getattr(error, "strerror", None) or error, file=sys.stderr)
        return 127
    assert server.stdin and server.stdout and server.stderr
    threading.Thread(target=_pass_in, args=(server,), daemon=True).start()
    errors = threading.Thread(target=_pass_errors, args=(server.stderr,), daemon=True)
    errors.start()
    threading.Thread(target=_watch_client, args=(server,), daemon=True).start()
    _pass_lines(server.stdout)
    errors.join(GRACE_S)  # its last words say why it ended
    _end(server)
    return 0


def _pass_in(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin
    begun = b""
    try:
        while data := os.read(0, 65_536):
            *lines, begun = (begun + data).split(b"\n")
            _waiting.extend(filter(None, map(_asked, lines)))
            server.stdin.write(data)
            server.stdin.flush()
        server.stdin.close()
    except OSError:  # the server reads no more
        return
    _end_soon(server)


_waiting: list[object] = []
"""The ids of the client's requests that have no answer yet, oldest first."""


def _asked(line: bytes) -> object:
    """The id of the request in a line of the client's; None if it is none."""
    with contextlib.suppress(ValueError, RecursionError, AttributeError):
        message = json.loads(line)
        return message.get("id") if "method" in message else None
    return None


def _watch_client(server: subprocess.Popen[bytes]) -> None:
    """Wait until the other end of our input is closed, even if the server does not read its own."""
    import select

    if hasattr(select, "poll"):
        hung_up = select.poll()
        hung_up.register(0, 0)
        hung_up.poll()
        _end_soon(server)


def _end_soon(server: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(GRACE_S)
    _end(server)


def _pass_lines(source: IO[bytes]) -> None:
    noted = 0
    while line := source.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            print(f"It wrote a line of more than {MAX_LINE_BYTES:,} bytes.", file=sys.stderr)
            return
        try:
            message = _as_message(line)
        except _Unreadable as unreadable:
            noted += 1
            if noted <= MAX_NOTED:
                print(unreadable, file=sys.stderr, flush=True)
            message = unreadable.answer
        if message:
            try:
                sys.stdout.buffer.write(message + b"\n")
                sys.stdout.buffer.flush()
            except OSError:
                return


class _Unreadable(Exception):
    """A line that is not a message. `answer` is sent to the client instead, so that it does not
    wait in vain; empty if the line answers nothing."""

    def __init__(self, why: str, line: str) -> None:
        begins = ascii(line[:MAX_SHOWN_CHARS])
        super().__init__(f"It wrote a line that cannot be read: {why}. It begins: {begins}")
        self.answer = b""
        # A log line may quote a message; a message that is spread over lines does not name its
        # request.
        if _BEGINS_AS_MESSAGE.match(line):
            named = _ID.search(line)
            asked = _asked_for(json.loads(named[1])) if named else next(iter(_waiting), None)
            if asked is not None:
                _waiting.remove(asked)
                error = {"code": -32700, "message": f"its answer cannot be read: {why}"}
                self.answer = json.dumps({"jsonrpc": "2.0", "id": asked, "error": error}).encode()


def _as_message(line: bytes) -> bytes:
    """The message in `line` in a form that the client can read: in UTF-8, without leading noise,
    and without lone surrogates.

    Raises:
        _Unreadable: it is none.
    """
    text = line.decode("utf-8", "replace").lstrip("\ufeff\0 \t\r").rstrip()
    if not text:
        return b""
    if "\0" in text:
        raise _Unreadable(
            "it is in UTF-16, and not in UTF-8", text.replace("\0", "").strip("\ufffd")
        )
    if not text.startswith("{"):
        raise _Unreadable("it is not a JSON object on a line of its own", text)
    try:
        data = json.loads(text)
        if _depth(data) > MAX_DEPTH:
            raise ValueError(f"it is nested more than {MAX_DEPTH} deep")
        if "jsonrpc" not in data and _asked_for(data.get("id")) is None:
            raise ValueError("it is JSON, and no message")
        message = _normalized(data)
        written = json.dumps(message, ensure_ascii=False, allow_nan=False)
    except RecursionError:
        raise _Unreadable(f"it is nested more than {MAX_DEPTH} deep", text) from None
    except ValueError as error:
        raise _Unreadable(str(error), text) from None
    if "method" not in message:
        _waiting.remove(message["id"])
    return written.encode("utf-8", "replace")


def _normalized(data: dict[str, object]) -> dict[str, object]:
    """A message in the only form that the client accepts: of version 2.0, an answer with the id of
    a request, and an object as its result or error.

    Raises:
        ValueError: its result is none.
    """
    data = {**data, "jsonrpc": "2.0"}
    if "method" in data:
        return data
    named, error = data.get("id"), data.get("error")
    is_unnamed = isinstance(named, bool | list | dict | None)
    asked = _asked_for(named)
    if is_unnamed and (error is not None or len(_waiting) == 1):
        asked = next(iter(_waiting), None)
    if asked is None:
        raise ValueError("it answers nothing that was asked")
    if error is None and not isinstance(data.get("result"), dict):
        raise ValueError("its result is not an object")
    if error is None:
        return {"jsonrpc": "2.0", "id": asked, "result": data["result"]}
    parts = error if isinstance(error, dict) else {"message": error}
    code, said = parts.get("code"), parts.get("message", error)
    whole = {
        "code": code if type(code) is int else -32603,
        "message": said if isinstance(said, str) else json.dumps(said, ensure_ascii=False),
    }
    return {"jsonrpc": "2.0", "id": asked, "error": {**parts, **whole}}


def _asked_for(named: object) -> object:
    """The id of the request that an answer means: it may have written a whole number as a float or
    as digits. None if there is no such request."""
    if isinstance(named, float) and named.is_integer():
        named = int(named)
    if isinstance(named, str) and named not in _waiting and re.fullmatch(r"\d{1,15}", named):
        named = int(named)
    return named if not isinstance(named, bool) and named in _waiting else None


def _depth(data: object) -> int:
    level, depth = [data], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        inner = [list(value.values()) if isinstance(value, dict) else value for value in level]
        level = [value for part in inner if isinstance(part, list) for value in part]
    return depth


def _pass_errors(source: IO[bytes]) -> None:
    passed = 0
    while data := os.read(source.fileno(), 8_192):
        if passed < MAX_STDERR_BYTES:
            os.write(2, data)
            passed += len(data)


def _end(server: subprocess.Popen[bytes]) -> None:
    sys.stderr.flush()
    if os.name == "posix" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # this program is one of them
    server.kill()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
