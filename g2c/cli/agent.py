"""The command that makes an agent a tool for others: agent serve."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2c.cli.chat import add_mcp_tools, make_agent
from g2c.cli.console import tell_aside
from g2c.cli.guarding import ask_later, make_guard
from g2c.cli.options import HomeOption, ModelOption, find_home, load, options_for
from g2c.cli.places import Input
from g2c.course.errors import import_students

if TYPE_CHECKING:
    from g2c.agent import Agent, AgentRunResult
    from g2c.tools import Tool

app = typer.Typer()
agent = typer.Typer(no_args_is_help=True)
app.add_typer(agent, name="agent")


@agent.callback()
def about_agent() -> None:
    """Let others ask your agent.

    Example: g2c agent serve
    """


@agent.command("serve")
def serve_agent(
    home: HomeOption = None,
    files: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder whose files the agent may read."),
        Input(),
    ] = None,
    model: ModelOption = None,
    questions: Annotated[
        int, typer.Option(min=1, help="The maximum number of questions in all.")
    ] = 50,
    tokens: Annotated[
        int, typer.Option(min=1, help="The maximum number of tokens in all.")
    ] = 100_000,
    max_steps: Annotated[
        int, typer.Option(min=1, help="The maximum number of steps for a question.")
    ] = 8,
) -> None:
    """Offer your agent to others as the tool ask, over MCP on standard input and output.

    Each question goes to a fresh agent of this home, with its tools and its memory. It answers one
    question at a time, and refuses any other meanwhile. So agents that ask each other in a circle
    come to an end.

    Example: g2c chat --mcp "g2c agent serve --home other-home"
    """
    import_students("g2c.home")
    from g2c.home import HomeMemory, answering
    from g2c.loop.core.delegate import SharedBudget, make_delegate
    from g2c.loop.core.types import Budget
    from g2c.memory import MemoryStore
    from g2c.memory.app.store import utc_now
    from g2c.memory.core.types import CALLER
    from g2c.tools.mcp_server import serve_tools
    from g2c.tools.private import check_root

    lives = find_home(home)
    settings = lives.settings()
    if files:
        check_root(files, [lives.root])
    options = options_for(model, settings.model)
    backend = load(model, options)
    own_tools = settings.tools_for(backend.info)
    # The protocol uses standard input and output, so questions go to the outbox.
    guard = make_guard(lives, "ask", ask_later(lives), is_persons=False)
    with contextlib.ExitStack() as stack:

        def fresh(tools: Sequence[Tool]) -> Agent:
            made = make_agent(
                backend,
                files,
                replace(settings, tools=tuple(tool for tool in own_tools if tool != "delegate")),
                native=False,
                plan=False,
                max_steps=max_steps,
                temperature=options.temperature or 0.0,
                memory=HomeMemory(MemoryStore(lives.memory), lives.identity, CALLER),
                own=[lives.root],
                guard=guard,
            )
            # Not at the start: two agents that are each other's tools would start each other for
            # ever.
            add_mcp_tools(made.registry, settings.mcp, stack, lives.pinned, guard)
            return made

        answer = answering(settings, MemoryStore(lives.memory), tell_aside, is_persons=False)

        def run(made: Agent, question: str) -> AgentRunResult:
            # Another program's text, several lines perhaps, as those that `recall` finds.
            return answer(made, guard.quote(question, "recall") if guard else question)

        budget = SharedBudget(Budget(ticks=questions, tokens=tokens))
        ask = make_delegate(fresh, "ask", budget, now=utc_now, description=_ABOUT, run=run)
        serve_tools("g2c-agent", [one_at_a_time(ask, lives.root / ".asked.lock", stack)])


_ABOUT = (
    "Ask another agent one question. It has its own files, tools and memory, and knows nothing of "
    "yours: the question has to say everything."
)


def one_at_a_time(tool: Tool, lock: Path, stack: contextlib.ExitStack) -> Tool:
    """The tool, wrapped so that it refuses a call while another one runs in any process. Whatever a
    call opens on `stack` is closed after it, or once nobody waits for it any more."""
    from g2c.files import locked
    from g2c.tools import ToolError
    from g2c.wanted import when_nobody_waits

    def func(**arguments: Any) -> Any:
        with contextlib.ExitStack() as holding:
            try:
                holding.enter_context(locked(lock, wait=False))
            except BlockingIOError:
                raise ToolError(
                    "This agent is answering a question already. Perhaps it is yours, and has come "
                    "back in a circle: go on with what you know, or ask again later."
                ) from None
            holding.push(stack)
            when_nobody_waits(holding.close)
            try:
                return tool.func(**arguments)
            except NotImplementedError:
                raise ToolError("A function of this agent is not written yet.") from None

    return replace(tool, func=func)
