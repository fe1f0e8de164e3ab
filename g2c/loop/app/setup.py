"""Setting a loop up: the settings that its folder keeps, so that it resumes as it began, and its
agents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from g2c.agent import Agent
from g2c.agent.core.run import Guard
from g2c.critic.app.measured import find_measurement
from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.inference import Backend
from g2c.json_files import replace_json
from g2c.loop.app.claims import gate_for
from g2c.loop.app.review import loop_critic
from g2c.loop.app.runner import LoopRunner
from g2c.loop.app.toolbox import DELEGATES, FILE_TOOLS, make_delegate_tool, make_session_tools
from g2c.loop.build_tick_prompt import build_tick_prompt
from g2c.loop.core.delegate import Run, SharedBudget
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.loop_tools import STATE_MARK, TickOutput, make_loop_tools
from g2c.loop.core.types import EvolvedConfig, LoopConfig, TickParts
from g2c.memory import MemoryStore
from g2c.text import named_reason
from g2c.tools import Tool, ToolRegistry

MAX_STEPS = 6
"""The most steps of an agent in one tick; the rest of the work is for the next tick."""


STUCK_AFTER = 3
"""Equal ticks in a row after which a tick counts as failed, so that the healer acts."""


class ToolGuard(Guard, Protocol):
    """A guard that can also wrap tools."""

    def guarded(self, tool: Tool) -> Tool:
        """The tool, wrapped so that it runs only if the guard permits it."""


@dataclass(frozen=True)
class LoopSettings:
    """How a loop was started.

    `files` is the folder that its tools see (None: `work/` in the loop's folder), `success` the
    success command, `checkpoint` the ticks between two reviews. `model`, and `judge_model` for
    reviews, are values of `--model`. With `claim`, the agent's word that it is done is enough. The
    agent has the tools of the MCP servers `mcp`, each a command line or a URL.
    """

    files: str | None = None
    success: tuple[str, ...] = ()
    checkpoint: int = 5
    recall: bool = True
    review: bool = True
    evolve: bool = True
    ask_before_evolving: bool = False
    model: str | None = None
    judge_model: str | None = None
    claim: bool = False
    mcp: tuple[str, ...] = ()

    def save(self, root: Path) -> None:
        """Write the settings to the loop's folder."""
        replace_json(settings_file(root), asdict(self), indent=1)

    @classmethod
    def load(cls, root: Path) -> LoopSettings:
        """The settings of the loop in `root`; the defaults if a program began it without any.

        Raises:
            ValueError: the settings cannot be read.
        """
        try:
            data = load_json(read_text(settings_file(root)))
            lists = {name: tuple(data.get(name, ())) for name in ("success", "mcp")}
            return cls(**data | lists)
        except FileNotFoundError:
            return cls()
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(
                f"{settings_file(root)} cannot be read ({named_reason(error)}); mend it, "
                "or delete it and start the loop in another folder."
            ) from error


def settings_file(root: Path) -> Path:
    """The settings file of the loop in `root`. A loop that a program began has none."""
    return root / "settings.json"


def make_runner(
    root: Path,
    settings: LoopSettings,
    backend: Backend,
    judge: Backend | None = None,
    *,
    tools: Collection[str] = ("files",),
    temperature: float = 0.0,
    helper: Backend | None = None,
    guard: ToolGuard | None = None,
    search: str = "",
    run: Run = Agent.run,
    lend: Callable[[ToolRegistry], None] | None = None,
    **callbacks: Any,
) -> LoopRunner:
    """A runner of the loop in `root`. Its agents have the loop's own tools, and `tools` by the
    names that `make_session_tools` takes or `delegate`. A delegate uses `helper` (default:
    `backend`). `judge` (default: `backend`) reviews the loop, checks the agent's claims, and
    proposes its evolution. `guard` wraps all tools but the loop's own. `web_search` asks the server
    at `search`. `run` answers a delegate's question, and may check the answer. `lend` adds tools of
    others, with a guard of their own, to a registry that has the loop's. `callbacks` are
    `LoopRunner`'s.

    Raises:
        ToolError: the settings' `files` is not a folder.
    """
    files, judge = LoopFiles(root), judge or backend
    work = Path(settings.files) if settings.files else files.work
    work.mkdir(parents=True, exist_ok=True)
    config = LoopConfig(
        checkpoint_interval=settings.checkpoint if settings.review else 0,
        success_command=settings.success,
        recall=settings.recall,
        evolve=settings.evolve,
        ask_before_evolving=settings.ask_before_evolving,
        stuck_after=STUCK_AFTER,
        tell_budget=not backend.info.is_small,
    )
    store, delegates = MemoryStore(files.memory), SharedBudget(DELEGATES)
    own = make_session_tools(
        tools, folder=work, may_write=True, store=store, own=files.own, search=search
    )
    if guard:
        own = [guard.guarded(tool) for tool in own]
    if lend:
        registry = ToolRegistry([*own, *make_loop_tools(TickOutput())])
        mine = len(registry.tools)
        lend(registry)
        own += registry.tools[mine:]
    if "delegate" in tools:
        make_helper = make_agent_factory(helper or backend, own, temperature, guard=guard)
        delegate = make_delegate_tool(lambda: make_helper(()), delegates, store, run)
        own = [*own, guard.guarded(delegate) if guard else delegate]
    return LoopRunner(
        make_agent_factory(backend, own, temperature, guard=guard),
        store,
        config,
        root,
        backend=judge,
        measured=find_measurement(files.measured, loop_critic(judge), judge),
        gate=None if settings.claim else gate_for(work),
        work=work,
        delegates=delegates,
        quote=guard.quote if guard else str,
        **callbacks,
    )


def make_agent_factory(
    backend: Backend,
    own: Sequence[Tool],
    temperature: float = 0.0,
    max_steps: int = MAX_STEPS,
    guard: ToolGuard | None = None,
) -> Callable[[Sequence[Tool]], Agent]:
    """A factory of a fresh agent for each tick, with its `own` tools and those of the loop."""
    # The examples for files end with the file, and a small model that follows them keeps no state.
    # The loop's examples end with the state. They come last, since it follows the last examples
    # most.
    files = [
        replace(tool, example=None, more_examples=()) for tool in own if tool.name in FILE_TOOLS
    ]
    others = [as_tick(tool) for tool in own if tool.name not in FILE_TOOLS]

    def make_agent(tools: Sequence[Tool]) -> Agent:
        return Agent(
            backend,
            ToolRegistry([*others, *map(as_tick, tools), *files]),
            plan=False,
            max_steps=max_steps,
            max_new_tokens=backend.info.step_tokens(small=200),
            temperature=temperature,
            guard=guard,
        )

    return make_agent


def as_tick(tool: Tool) -> Tool:
    """The tool, with the question of each example written as a tick's prompt. A small model follows
    an example only if it looks like the real prompt."""

    def put(question: str) -> str:
        goal, _, state = question.partition(STATE_MARK)
        config = EvolvedConfig(identity="I work on one goal.")
        return build_tick_prompt(
            TickParts("You work on a goal in ticks.", config, goal=goal, state=state)
        )

    examples = tuple(replace(example, question=put(example.question)) for example in tool.examples)
    return replace(tool, example=examples[0] if examples else None, more_examples=examples[1:])
