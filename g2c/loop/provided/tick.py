"""One tick: the tools by which its agent writes to the next one, the work, and the state after it.

Nothing in memory outlives a tick, and what breaks in one is data: a tick that failed is recorded
like any other, with what it cost. The tools write to a `TickOutput` and not to the file, so a tick
that dies leaves nothing half said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from g2c.agent import Agent, AgentStep
from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.loop.provided.types import LoopState, TickRecord
from g2c.tools import ExampleStep, Tool, ToolError, ToolExample

MAX_BODY_CHARS = 4_000
MAX_DIRECTIVE_CHARS = 500
"""Both go into the next prompt, which must not fill up."""


@dataclass
class TickOutput:
    """What the agent has written during one tick. None means nothing."""

    body: str | None = None
    directive: str | None = None
    summary: str | None = None


def make_loop_tools(
    output: TickOutput, refusal: Callable[[str], str] = lambda claim: ""
) -> tuple[Tool, ...]:
    """Return the tools `update_state`, `leave_directive` and `finish`, which write to `output`.

    `finish` first asks `refusal` why the claim is not believed; an empty text lets it through.
    """

    def update_state(text: str) -> str:
        output.body = _bounded(text, MAX_BODY_CHARS)
        return _KEPT

    def leave_directive(text: str) -> str:
        output.directive = _bounded(text, MAX_DIRECTIVE_CHARS)
        return "The next tick will read it."

    def finish(summary: str) -> str:
        if why := refusal(summary):
            raise ToolError(why)
        output.summary = summary
        return _ENDS_NOW

    return (
        _tool(
            update_state,
            "Keep what is done and what comes next.",
            "text",
            "done, next, blocked",
            *_STATES,
        ),
        _tool(leave_directive, "Tell the next tick what to do first.", "text", "what to do first"),
        _tool(finish, "Say that the goal is reached.", "summary", "what was done", *_ENDS),
    )


def _bounded(text: str, most: int) -> str:
    if len(text) > most:
        raise ToolError(f"{len(text)} characters are too many; write at most {most}.")
    return text


def _tool(
    func: Callable[[str], str], description: str, name: str, about: str, *examples: ToolExample
) -> Tool:
    return Tool(
        name=func.__name__,
        description=description,
        parameters=object_schema(**{name: text_schema(about=about)}),
        func=lambda **arguments: func(arguments[name]),
        example=examples[0] if examples else None,
        more_examples=examples[1:],
    )


def _kept(text: str, path: str) -> ToolExample:
    """A whole tick: the work, the state, the answer. A small model that sees only the work as an
    example never does the rest."""
    written = f"{path} is written."
    work = ExampleStep(
        "write_file", f"I need to write {path}.", {"path": path, "text": text}, written
    )
    return ToolExample(
        question=f"Write {text} to {path}",
        before=(work,),
        thought="The file is written.",
        arguments={"text": written},
        observation=_KEPT,
        answer=written,
        conclusion=_KEPT,
    )


_KEPT = "The state is kept."

_STATES = (
    _kept("The door is green.", "house.txt"),
    _kept("Ada", "car.txt"),
    _kept("7 eggs", "shop.txt"),
)


def _ended(text: str, path: str, state: str) -> ToolExample:
    """A tick that finds in its state that all is done."""
    return ToolExample(
        question=f"Write {text} to {path}{STATE_MARK}{state}",
        thought="The state says that all is done.",
        arguments={"summary": f"{path} is written."},
        observation=_ENDS_NOW,
        answer=f"{path} is written.",
        conclusion="The loop ends.",
    )


STATE_MARK = "\nState: "
"""In the question of an example, between a tick's goal and its state."""

_ENDS_NOW = "The loop ends after this tick."
_ENDS = (
    _ended("The door is green.", "house.txt", "Done: house.txt."),
    _ended("7 eggs", "shop.txt", "Done: shop.txt. Next: nothing."),
)

MAX_ACTION_CHARS = 300
CHARS_PER_TOKEN = 4
"""An estimate for backends that do not count tokens: every budget must come to an end."""

AgentFactory = Callable[[Sequence[Tool]], Agent]
"""Makes a fresh agent with the given tools beside its own."""

OnStep = Callable[[AgentStep], None]


@dataclass(frozen=True)
class Work:
    """What an agent did: its answer or its error, and its steps."""

    answer: str
    error: str
    steps: tuple[AgentStep, ...]

    @property
    def actions(self) -> tuple[str, ...]:
        """The tool calls with their results, each on one line."""
        return tuple(_action_line(step) for step in self.steps if step.action)

    @property
    def tokens(self) -> int:
        """The tokens that the model read and wrote."""
        return sum(tokens_of(step) for step in self.steps)


def work_on(
    prompt: str,
    tools: Sequence[Tool],
    agent_factory: AgentFactory,
    on_step: OnStep | None = None,
) -> Work:
    """Let a fresh agent with `tools` work on `prompt`. An agent that breaks gives its error.

    Raises:
        NotImplementedError: an exercise has no body yet.
    """
    steps: list[AgentStep] = []
    answer, error = "", ""
    try:
        agent = agent_factory(tools)
        # If the run breaks, nobody else knows its steps.
        agent.on_step = _to_each(steps.append, agent.on_step, on_step)
        answer = agent.run(prompt).final_answer or ""
    except NotImplementedError:
        raise
    except Exception as broken:
        error = f"{type(broken).__name__}: {broken}"
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


def _to_each(*listeners: OnStep | None) -> OnStep:
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
    """The tokens that the model read and wrote in this step; estimated where nobody counted."""
    call = step.inference
    if call is None:
        return 0
    read, written = call.prompt_tokens, call.completion_tokens
    if read is None:
        read = len(getattr(call, "prompt", "")) // CHARS_PER_TOKEN
    if written is None:
        written = len(step.completion) // CHARS_PER_TOKEN
    return read + written
