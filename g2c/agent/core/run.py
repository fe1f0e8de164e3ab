"""The argument of your `run`: an agent that has everything but its loop, and the record of one run.

An agent has no state of its own: everything that a run changes is in its record. So one agent can
run twice, twice at once, or inside one of its own tools.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from g2c.agent.core.conversation import Exchange
from g2c.agent.core.result import AgentRunResult, StopReason
from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.agent.core.types import Action, AgentStep, Memory, Observation, ParsedStep, Plan, is_echo
from g2c.inference import BackendInfo, ChatResult, InferenceResult, Message


class BaseAgent(ABC):
    """An agent without its loop. `Agent` adds your `run`."""

    max_steps: int
    """How many steps a run may have, at least 1."""

    loop_detection: bool
    """Whether a run ends when the model repeats the action of the step before."""

    halt_on_stuck: bool
    """Whether a run ends at a step with neither action nor answer."""

    @abstractmethod
    def start(self, user_message: str) -> RunRecord:
        """Begin a run: a new record, with a plan if this agent makes plans.

        Raises:
            ValueError: the message is empty or blank.
        """

    @abstractmethod
    def build_prompt(self, record: RunRecord) -> Any:
        """The next prompt: system prompt, tools, question and plan, then all steps so far."""

    @abstractmethod
    def complete(self, prompt: Any) -> InferenceResult | ChatResult:
        """Ask the model once, with this agent's settings and stop strings.

        Raises:
            BackendError: the model could not be asked.
        """

    @abstractmethod
    def parse(self, inference: Any) -> ParsedStep:
        """Read what the model wrote. This never raises, whatever the text."""

    @abstractmethod
    def act(self, action: Action) -> Observation:
        """Carry out an action. A tool's error becomes an observation and never raises."""

    @abstractmethod
    def run(self, user_message: str) -> AgentRunResult:
        """Answer `user_message`; see `g2c.agent.run.run`."""


class Guard(Protocol):
    """Stands between a model and its tools; `g2c.guard.app.guard` has one."""

    def quote(self, text: str, tool: str = "") -> str:
        """A tool's result, as the model reads it."""

    def begin(self, record: RunRecord) -> None:
        """Called when a run begins, before the model is asked."""


@dataclass
class RunRecord:
    """The question, the plan, and the steps so far.

    Each prompt of the run begins with `head`. `remembered` is the memory's part of the prompt,
    `earlier` the session's conversation so far. `wrapped` has the messages of each step, for an
    agent that works with messages.
    """

    user_message: str
    plan: Plan | None
    head: str
    scratchpad: BaseScratchpad
    backend: BackendInfo
    tools_available: tuple[str, ...]
    remembered: str = ""
    earlier: tuple[Exchange, ...] = ()
    memory: Memory | None = None
    on_step: Callable[[AgentStep], None] | None = None
    steps: list[AgentStep] = field(default_factory=list)
    wrapped: list[list[Message]] = field(default_factory=list)

    def add(
        self,
        inference: InferenceResult | ChatResult,
        parsed: ParsedStep,
        observation: Observation | None = None,
    ) -> None:
        """Add a step: the call to the model, what was read from it, and the observation."""
        step = AgentStep(
            completion=inference.text,
            thought=parsed.thought,
            action=parsed.action,
            observation=observation,
            final_answer=parsed.final_answer,
            parse_error=parsed.parse_error,
            inference=inference,
        )
        self.steps.append(step)
        self.scratchpad.append(step)
        if self.memory:
            for role, content in step.as_turns():
                # To a memory, the user's own words would look like the agent's knowledge.
                if role != "assistant" or not is_echo(content, self.user_message):
                    self.memory.log_turn(role, content)
        if self.on_step:
            self.on_step(step)

    def finish(self, stopped_reason: StopReason) -> AgentRunResult:
        """The result of the run, with its costs. Its answer is that of the last step."""
        calls = [step.inference for step in self.steps if step.inference]
        return AgentRunResult(
            user_message=self.user_message,
            plan=self.plan,
            final_answer=self.steps[-1].final_answer if self.steps else None,
            steps=tuple(self.steps),
            stopped_reason=stopped_reason,
            metadata={
                "n_steps": len(self.steps),
                "n_tool_calls": sum(step.observation is not None for step in self.steps),
                "tools_available": list(self.tools_available),
                "backend_name": self.backend.name,
                "backend_model_id": self.backend.model_id,
                "had_plan": self.plan is not None,
                "prompt_tokens": _total([call.prompt_tokens for call in calls]),
                "completion_tokens": _total([call.completion_tokens for call in calls]),
                "cached_tokens": _total([call.metadata.get("cache_n") for call in calls]),
            },
        )


def _total(counts: list[Any]) -> int | None:
    """The sum over all steps, or None if a backend gave no count."""
    return None if None in counts else sum(counts)
