"""Tools from MCP servers: programs that offer their functions to every agent in one standard form.

The agent calls plain functions, and the official SDK is asynchronous. So each server's session
lives in one background thread, and a tool's function waits there for its answer, within a limit of
time. A server's texts are cut and cleaned in `_mcp_shapes`; `_mcp_relay` ends a server's process.
The protocol: modelcontextprotocol.io.
"""

from __future__ import annotations

import logging
import shlex
import sys
import tempfile
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from g2c.text import short_reason
from g2c.tools import _mcp_relay
from g2c.tools._mcp_shapes import MAX_DESCRIPTION_CHARS, readable, short, simple_schema, tool_name
from g2c.tools.failing import Effect
from g2c.tools.tool import Tool, ToolError

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client, types
    from mcp.client._transport import Transport, TransportStreams

CONNECT_S = 60.0
"""Seconds until a server's tools must be known; `uvx` may have to download it first."""
CALL_S = 60.0
"""Seconds without an answer or a sign of progress after which a call is given up."""
MAX_CALL_S = 1800.0
"""Seconds after which a call is given up, whatever the server says."""
MAX_TOOLS = 30
"""The most tools of one server. Each tool's description is in every prompt."""
MAX_PAGES = 10
MAX_ANSWER_BYTES = 4_000_000
INSTALL = "pip install 'g2c[mcp]'"


@dataclass(frozen=True)
class McpTools:
    """The tools of all servers, and a sentence for each thing that was left out.

    `full_names` maps each tool's name to "SERVER/NAME": SERVER as the caller named it, NAME as the
    server does. So a server cannot choose the first part.
    """

    tools: tuple[Tool, ...]
    notes: tuple[str, ...] = ()
    full_names: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def mcp_tools(
    servers: Sequence[str],
    *,
    taken: Collection[str] = (),
    connect_s: float = CONNECT_S,
    call_s: float = CALL_S,
) -> Iterator[McpTools]:
    """Connect to `servers` and yield their tools; at the end of the `with`, the servers are ended.

    Each server is a command line (`uvx mcp-server-time`) or a URL (`http://localhost:8000/mcp`). A
    command gets the environment that the SDK passes on (on POSIX HOME, LOGNAME, PATH, SHELL, TERM
    and USER) and this folder. A tool whose name is in `taken` or belongs to another server's tool
    gets its server's name as a prefix. An error in a call is a `ToolError`.

    Raises:
        ValueError: the SDK is not installed, or a server could not be connected within `connect_s`
            seconds; the message says which server, and why.
    """
    if not servers:
        yield McpTools(())
        return
    try:
        import mcp  # noqa: F401
        from anyio.from_thread import start_blocking_portal
    except ImportError:
        raise ValueError(f"MCP needs its SDK, which is not installed: {INSTALL}") from None
    silence_sdk()
    with start_blocking_portal() as portal, ExitStack() as stack:
        connected = [
            stack.enter_context(_Server(server, portal, call_s).connected(connect_s))
            for server in servers
        ]
        yield _named_apart(connected, taken)


def silence_sdk() -> None:
    """Give the SDK's loggers a handler. Without one, what a bad server or client sent would be
    printed into the conversation, with tracebacks."""
    for name in ("mcp", "client", "server"):
        logging.getLogger(name).addHandler(logging.NullHandler())


def _named_apart(servers: Sequence[_Server], taken: Collection[str]) -> McpTools:
    offered = [tool_name(tool.name, "", ()) for server in servers for tool in server.offered]
    used = set(taken)
    common = used | {name for name in offered if offered.count(name) > 1}
    tools, notes, full_names = [], [], {}
    for server in servers:
        notes += server.notes
        of_server: set[str] = set()
        for offer in server.offered:
            name = tool_name(offer.name, server.name, common | used)
            own = tool_name(offer.name, "", ())
            try:
                if own in of_server:  # a rule, a yes and a pin must mean one tool
                    raise ValueError("another tool of the server has that name")
                of_server.add(own)
                tools.append(server.tool(offer, name))
                used.add(name)
                full_names[name] = f"{server.address}/{own}"
            except (ToolError, ValueError) as error:
                left_out = short(offer.name, 64)
                notes.append(f"{server.shown}: the tool {left_out!r} is left out: {error}.")
    return McpTools(tuple(tools), tuple(notes), full_names)


class _Server:
    """One server: how to reach it, and what it offers."""

    def __init__(self, address: str, portal: BlockingPortal, call_s: float) -> None:
        self.shown = short(address, 120)
        self.name = ""
        self.offered: list[types.Tool] = []
        self.notes: list[str] = []
        self.address = address
        self._portal = portal
        self._call_s = call_s
        self._client: Client | None = None

    @contextmanager
    def connected(self, connect_s: float) -> Iterator[_Server]:
        import anyio

        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as stderr:
            self._stderr = stderr
            self._over = self._portal.call(anyio.Event)
            try:
                session, _ = self._portal.start_task(self._keep, connect_s)
            except Exception as error:
                why = _reason(error, connect_s)
                raise ValueError(
                    f"The MCP server {self.shown!r} could not be used: {why}.{self._last_words()}"
                ) from error
            try:
                yield self
            finally:
                self._portal.call(self._over.set)
                session.exception()  # waits until the server has ended

    async def _keep(self, connect_s: float, *, task_status: Any) -> None:
        """Keep the session open until `_over`. One task enters and leaves it, as anyio requires."""
        import anyio
        from mcp import Client, types

        with anyio.fail_after(connect_s) as limit:
            async with _transport(self.address, self._stderr) as wire:
                transport = _readable(wire)
                me = types.Implementation(name="g2c", version="0.1.0")
                async with Client(transport, client_info=me, cache=None) as client:
                    await self._list(client)
                    self._client = client
                    limit.deadline = float("inf")
                    task_status.started()
                    await self._over.wait()

    async def _list(self, client: Client) -> None:
        if client.server_info:
            self.name = client.server_info.name
        cursor = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            self.offered += page.tools
            cursor = page.next_cursor
            if cursor is None or len(self.offered) > MAX_TOOLS:
                break
        if len(self.offered) > MAX_TOOLS or cursor is not None:
            left = [short(tool.name, 64) for tool in self.offered[MAX_TOOLS:]]
            some = ", ".join(left[:5]) + (", …" if len(left) > 5 or cursor else "")
            self.notes.append(
                f"{self.shown}: it has more than {MAX_TOOLS} tools; these are left out: {some}"
            )
            del self.offered[MAX_TOOLS:]

    def tool(self, offer: types.Tool, name: str) -> Tool:
        """The tool that calls `offer`.

        Raises:
            ValueError, ToolError: an agent cannot use the tool.
        """

        def call(**arguments: Any) -> str:
            return self._call(offer.name, arguments)

        if not offer.name:
            raise ValueError("it has no name")
        about = short(offer.description or offer.title or "", MAX_DESCRIPTION_CHARS)
        schema = simple_schema(offer.input_schema)
        about = about or f"The tool {name} of an MCP server."
        return Tool(name, about, schema, call, effect=effect_of(offer))

    def _call(self, name: str, arguments: dict[str, Any]) -> str:
        future = self._portal.start_task_soon(self._ask, name, arguments)
        try:
            result = future.result()
        except Exception as error:
            why = _reason(error, self._call_s)
            raise ToolError(
                f"The MCP server did not answer: {why}.{self._last_words()}",
                kind="lost" if isinstance(_cause(error), TimeoutError) else "refused",
            ) from error
        except BaseException:  # a person interrupts
            future.cancel()
            raise
        text = "".join(part.text for part in result.content if part.type == "text")
        if result.is_error:
            raise ToolError(text)
        return text

    async def _ask(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        import anyio
        from mcp import types

        assert self._client
        # `client.call_tool` would also check the result against the server's own schema, whose
        # patterns could take for ever.
        request = types.CallToolRequest(
            params=types.CallToolRequestParams(name=name, arguments=arguments)
        )
        end = anyio.current_time() + MAX_CALL_S
        # Giving up cancels this task, and the SDK then sends the server a cancellation.
        with anyio.fail_after(self._call_s) as limit:

            async def go_on_waiting(
                progress: float, total: float | None = None, message: str | None = None
            ) -> None:
                limit.deadline = min(end, anyio.current_time() + self._call_s)

            return await self._client.session.send_request(
                request, types.CallToolResult, progress_callback=go_on_waiting
            )

    def _last_words(self) -> str:
        """The end of the server's standard error, as a sentence."""
        self._stderr.seek(0)
        words = short(self._stderr.read(200_000)[-300:], 300)
        return f" It said: {words}" if words else ""


def effect_of(offer: types.Tool) -> Effect:
    """The effect that the server declares. If that is wrong, the harm is in the server's world."""
    hints = offer.annotations
    if hints and hints.read_only_hint:
        return "none"
    return "same" if hints and hints.idempotent_hint else "once"


def _cause(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _reason(error: BaseException, limit_s: float) -> str:
    error = _cause(error)
    if isinstance(error, TimeoutError):
        return f"it took more than {limit_s:g} seconds"
    return short(short_reason(error), 300).rstrip(".") or type(error).__name__


@asynccontextmanager
async def _transport(address: str, stderr: IO[str]) -> AsyncIterator[Transport]:
    if address.startswith(("http://", "https://")):
        from mcp.client.streamable_http import streamable_http_client

        async with _bounded_client() as http:
            yield streamable_http_client(
                address, http_client=http, max_sse_event_size=MAX_ANSWER_BYTES
            )
        return
    from mcp import StdioServerParameters, stdio_client

    command = shlex.split(address)
    if not command:
        raise ValueError("give a command, such as 'uvx mcp-server-time', or a URL")
    relay = ["-I", "-S", str(Path(_mcp_relay.__file__))]
    server = StdioServerParameters(command=sys.executable, args=[*relay, *command])
    yield stdio_client(server, errlog=stderr)  # type: ignore[arg-type]


@asynccontextmanager
async def _readable(transport: Transport) -> AsyncIterator[TransportStreams]:
    """The transport, with its answers put into a form that the SDK can read."""

    class Read:
        def __getattr__(self, name: str) -> Any:
            return getattr(stream, name)

        def __aiter__(self) -> Any:
            return self

        async def __anext__(self) -> Any:
            came = await anext(stream)
            if isinstance(answer := getattr(came, "message", None), types.JSONRPCResponse):
                answer.result = readable(answer.result)
            return came

        async def __aenter__(self) -> Any:
            return await stream.__aenter__() and self

        async def __aexit__(self, *gone: Any) -> bool | None:
            return await stream.__aexit__(*gone)

    from mcp import types

    async with transport as (stream, write):
        yield Read(), write


def _bounded_client() -> Any:
    """An HTTP client that limits answers to `MAX_ANSWER_BYTES`. It uses no proxy and no password
    that it was not given."""
    import httpx2

    class Counted(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            read = 0
            async for data in self._stream:
                read += len(data)
                if read > MAX_ANSWER_BYTES:
                    raise httpx2.ReadError(f"it sent more than {MAX_ANSWER_BYTES:,} bytes")
                yield data

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Bounded(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            response = await super().handle_async_request(request)
            if response.headers.get("content-encoding", "identity") != "identity":
                await response.aclose()
                raise httpx2.ReadError("its answer is compressed, and could be of any size")
            response.stream = Counted(response.stream)
            return response

    return httpx2.AsyncClient(
        transport=Bounded(),
        headers={"Accept-Encoding": "identity"},
        timeout=httpx2.Timeout(CALL_S),
        trust_env=False,
    )
