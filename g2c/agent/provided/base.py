"""The agent that your `run` gets: it has everything but its loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from g2c.agent.provided.record import RunRecord
from g2c.agent.provided.types import Action, AgentRunResult, Observation, ParsedStep
from g2c.inference import ChatResult, InferenceResult


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
        """Answer `user_message`; see `g2c.agent.agent.run`."""
