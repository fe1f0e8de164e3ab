"""What an agent does with one tick's prompt, and what becomes of the state.

The idea to take away: nothing in memory outlives a tick, and what breaks in one is data. A tick
that failed is recorded like any other, with what it cost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from g2c.agent import Agent, AgentStep
from g2c.loop.base import LoopState, TickRecord
from g2c.loop.loop_tools import Desk
from g2c.tools import Tool

MAX_ACTION_CHARS = 300
CHARS_PER_TOKEN = 4
"""Where a backend does not count, so much is taken for a token: a budget must come to an end."""

AgentFactory = Callable[[Sequence[Tool]], Agent]
"""Makes a fresh agent that has the given tools beside its own."""

OnStep = Callable[[AgentStep], None]


@dataclass(frozen=True)
class Work:
    """What an agent did: its answer, or what it raised, and its steps."""

    answer: str
    error: str
    steps: tuple[AgentStep, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The tool calls and what they gave, each on one line."""
        return tuple(_action_line(step) for step in self.steps if step.action)

    @property
    def tokens(self) -> int:
        """The tokens that the model read and wrote."""
        return sum(_tokens_of(step) for step in self.steps)


def work_on(
    prompt: str,
    tools: Sequence[Tool],
    agent_factory: AgentFactory,
    on_step: OnStep | None = None,
) -> Work:
    """Have a fresh agent with `tools` work on `prompt`, and return whatever comes of it.

    Raises:
        NotImplementedError: an exercise has no body yet, which is nothing that a tick does.
    """
    steps: list[AgentStep] = []
    answer, error = "", ""
    try:
        agent = agent_factory(tools)
        # The steps of a run that breaks are known to nobody else.
        agent.on_step = _to_each(steps.append, agent.on_step, on_step)
        answer = agent.run(prompt).final_answer or ""
    except NotImplementedError:
        raise
    except Exception as broken:
        error = f"{type(broken).__name__}: {broken}"
    return Work(answer, error, tuple(steps))


def state_after(state: LoopState, record: TickRecord, desk: Desk) -> LoopState:
    """The state that the tick in `record` leaves, with its cost and with what lies on `desk`.

    A directive is for one tick; where that tick failed and left no other, the next one has it.
    """
    kept = state.directive if record.outcome == "failed" else ""
    spent = replace(
        state.spent,
        ticks=state.spent.ticks + 1,
        tokens=state.spent.tokens + record.tokens,
        seconds=state.spent.seconds + record.seconds,
    )
    return replace(
        state,
        tick=record.tick,
        spent=spent,
        updated=record.ts,
        body=state.body if desk.body is None else desk.body,
        directive=kept if desk.directive is None else desk.directive,
        note_seen=record.note or state.note_seen,
    )


def _to_each(*listeners: OnStep | None) -> OnStep:
    def tell(step: AgentStep) -> None:
        for listener in filter(None, listeners):
            listener(step)

    return tell


def _action_line(step: AgentStep) -> str:
    assert step.action
    called = f"{step.action.tool} {json.dumps(step.action.arguments, ensure_ascii=False)}"
    if step.observation:
        mark = "[error] " if step.observation.is_error else ""
        called += f" -> {mark}{step.observation.output}"
    line = " ".join(called.split())
    return line if len(line) <= MAX_ACTION_CHARS else line[: MAX_ACTION_CHARS - 1] + "…"


def _tokens_of(step: AgentStep) -> int:
    call = step.inference
    if call is None:
        return 0
    read, written = call.prompt_tokens, call.completion_tokens
    if read is None:
        read = len(getattr(call, "prompt", "")) // CHARS_PER_TOKEN
    if written is None:
        written = len(step.completion) // CHARS_PER_TOKEN
    return read + written
