"""The command that lets a student talk with their own agent: chat."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.broken import broken_files
from g2c.course.cli.console import (
    HomeOption,
    ModelOption,
    err,
    find_home,
    load,
    open_memory,
    out,
    show_end,
    show_model,
    show_step,
    tell_aside,
)
from g2c.course.cli.demo import demo_files
from g2c.course.errors import import_students, in_short, without_body
from g2c.course.manifest import load_exercises
from g2c.course.runs import save_run
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.inference import BackendError

if TYPE_CHECKING:
    from g2c.agent import Agent, AgentRunResult
    from g2c.home import AgentSettings, Home, HomeMemory
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
    home: HomeOption = None,
    memory: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Remember there and not in the home."),
    ] = None,
    remember: Annotated[
        bool, typer.Option("--remember/--no-remember", help="Have a memory, once it is written.")
    ] = True,
    dream: Annotated[
        bool, typer.Option("--dream/--no-dream", help="Dream at the end, if it is time.")
    ] = True,
    mcp: Annotated[
        list[str] | None,
        typer.Option(metavar="SERVER", help="An MCP server's command or URL; may be repeated."),
    ] = None,
) -> None:
    """Talk with your own agent, with the functions that you wrote.

    It has a calculator, and may list and read the files of one folder. Once the exercises of module
    20 are written, it remembers, and shares its memory with the loops of the same home. With --mcp
    it has a server's tools, too; docs/mcp.md says what such a server may do. Each run is recorded.
    An empty line ends the conversation, and Ctrl-C a run. With QUESTION, the exit code is 0 if it
    was answered and 1 if it was not.

    Example: g2c chat "What is 23 * 17?" --files notes
    """
    import_students("g2c.home")
    from g2c.home import HomeMemory, dream_if_due

    with contextlib.ExitStack() as stack:
        if files and not files.is_dir():
            raise ValueError(f"{files} is not a folder; --files takes one that exists.")
        lives = find_home(home)
        settings = lives.settings()
        backend = load(model)
        show_model(backend)
        store = _open_memory(lives, memory, remember)
        folder, names = files, str(files)
        if folder is None and store is None and not mcp:
            folder = stack.enter_context(demo_files())
            names = "the demo's meeting.txt (--files FOLDER: your own)"
        if folder:
            out.print(f"[bold]Files:[/] {escape(names)}", soft_wrap=True)
        agent = make_agent(
            backend,
            folder,
            settings,
            native=native,
            plan=plan,
            max_steps=max_steps,
            memory=HomeMemory(store, lives.identity) if store else None,
        )
        agent.on_step = show_step
        add_mcp_tools(agent.registry, (*settings.mcp, *(mcp or ())), stack)
        try:
            if question is not None:
                raise typer.Exit(0 if _answer(agent, question) else 1)
            _talk(agent)
        finally:
            if dream and store:
                with err.status("dreaming, if it is time"):
                    dream_if_due(store, backend, tell_aside)


def _open_memory(home: Home, folder: Path | None, remember: bool) -> MemoryStore | None:
    """The memory of the session; None where there is to be none, or module 20 is not written, or
    cannot be imported."""
    if folder:
        return open_memory(folder)
    if not remember:
        return None
    for module, why in broken_files().items():
        if module.startswith("g2c.memory."):
            tell_aside(f"This chat does not remember: {why}")
            return None
    references = requested_references()
    unwritten = [
        exercise
        for exercise in load_exercises()
        if exercise.module == "20"
        and is_stub(exercise)
        and not is_requested(exercise.id, references)
    ]
    return None if unwritten else open_memory(home.memory)


def _talk(agent: Agent) -> None:
    """Answer what is typed. The agent is told what was said before."""
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
    settings: AgentSettings,
    *,
    native: bool,
    plan: bool,
    max_steps: int,
    memory: HomeMemory | None = None,
) -> Agent:
    """The student's agent with those tools of `settings` for which there is what they need: a
    `folder` with files, a `memory`.

    Raises:
        ToolError: `folder` is not a folder.
        ValueError: a file of `g2c.agent` cannot be imported.
    """
    import_students("g2c.agent")
    from g2c.agent import Agent, NativeAgent
    from g2c.home.toolbox import make_tools
    from g2c.tools import ToolRegistry

    kind = NativeAgent if native else Agent
    return kind(
        backend,
        ToolRegistry(make_tools(settings, backend, folder, memory.store if memory else None)),
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
    from g2c.agent.provided.conversation import Exchange, extended

    with out.status("thinking"):
        result = _ask(agent, question)
    if result.final_answer is not None:
        agent.earlier = extended(agent.earlier, Exchange(question, result.final_answer))
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
    return without_body(error) or f"your agent raised {in_short(error)}"
