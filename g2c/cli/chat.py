"""The command that lets a student talk with their own agent: chat."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from g2c.cli.console import err, out, show, tell_aside
from g2c.cli.demo import demo_files
from g2c.cli.dreaming import start_dream, tell_last_dream
from g2c.cli.guarding import accept_change, ask_here, make_guard, open_calls, within
from g2c.cli.options import (
    DreamOption,
    HomeOption,
    McpOption,
    ModelOption,
    NativeOption,
    find_home,
    load,
    load_helper,
    options_for,
    session_memory,
)
from g2c.cli.places import Input, Store
from g2c.cli.sentences import SentenceCommand
from g2c.cli.steps import show_end, show_model, show_step
from g2c.course.errors import import_students, in_short, no_body
from g2c.course.runs import save_run
from g2c.course.traces import leaves_trace
from g2c.files import if_possible
from g2c.inference import BackendError
from g2c.text import reason_of
from g2c.tracing import tell_outcome

if TYPE_CHECKING:
    from rich.status import Status

    from g2c.agent import Agent, AgentRunResult, AgentStep
    from g2c.guard.app.guard import Guard
    from g2c.home import AgentSettings, HomeMemory
    from g2c.inference import Backend
    from g2c.tools import Tool, ToolRegistry

    Run = Callable[[Agent, str], AgentRunResult]

app = typer.Typer()


@app.command(cls=SentenceCommand)
@leaves_trace("chat")
def chat(
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="[QUESTION]", help="A question to answer; without it, a conversation begins."
        ),
    ] = None,
    model: ModelOption = None,
    files: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The folder whose files the agent may read."),
        Input(),
    ] = None,
    native: NativeOption = False,
    plan: Annotated[
        bool, typer.Option("--plan/--no-plan", help="Begin each answer with a plan.")
    ] = False,
    max_steps: Annotated[
        int, typer.Option(min=1, metavar="N", help="The maximum number of steps for an answer.")
    ] = 8,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="The maximum number of tokens that a step may write; default: 120 with the "
            "small model in the box, and 2,048 with any other.",
        ),
    ] = None,
    home: HomeOption = None,
    memory: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder of the memory to use, instead of the home's."
        ),
        Store(),
    ] = None,
    remember: Annotated[
        bool,
        typer.Option("--remember/--no-remember", help="Use the memory, once module 20 is written."),
    ] = True,
    dream: DreamOption = True,
    mcp: McpOption = None,
) -> None:
    """Talk with your own agent, which runs the functions that you wrote.

    The agent has a calculator, and may list and read the files of one folder. Once the exercises of
    module 20 are written, it has a memory, which it shares with the loops of the same home. With
    --mcp it also has the tools of a server; docs/mcp.md explains what such a server may do. Each
    run is recorded. An empty line ends the conversation; Ctrl-C ends a run. With QUESTION, the exit
    code is 0 if the agent answered it, and 1 if not.

    Example: g2c chat "What is 23 * 17?" --files notes
    """
    import_students("g2c.home")
    from g2c.home import HomeMemory, answering, evolve_after_chat, store_user_facts
    from g2c.memory.app.store import utc_now
    from g2c.tools.private import check_root

    with contextlib.ExitStack() as stack:
        lives = find_home(home)
        settings = lives.settings()
        own = [lives.root, *([memory] if memory else [])]
        if files:
            check_root(files, own)
        options = options_for(model, settings.model)
        backend = load(model, options)
        show_model(backend)
        store = session_memory(lives, memory, remember)
        began = utc_now()
        folder, names = files, str(files)
        if folder is None and store is None and not mcp:
            folder = stack.enter_context(demo_files())
            names = "the demo's meeting.txt (--files FOLDER: your own)"
        if folder:
            out.print(f"[bold]Files:[/] {escape(names)}", soft_wrap=True)
        helper = load_helper(settings) if settings.helper else backend
        thinking = out.status("thinking")
        guard = make_guard(lives, "agent", ask_here(lives, thinking))
        agent = make_agent(
            backend,
            folder,
            settings,
            native=native,
            plan=plan,
            max_steps=max_steps,
            max_tokens=max_tokens,
            temperature=options.temperature or 0.0,
            memory=HomeMemory(store, lives.identity) if store else None,
            own=own,
            helper=helper,
            guard=guard,
        )
        agent.on_step = _show_step
        servers = (*settings.mcp, *(mcp or ()))
        add_mcp_tools(agent.registry, servers, stack, lives.pinned, guard)
        if guard:
            agent.earlier = tuple(open_calls(guard))
        run = answering(settings, store, tell_aside, is_persons=True)
        if store:
            tell_last_dream(store, tell_aside)
        inbox = Inbox(lives.inbox)
        inbox.show()
        try:
            if question is not None:
                raise typer.Exit(0 if _answer(agent, question, inbox, thinking, run) else 1)
            _talk(agent, inbox, thinking, run)
            if store:
                with err.status("thinking about what it has learned"):
                    evolve_after_chat(lives, agent.earlier, backend, store.now(), tell_aside)
        finally:
            if store:
                store_user_facts(store, began, tell_aside)
                if dream:
                    start_dream(store, lives.root, model, tell_aside)


class Inbox:
    """Messages for the agent that `g2c loop tell` left in `folder`. This chat prints each message
    once, and has it in one prompt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown: set[str] = set()
        self._delivered: set[str] = set()

    def show(self) -> None:
        """Print the waiting messages that were not printed yet."""
        from g2c.loop.core.inbox import TITLE, unread

        for message in unread(self._folder):
            if message.id not in self._shown:
                self._shown.add(message.id)
                show(TITLE, message.text, "magenta")

    @contextlib.contextmanager
    def deliver_to(self, agent: Agent) -> Iterator[Callable[[], None]]:
        """Put the waiting messages into the agent's conversation. Call the yielded function when it
        has answered; otherwise they wait for the next reader."""
        from g2c.home.inbox import archive_read, as_exchange, locked_messages

        with locked_messages(self._folder) as messages:
            self.show()
            new = [message for message in messages if message.id not in self._delivered]
            agent.earlier = (*agent.earlier, *map(as_exchange, new))
            self._delivered.update(message.id for message in new)
            yield lambda: archive_read(self._folder, messages, agent.memory)


def _show_step(step: AgentStep) -> None:
    """Print a step without its answer, which is shown once it was checked."""
    show_step(replace(step, final_answer=None))


def _talk(agent: Agent, inbox: Inbox, thinking: Status, run: Run) -> None:
    """Answer the typed lines, with the earlier conversation in each prompt."""
    read_ahead(agent)
    for asked in _questions():
        try:
            _answer(agent, asked, inbox, thinking, run)
        except (BackendError, ValueError, OSError) as error:
            err.print(f"[red]g2c:[/] {escape(reason_of(error))}", soft_wrap=True)
        except KeyboardInterrupt:
            err.print("stopped; this run is not recorded")


def read_ahead(agent: Agent) -> Thread | None:
    """Have a model in this process read the instructions while the person types the question.

    An exact model does not: what it reads, and in which order, may be recorded.
    """
    from g2c.agent import NativeAgent
    from g2c.agent.core.prompts import render_system_prompt
    from g2c.inference import EmbeddedBackend

    model = agent.backend
    if not isinstance(model, EmbeddedBackend) or model.is_exact or isinstance(agent, NativeAgent):
        return None

    def read() -> None:
        with contextlib.suppress(Exception):  # the answer will say what is wrong
            model.complete(render_system_prompt(tuple(agent.registry)), max_new_tokens=1)

    thread = Thread(target=read, daemon=True)
    thread.start()
    return thread


def add_mcp_tools(
    registry: ToolRegistry,
    servers: Sequence[str],
    stack: contextlib.ExitStack,
    pinned: Path,
    guard: Guard | None,
) -> None:
    """Add the tools of MCP servers, which are closed with `stack`, and print what was left out.

    The person is asked about a tool that differs from the file `pinned`.

    Raises:
        ValueError: a server could not be used; the message says why.
    """
    from g2c.home.pins import unchanged_tools
    from g2c.loop.app.again import again
    from g2c.tools.mcp import CALL_S, mcp_tools

    lent = stack.enter_context(mcp_tools(servers, taken=registry.names()))
    offered = {lent.full_names[tool.name]: tool for tool in lent.tools}
    if guard:
        guard.check_servers(list(offered))
    good = unchanged_tools(pinned, offered, accept_change) if offered else set()
    for tool in lent.tools:
        name = lent.full_names[tool.name]
        tool = again(tool, patience=2 * CALL_S)
        if guard:
            tool = guard.guarded(quoted_tool(tool, guard.quote), name=name, sends=True)
        if name in good:
            registry.register(tool)
    for note in lent.notes:
        err.print(escape(note), soft_wrap=True)


def quoted_tool(tool: Tool, quote: Callable[[str], str]) -> Tool:
    """The tool of another server, with its texts quoted."""

    def quoted(data: Any) -> Any:
        if isinstance(data, dict):
            return {key: quoted(value) for key, value in data.items()}
        if isinstance(data, list):
            return [quoted(value) for value in data]
        return quote(data) if isinstance(data, str) else data

    parameters = quoted(dict(tool.parameters))
    return replace(tool, description=quote(tool.description), parameters=parameters)


def make_agent(
    backend: Backend,
    folder: Path | None,
    settings: AgentSettings,
    *,
    native: bool,
    plan: bool,
    max_steps: int,
    max_tokens: int | None = None,
    temperature: float = 0.0,
    memory: HomeMemory | None = None,
    own: Sequence[Path] = (),
    helper: Backend | None = None,
    guard: Guard | None = None,
) -> Agent:
    """The student's agent with those tools of `settings` that have what they need: a `folder` with
    files, a `memory`. Its delegates use the model `helper`, or its own. `guard` wraps all tools.

    Raises:
        ToolError: `folder` is not a folder.
        ValueError: a file of `g2c.agent` cannot be imported.
    """
    import_students("g2c.agent")
    from g2c.agent import Agent, NativeAgent
    from g2c.home import answering
    from g2c.loop import SharedBudget
    from g2c.loop.app.toolbox import DELEGATES, make_delegate_tool, make_session_tools
    from g2c.tools import ToolRegistry

    def make(model: Backend, registry: ToolRegistry, memory: HomeMemory | None = None) -> Agent:
        kind = NativeAgent if native else Agent
        max_new_tokens = max_tokens or model.info.step_tokens(small=120)
        return kind(
            model,
            registry,
            plan=plan,
            max_steps=max_steps,
            max_new_tokens=max_new_tokens,
            make_scratchpad=within(model, max_new_tokens) if guard else None,
            temperature=temperature,
            memory=memory,
            guard=guard,
        )

    def make_helper() -> Agent:  # the tools of MCP servers are added later, and it has them, too
        others = ToolRegistry(tool for tool in registry if tool.name != "delegate")
        return make(helper or backend, others)

    names = settings.tools_for(backend.info)
    store = memory.store if memory else None
    tools = make_session_tools(names, folder=folder, store=store, own=own, search=settings.search)
    if "delegate" in names:
        run = answering(settings, store, tell_aside, is_persons=False)
        tools.append(make_delegate_tool(make_helper, SharedBudget(DELEGATES), store, run))
    if settings.examples == "never":
        tools = [tool.without_examples() for tool in tools]
    if guard:
        tools = [guard.guarded(tool) for tool in tools]
    registry = ToolRegistry(tools)
    return make(backend, registry, memory)


def _questions() -> Iterator[str]:
    """The typed lines, until an empty line, `exit`, or the end of the input."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (it gives `input` a history, where there is one)
    with contextlib.suppress(EOFError):
        while (question := input("\n> ").strip()) not in ("", "exit"):
            yield question


def _answer(
    agent: Agent,
    question: str,
    inbox: Inbox,
    thinking: Status | None = None,
    run: Run | None = None,
) -> bool:
    """Run the agent and record the run; return whether there was an answer."""
    from g2c.agent.core.conversation import Exchange, extended

    with inbox.deliver_to(agent) as has_answered:
        with thinking or out.status("thinking"):
            result = _ask(agent, question, run)
        if result.final_answer is not None:
            has_answered()
            agent.earlier = extended(agent.earlier, Exchange(question, result.final_answer))
    for sentence in result.metadata.get("withheld", ()):
        show("Not seen", sentence, "red")
    if result.final_answer is not None:
        show("Final answer", result.final_answer, "bold")
    tell_outcome(result.stopped_reason)
    show_end(result)
    with if_possible("the record of this run"):
        out.print(f"[dim]recorded as {escape(save_run(result).stem)}[/]", soft_wrap=True)
    return result.final_answer is not None


def _ask(agent: Agent, question: str, run: Run | None) -> AgentRunResult:
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
        result = run(agent, question) if run else agent.run(question)
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
    found = no_body(error)
    return found.says if found else f"your agent raised {in_short(error)}"
