"""The command that lets a student talk with their own agent: chat."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.course.cli.console import (
    ModelOption,
    err,
    load,
    open_memory,
    out,
    show_end,
    show_model,
    show_step,
)
from g2c.course.cli.demo import demo_files
from g2c.course.errors import import_students, in_short, not_started, stub_that_raised
from g2c.course.runs import save_run
from g2c.inference import BackendError

if TYPE_CHECKING:
    from g2c.agent import Agent, AgentRunResult
    from g2c.inference import Backend
    from g2c.memory import MemoryStore
    from g2c.tools import ToolRegistry

app = typer.Typer()


@app.command()
def chat(
    question: Annotated[
        str | None, typer.Argument(metavar="[QUESTION]", help="Answer this one, and end.")
    ] = None,
    model: ModelOption = None,
    files: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The files that it may read."),
    ] = None,
    native: Annotated[bool, typer.Option("--native", help="Use NativeAgent.")] = False,
    plan: Annotated[bool, typer.Option("--plan/--no-plan", help="Begin with a plan.")] = False,
    max_steps: Annotated[int, typer.Option(min=1, metavar="N", help="Steps before it stops.")] = 8,
    memory: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where it remembers what is said, now and later."),
    ] = None,
    mcp: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVER", help="An MCP server's command or URL; may be repeated."),
    ] = None,
) -> None:
    """Ask your own agent, with the functions that you wrote.

    It has a calculator, and may list and read the files of one folder. With --memory, it may recall
    what was said before, and with --mcp it has a server's tools (docs/mcp.md says what such a
    server may do); it then has the calculator and the files only with --files. Each run is
    recorded. An empty line ends the conversation, and Ctrl-C a run. With QUESTION, the exit code is
    0 if it was answered and 1 if it was not.

    Example: g2c chat "What is 23 * 17?" --files notes
    """
    with contextlib.ExitStack() as stack:
        folder, names = files, str(files)
        if folder is None and memory is None and not mcp:
            folder = stack.enter_context(demo_files())
            names = "the demo's meeting.txt (--files FOLDER: your own)"
        if folder and not folder.is_dir():
            raise ValueError(f"{folder} is not a folder; --files takes one that exists.")
        backend = load(model)
        show_model(backend)
        if folder:
            out.print(f"[bold]Files:[/] {escape(names)}", soft_wrap=True)
        agent = make_agent(
            backend,
            folder,
            native=native,
            plan=plan,
            max_steps=max_steps,
            memory=open_memory(memory) if memory else None,
        )
        agent.on_step = show_step
        add_mcp_tools(agent.registry, mcp or (), stack)
        if question is not None:
            raise typer.Exit(0 if _answer(agent, question) else 1)
        for asked in _questions():
            try:
                _answer(agent, asked)
            except (BackendError, ValueError, OSError) as error:
                err.print(f"[red]g2c:[/] {escape(str(error))}", soft_wrap=True)
            except KeyboardInterrupt:
                err.print("stopped; this run is not recorded")


def add_mcp_tools(
    registry: ToolRegistry, servers: Sequence[str], stack: contextlib.ExitStack
) -> None:
    """Add the tools of MCP servers, which end with `stack`, and say what was left out.

    Raises:
        ValueError: a server could not be used; the message says why.
    """
    from g2c.tools.mcp import mcp_tools

    lent = stack.enter_context(mcp_tools(servers, taken=registry.names()))
    for tool in lent.tools:
        registry.register(tool)
    for note in lent.notes:
        err.print(escape(note), soft_wrap=True)


def make_agent(
    backend: Backend,
    folder: Path | None,
    *,
    native: bool,
    plan: bool,
    max_steps: int,
    memory: MemoryStore | None = None,
) -> Agent:
    """The student's agent. With a `folder`, it has a calculator and may list and read the files
    there. With a `memory`, all that is said goes into it, and the agent may recall from it.

    Raises:
        ToolError: `folder` is not a folder.
        ValueError: a file of `g2c.agent` cannot be imported.
    """
    import_students("g2c.agent")
    from g2c.agent import Agent, NativeAgent
    from g2c.tools import ToolRegistry, make_calculator, make_list_files, make_read_file
    from g2c.tools.files import SMALL_CONTEXT_BYTES

    tools = []
    if folder:
        read_file = make_read_file(folder, max_bytes=SMALL_CONTEXT_BYTES)
        tools = [make_list_files(folder), make_calculator(), read_file]
    if memory:
        from g2c.memory import make_recall_tool

        tools.insert(0, make_recall_tool(partial(memory.recall, transcripts=True)))
    kind = NativeAgent if native else Agent
    return kind(
        backend,
        ToolRegistry(tools),
        plan=plan,
        max_steps=max_steps,
        max_new_tokens=120,
        temperature=0.0,
        memory=memory,
    )


def _questions() -> Iterator[str]:
    """What is typed, until an empty line, `exit`, or the end of the input."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (it gives `input` a history, where there is one)
    with contextlib.suppress(EOFError):
        while (question := input("\n> ").strip()) not in ("", "exit"):
            yield question


def _answer(agent: Agent, question: str) -> bool:
    """Run the agent and record the run; return whether there was an answer."""
    with out.status("thinking"):
        result = _ask(agent, question)
    path = save_run(result)
    show_end(result)
    out.print(f"[dim]recorded as {escape(path.stem)}[/]", soft_wrap=True)
    return result.final_answer is not None


def _ask(agent: Agent, question: str) -> AgentRunResult:
    """Run the agent on one question.

    Raises:
        ValueError: an exercise is not started, or a function raised or returned something else;
            the message says which and where.
        BackendError: the model could not be asked.
    """
    from g2c.agent import AgentRunResult

    if not question.strip():
        raise ValueError("Write a question.")
    try:
        result = agent.run(question)
    except BackendError:
        raise
    except Exception as error:
        raise ValueError(_in_words(error)) from error
    if not isinstance(result, AgentRunResult):
        raise ValueError(
            f"Agent.run returned {result!r:.200}, not the AgentRunResult of record.finish."
        )
    return result


def _in_words(error: Exception) -> str:
    if isinstance(error, NotImplementedError) and (exercise := stub_that_raised(error)):
        return not_started(exercise)
    return f"your agent raised {in_short(error)}"
