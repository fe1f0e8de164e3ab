"""Functions that a model may call: what they are, how they are shown and run, and six of them."""

from typing import TYPE_CHECKING

from g2c.late import imported_when_used
from g2c.tools.decorator import tool
from g2c.tools.render import render_tools_for_chat, render_tools_for_prompt
from g2c.tools.tool import (
    ExampleStep,
    Tool,
    ToolCall,
    ToolError,
    ToolExample,
    ToolRegistry,
    ToolResult,
    dispatch_tool_call,
    validate_arguments,
)

if TYPE_CHECKING:
    from g2c.tools.calculator import make_calculator
    from g2c.tools.files import make_list_files, make_read_file
    from g2c.tools.run import ToolRunResult, run_with_tools
    from g2c.tools.run_python import make_run_python
    from g2c.tools.web_search import SearchHit, make_web_search
    from g2c.tools.write_file import make_write_file

__all__ = [
    "ExampleStep",
    "SearchHit",
    "Tool",
    "ToolCall",
    "ToolError",
    "ToolExample",
    "ToolRegistry",
    "ToolResult",
    "ToolRunResult",
    "dispatch_tool_call",
    "make_calculator",
    "make_list_files",
    "make_read_file",
    "make_run_python",
    "make_web_search",
    "make_write_file",
    "render_tools_for_chat",
    "render_tools_for_prompt",
    "run_with_tools",
    "tool",
    "validate_arguments",
]

__getattr__ = imported_when_used(
    __name__,
    {
        "SearchHit": "web_search",
        "ToolRunResult": "run",
        "make_calculator": "calculator",
        "make_list_files": "files",
        "make_read_file": "files",
        "make_run_python": "run_python",
        "make_web_search": "web_search",
        "make_write_file": "write_file",
        "run_with_tools": "run",
    },
)
