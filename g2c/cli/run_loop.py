"""How `g2c loop start` and `g2c loop resume` run a loop."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import typer
from rich.markup import escape

from g2c.cli.console import out, tell_aside
from g2c.cli.guarding import actor_of, ask_later, make_guard, waiter
from g2c.cli.live import shown
from g2c.cli.options import load, load_helper, options_for
from g2c.tracing import tell_outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2c.inference import Backend
    from g2c.loop.app.setup import LoopSettings
    from g2c.loop.core.folder import LoopFiles
    from g2c.loop.core.types import Budget

NEXT = {
    "done": "g2c loop log{at} shows how it went.",
    "stopped": "g2c loop resume{at} goes on.",
    "budget_exceeded": "g2c loop resume{at} --ticks N (or --tokens, --seconds) gives it more.",
    "failed": "g2c loop log{at} shows what broke; g2c loop heal{at} goes back to a good state.",
}
"""Suggested commands, by the loop's status. `at` are the options that name the loop."""


def next_command(files: LoopFiles, status: str) -> str:
    """Suggested commands for a loop of that status, in a sentence."""
    return NEXT.get(status, "g2c loop resume{at} goes on.").format(at=files.options)


def run_loop(
    files: LoopFiles,
    settings: LoopSettings,
    goal: str | None,
    budget: Budget,
    *,
    dream: bool,
    tokens_today: int | None = None,
    is_supervised: bool = False,
) -> None:
    """Begin the loop with `goal`, or resume the existing one if it is None. Run it to its end, then
    dream if it is time. It ends at `tokens_today`, too, which is not its own budget. Only if it
    `is_supervised`, it waits for a server that is away as it begins (else a person sees the error).
    Exits with 0 if it is done, and 1 if not."""
    from g2c.cli.chat import add_mcp_tools
    from g2c.home import AgentSettings, Home, answering, dream_if_due
    from g2c.inference.model_options import NO_OPTIONS
    from g2c.inference.patient import PatientBackend, patiently
    from g2c.loop.app.proposal import waiting
    from g2c.loop.app.setup import make_runner
    from g2c.loop.core.state import read_state
    from g2c.memory import MemoryStore

    lives = Home(files.shared)
    agent = lives.settings() if files.shared != files.root else None
    options = options_for(settings.model, agent.model if agent else NO_OPTIONS)
    waiting_for: dict[str, Any] = {"tell": tell_aside, "is_stopped": files.stop.exists}

    def patient(load_one: Callable[[], Backend]) -> Backend:
        loaded = patiently(load_one, **waiting_for) if is_supervised else load_one()
        return PatientBackend(loaded, **waiting_for)

    backend = patient(lambda: load(settings.model, options))
    judge = patient(lambda: load(settings.judge_model)) if settings.judge_model else backend
    helper = patient(lambda: load_helper(agent)) if agent and agent.helper else None
    if goal is not None:
        settings.save(files.root)
    tools: tuple[str, ...] = ("files",)
    if agent:
        tools = agent.tools_for(backend.info, in_loop=True)
        settings = replace(
            settings,
            evolve=settings.evolve and agent.evolve != "never",
            ask_before_evolving=agent.evolve == "ask",
        )
    before = _evolved(files)
    old = read_state(files.state) if goal is None else None
    guard = make_guard(lives, actor_of(files), ask_later(lives))
    if settings.mcp and guard is None:
        raise ValueError(
            "A loop has an MCP server's tools only under the guard, since nobody watches it. Write "
            "the exercises of module 25, or let the reference stand in: g2c skip 25"
        )
    with ExitStack() as stack, shown(files, backend, judge, budget, old) as reporter:
        lend = partial(
            add_mcp_tools, servers=settings.mcp, stack=stack, pinned=lives.pinned, guard=guard
        )
        runner = make_runner(
            files.root,
            settings,
            backend,
            judge,
            tools=tools,
            temperature=options.temperature or 0.0,
            helper=helper,
            guard=guard,
            search=agent.search if agent else "",
            run=answering(
                agent or AgentSettings(), MemoryStore(files.memory), tell_aside, is_persons=False
            ),
            lend=lend if settings.mcp else None,
            tokens_today=tokens_today,
            before_tick=waiter(guard, files, reporter.on_wait) if guard else None,
            tell=tell_aside,
            on_step=reporter.on_step,
            on_tick=reporter.on_tick,
            on_wait=reporter.on_wait,
        )
        assert runner.store is not None
        runner.store.start_session()
        state = runner.run(goal, budget)
        tell_outcome(state.status)
        bound = state.budget.tokens
        if dream and bound is not None and state.spent.tokens >= bound:
            tell_aside("The dream is left to the next session: the tokens are used up.")
        elif dream:
            reporter.on_wait("dream")
            with runner.charged(helper or judge) as charged:
                dream_if_due(runner.store, charged, tell_aside)
    then = escape(next_command(files, state.status))
    out.print(f"[bold]{state.status}[/] after tick {state.tick}. {then}", soft_wrap=True)
    at = files.options
    if waiting(files.agent):
        tell_aside(f"It would change itself; g2c loop evolution pending{at} shows how.")
    if (version := _evolved(files)) != before:
        tell_aside(
            f"It has changed itself: g2c loop evolution history{at} shows how, and "
            f"g2c loop evolution revert {version - 1}{at} undoes it."
        )
    raise typer.Exit(0 if state.status == "done" else 1)


def _evolved(files: LoopFiles) -> int:
    """The newest version made by evolution; 0 for none."""
    from g2c.loop.app.evolution import history

    made = [change.version or 0 for change in history(files.agent) if change.kind == "evolved"]
    return max(made, default=0)
