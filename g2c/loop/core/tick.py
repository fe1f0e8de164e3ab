"""One tick: the work of its agent, and the state after it.

Nothing in memory outlives a tick. An error in a tick is data: a failed tick is recorded like any
other, with its cost. A tick that is killed leaves no record.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from g2c.agent import Agent, AgentStep
from g2c.inference import ChatResult, InferenceResult
from g2c.loop.core.loop_tools import TickOutput
from g2c.loop.core.types import LoopState, TickRecord
from g2c.text import named_reason
from g2c.tools import Tool

MAX_ACTION_CHARS = 300


CHARS_PER_TOKEN = 4
"""An estimate for backends that do not count tokens: every budget must come to an end."""


AgentFactory = Callable[[Sequence[Tool]], Agent]
"""Makes a fresh agent with the given tools beside its own."""


OnStep = Callable[[AgentStep], None]


@dataclass(frozen=True)
class Work:
    """An agent's work: its answer or its error, and its steps."""

    answer: str
    error: str
    steps: tuple[AgentStep, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The tool calls with their results, each on one line."""
        return tuple(_action_line(step) for step in self.steps if step.action)


def work_on(
    prompt: str, tools: Sequence[Tool], agent_factory: AgentFactory, on_step: OnStep | None = None
) -> Work:
    """Let a fresh agent with `tools` work on `prompt`. An agent that breaks gives its error.

    Raises:
        NotImplementedError: an exercise has no body yet.
    """
    steps: list[AgentStep] = []
    answer, error = "", ""
    try:
        agent = agent_factory(tools)
        # If the run breaks, its steps are known only here.
        agent.on_step = to_each(steps.append, agent.on_step, on_step)
        answer = agent.run(prompt).final_answer or ""
    except NotImplementedError:
        raise
    except Exception as broken:
        error = named_reason(broken)
    return Work(answer, error, tuple(steps))


def state_after(state: LoopState, record: TickRecord, output: TickOutput) -> LoopState:
    """The state after the tick in `record`, with its cost and its `output`.

    A directive is for one tick. If that tick failed and left no other, the next tick gets it again.
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
        body=state.body if output.body is None else output.body,
        directive=kept if output.directive is None else output.directive,
        note_seen=record.note or state.note_seen,
    )


def to_each(*listeners: OnStep | None) -> OnStep:
    """A listener that passes each step on to those of `listeners` that are not None."""

    def tell(step: AgentStep) -> None:
        for listener in filter(None, listeners):
            listener(step)

    return tell


def _action_line(step: AgentStep) -> str:
    assert step.action
    called = f"{step.action.tool} {json.dumps(step.action.arguments, ensure_ascii=False)}"
    if step.observation:
        called += f" -> {step.observation.text}"
    line = " ".join(called.split())
    return line if len(line) <= MAX_ACTION_CHARS else line[: MAX_ACTION_CHARS - 1] + "…"


def tokens_of(step: AgentStep) -> int:
    """The tokens that the model read and wrote in this step."""
    call = step.inference
    return tokens_of_call(call, getattr(call, "prompt", ""), step.completion) if call else 0


def tokens_of_call(call: InferenceResult | ChatResult, prompt: str, completion: str) -> int:
    """The tokens that the model read and wrote in this call; an estimate if the backend counts
    none."""
    read, written = call.prompt_tokens, call.completion_tokens
    if read is None:
        read = len(prompt) // CHARS_PER_TOKEN
    if written is None:
        written = len(completion) // CHARS_PER_TOKEN
    return read + written
