"""The scratchpad without its `render`: the steps of one run, in order."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from g2c.agent.core.types import AgentError, AgentStep


class BaseScratchpad(ABC):
    """The steps of one run, in order. `Scratchpad` adds your `render`, which writes their text.

    `max_chars` bounds the text, in characters; None means no bound. `render` keeps the text of each
    step in `blocks`, in the order of the steps. `quote` formats a tool's result for the model, from
    the text and the tool's name; None leaves it unchanged.

    Raises:
        AgentError: `max_chars` is neither None nor a whole number of at least 1.
    """

    def __init__(self, max_chars: int | None = None) -> None:
        if max_chars is not None and (not isinstance(max_chars, int) or max_chars < 1):
            raise AgentError(f"max_chars must be None or at least 1, got {max_chars!r}.")
        self.max_chars = max_chars
        self.quote: Callable[[str, str], str] | None = None
        self.blocks: list[str] = []
        self._steps: list[AgentStep] = []

    def append(self, step: AgentStep) -> None:
        """Add the newest step.

        Raises:
            AgentError: `step` is not an AgentStep.
        """
        if not isinstance(step, AgentStep):
            raise AgentError(f"A scratchpad holds AgentSteps, got {step!r:.80}.")
        self._steps.append(self.quoted(step))

    @property
    def steps(self) -> tuple[AgentStep, ...]:
        """All steps, oldest first, also those that no longer fit into the text."""
        return tuple(self._steps)

    def quoted(self, step: AgentStep) -> AgentStep:
        """The step as the model reads it."""
        if self.quote is None or step.observation is None:
            return step
        tool = step.action.tool if step.action else ""
        quoted = replace(step.observation, output=self.quote(step.observation.output, tool))
        return replace(step, observation=quoted)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} steps, max_chars={self.max_chars})"

    def __len__(self) -> int:
        return len(self._steps)

    @abstractmethod
    def render(self) -> str:
        """The steps as text; see `g2c.agent.render.render`."""
