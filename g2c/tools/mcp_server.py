"""Offers tools as an MCP server, so that an editor's agent can call what an agent here can."""

import itertools
import json
import os
import select
import signal
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from functools import partial
from io import TextIOWrapper
from typing import Any, BinaryIO, TextIO

from g2c import __version__
from g2c.foreign_json import load_json
from g2c.text import printable
from g2c.tools.mcp import INSTALL, silence_sdk
from g2c.tools.tool import Tool, ToolCall, ToolRegistry, dispatch_tool_call
from g2c.wanted import Client

MAX_LINE_BYTES = 16 * 2**20
"""The longest message that is read."""

PATIENCE_S = 60.0
PROGRESS_S = 5.0
"""Seconds between two notes to a client that waits; many give up after a minute of silence."""


def serve_tools(name: str, tools: Sequence[Tool]) -> None:
    """Offer `tools` over standard input and output, until the input ends or nobody reads the
    output.

    Standard output belongs to the protocol: what anything else prints goes to standard error. Calls
    run in threads, several at once. A failed call's result is marked as an error. A call that the
    client cancels ends at its next token or tool call (`g2c.wanted`).

    Raises:
        ValueError: the SDK is not installed.
    """
    try:
        import anyio
        from mcp import stdio_server, types
        from mcp.server.lowlevel import Server
    except ImportError:
        raise ValueError(f"MCP needs its SDK, which is not installed: {INSTALL}") from None
    registry = ToolRegistry(tools)
    offered = [
        types.Tool(name=tool.name, description=tool.description, input_schema=dict(tool.parameters))
        for tool in registry
    ]

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=offered)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        call, client = ToolCall(params.name, params.arguments or {}), Client()
        work = partial(client.waits_for, partial(dispatch_tool_call, registry, call))
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_report, context.session)
                result: Any = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
                group.cancel_scope.cancel()
        finally:
            client.gone()
        return types.CallToolResult(
            content=[types.TextContent(text=result.output)], is_error=result.is_error
        )

    # Calls must not read standard input: they would take messages.
    wire = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())

    async def serve() -> None:
        server = Server(name, version=__version__, on_list_tools=list_tools, on_call_tool=call_tool)
        replies: Any = _Replies(sys.stdout)
        messages: Any = replies.awaited(_messages(wire))
        async with stdio_server(stdin=messages, stdout=replies) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    if hasattr(select, "poll"):
        watching = (sys.stdout.fileno(),)
        threading.Thread(target=_end_without_reader, args=watching, daemon=True).start()
    silence_sdk()
    for number in (signal.SIGINT, signal.SIGTERM):  # the reading thread would delay an exception
        signal.signal(number, signal.SIG_DFL)
    try:
        anyio.run(serve)
    except* (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # The client is gone. Nothing more can be written, and a thread may read for ever: its input
        # may still be open.
        os._exit(0)
    others = (thread for thread in threading.enumerate() if thread is not threading.main_thread())
    if any(
        not other.daemon for other in others
    ):  # a call for which nobody waits would keep us here
        os._exit(0)


async def _report(session: Any) -> None:
    """Tell the client now and then that its call goes on, so that it keeps waiting."""
    import anyio

    for number in itertools.count(1):
        await anyio.sleep(PROGRESS_S)
        await session.report_progress(number)


def _end_without_reader(handle: int) -> None:
    """Wait until nobody reads that output any more, and end this process."""
    hung_up = select.poll()
    hung_up.register(handle, 0)
    hung_up.poll()
    os._exit(0)


async def _messages(wire: BinaryIO) -> AsyncIterator[Any]:
    """A client's messages, without those that are too long or no JSON. If the caller stops asking,
    the reading thread stays behind."""
    from anyio.to_thread import run_sync

    is_rest = False
    while line := await run_sync(wire.readline, MAX_LINE_BYTES, abandon_on_cancel=True):
        is_part = len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")
        if is_rest or is_part:
            if not is_part:
                _log(f"A message of more than {MAX_LINE_BYTES:,} bytes was dropped.")
        elif line.strip():
            try:
                yield load_json(line.strip())
            except ValueError as error:
                _log(f"A message was dropped: {error}.")
        is_rest = is_part


class _Replies:
    """A server's output, which knows the requests without a reply. A client in a shell closes the
    input at once; its end is delayed until all is answered, or for `PATIENCE_S`."""

    def __init__(self, out: TextIO) -> None:
        import anyio

        self._file = anyio.wrap_file(TextIOWrapper(out.buffer, encoding="utf-8"))
        self._open: set[str] = set()
        self._answered = anyio.Event()

    async def awaited(self, messages: AsyncIterator[Any]) -> AsyncIterator[str]:
        import anyio

        async for sent in messages:
            for message in sent if isinstance(sent, list) else [sent]:
                if not _is_message(message):
                    _log("A message was dropped: it has no method, or an id that cannot be one.")
                    continue
                # The SDK answers nothing to a message without these.
                params = message.get("params")
                whole = {"jsonrpc": "2.0", "params": params if isinstance(params, dict) else {}}
                message = message | (whole if "method" in message else {"jsonrpc": "2.0"})
                if "method" in message and "id" in message:
                    self._open.add(repr(message["id"]))
                elif message.get("method") == "notifications/cancelled":
                    self._open.discard(repr(message["params"].get("requestId")))  # has no reply
                # A lone surrogate, from a client that cuts an emoji in two, becomes a question
                # mark.
                yield json.dumps(message, ensure_ascii=False).encode(errors="replace").decode()
        with anyio.move_on_after(PATIENCE_S):
            while self._open:
                self._answered = anyio.Event()
                await self._answered.wait()

    async def write(self, line: str) -> None:
        await self._file.write(line)
        self._open.discard(repr(load_json(line.encode()).get("id")))

    async def flush(self) -> None:
        await self._file.flush()
        self._answered.set()


def _is_message(data: object) -> bool:
    if not isinstance(data, dict):
        return False
    named = data.get("id", "")
    is_id = isinstance(named, str | int) and not isinstance(named, bool)
    return is_id and (isinstance(data.get("method"), str) or "result" in data or "error" in data)


def _log(sentence: str) -> None:
    """Write the sentence to the client's log."""
    print(printable(sentence), file=sys.stderr, flush=True)
