"""What one run has done so far.

The idea to take away: an agent has no state of its own. Everything that a run changes is in its
record, so one agent can run twice, twice at once, or inside one of its own tools.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from g2c.agent.base import (
    AgentRunResult,
    AgentStep,
    Memory,
    Observation,
    ParsedStep,
    Plan,
    StopReason,
)
from g2c.agent.scratchpad import Scratchpad
from g2c.inference import BackendInfo, ChatResult, InferenceResult, Message


@dataclass
class RunRecord:
    """The question, the plan, and the steps taken.

    `head` is how each prompt of the run begins; `remembered` is the memory's part of it; `wrapped`
    are the messages of each step, where an agent speaks in messages.
    """

    user_message: str
    plan: Plan | None
    head: str
    scratchpad: Scratchpad
    backend: BackendInfo
    tools_available: tuple[str, ...]
    remembered: str = ""
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
        """Keep one step: the call to the model, how it was read, and what the action gave."""
        step = AgentStep(
            completion=inference.content
            if isinstance(inference, ChatResult)
            else inference.completion,
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
                self.memory.log_turn(role, content)
        if self.on_step:
            self.on_step(step)

    def finish(self, stopped_reason: StopReason) -> AgentRunResult:
        """The run as it stands, with what it cost; its answer is the last step's."""
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
                "prompt_tokens": self._total(lambda call: call.prompt_tokens),
                "completion_tokens": self._total(lambda call: call.completion_tokens),
                "cached_tokens": self._total(lambda call: call.metadata.get("cache_n")),
            },
        )

    def _total(self, count: Callable[[InferenceResult | ChatResult], Any]) -> int | None:
        """The sum over all steps, or None where a backend did not tell."""
        counts = [count(step.inference) for step in self.steps if step.inference]
        return None if None in counts else sum(counts)
