"""Tools as an MCP server: what an agent here may call, an editor's agent may call as well."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

from g2c.tools.mcp import INSTALL
from g2c.tools.tool import Tool, ToolCall, ToolRegistry, dispatch_tool_call


def serve_tools(name: str, tools: Sequence[Tool]) -> None:
    """Offer `tools` over standard input and output, until the input ends.

    Standard output belongs to the protocol: what anything else prints goes to standard error. Calls
    run in threads, several at once. What a call does wrong comes back marked as an error.

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
        call = ToolCall(params.name, params.arguments or {})
        result = await anyio.to_thread.run_sync(dispatch_tool_call, registry, call)
        return types.CallToolResult(
            content=[types.TextContent(text=result.output)], is_error=result.is_error
        )

    async def serve() -> None:
        server = Server(name, on_list_tools=list_tools, on_call_tool=call_tool)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    logging.getLogger("mcp").addHandler(logging.NullHandler())
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread that reads would keep Ctrl-C waiting
    try:
        anyio.run(serve)
    except* (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # The client is gone. What was not written yet must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
