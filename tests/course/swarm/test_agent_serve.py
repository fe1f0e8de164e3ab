"""An agent as a tool for others, through a real MCP client and server."""

import sys
from pathlib import Path

import pytest

from g2c.files import locked
from g2c.tools import Tool, ToolCall, ToolRegistry, dispatch_tool_call
from g2c.tools.mcp import mcp_tools

SERVE = f'{sys.executable} -P -c "from g2c.cli.main import main; main()" agent serve'


def ask(tools: tuple[Tool, ...], question: str) -> tuple[str, bool]:
    result = dispatch_tool_call(ToolRegistry(tools), ToolCall("ask", {"question": question}))
    return result.output, result.is_error


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.mark.slow
def test_it_answers_once_for_each_question_that_it_may_and_never_in_a_circle(home: Path) -> None:
    """On the real model."""
    settings = f"G2C_ROOT={home.parent} G2C_REFERENCE=all"
    command = f"env {settings} {SERVE} --home {home} --model embedded --questions 1"
    with mcp_tools([command]) as lent:
        assert [tool.name for tool in lent.tools] == ["ask"], lent.notes
        with locked(home / ".asked.lock"):
            said, is_error = ask(lent.tools, "What is 23 * 17?")
            assert is_error and "come back in a circle" in said, said
        said, is_error = ask(lent.tools, "What is 23 * 17?")
        assert "391" in said and not is_error, said
        said, is_error = ask(lent.tools, "What is 2 * 2?")
        assert is_error and "1 of 1 questions are used up" in said, said
