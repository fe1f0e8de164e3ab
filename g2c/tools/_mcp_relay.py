"""Runs an MCP server, and stands between it and its client: a program of its own.

It ends the server, with all that the server started, as soon as its client is gone, even if the
client was killed. It lets through only lines that can be messages, and none that is too long.
`python -I -S _mcp_relay.py COMMAND...`
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import IO

MAX_LINE_BYTES = 4_000_000
MAX_STDERR_BYTES = 100_000
GRACE_S = 1.5
"""How long a server may take to end by itself. The SDK waits two seconds for this program."""


def main(command: list[str]) -> int:
    """Run `command` until it ends, or until whoever reads and writes here is gone."""
    try:
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 127
    assert server.stdin and server.stdout and server.stderr
    threading.Thread(target=_pass_in, args=(server,), daemon=True).start()
    errors = threading.Thread(target=_pass_errors, args=(server.stderr,), daemon=True)
    errors.start()
    threading.Thread(target=_watch_client, args=(server,), daemon=True).start()
    _pass_lines(server.stdout)
    errors.join(GRACE_S)  # what it said last says why it ended
    _end(server)
    return 0


def _pass_in(server: subprocess.Popen[bytes]) -> None:
    assert server.stdin
    try:
        while data := os.read(0, 65_536):
            server.stdin.write(data)
            server.stdin.flush()
        server.stdin.close()
    except OSError:  # the server reads no more
        return
    _end_soon(server)


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
    while line := source.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            print(f"It wrote a line of more than {MAX_LINE_BYTES:,} bytes.", file=sys.stderr)
            return
        if line.startswith(b"{"):  # else it is no message, such as a banner
            try:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
            except OSError:
                return


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
