"""The agent's working memory: every step so far, as the model will read it.

The idea to take away: the model remembers nothing between calls, so the prompt is its memory. A
prompt that only ever grows at its end lets the model's cache keep all the work it did before.
"""

from __future__ import annotations

from g2c.agent.base import AgentError, AgentStep
from g2c.exercise import exercise


class Scratchpad:
    """The steps of one run, in order.

    `max_chars` bounds what `render` returns, in characters; None means no bound.
    """

    def __init__(self, max_chars: int | None = None) -> None:
        if max_chars is not None and (not isinstance(max_chars, int) or max_chars < 1):
            raise AgentError(f"max_chars must be None or at least 1, got {max_chars!r}.")
        self.max_chars = max_chars
        self._steps: list[AgentStep] = []
        self._blocks: list[str] = []
        """The text of the first `len(self._blocks)` steps, for `render` to fill and to use."""

    def append(self, step: AgentStep) -> None:
        """Add the newest step."""
        self._steps.append(step)

    @property
    def steps(self) -> tuple[AgentStep, ...]:
        """All steps, oldest first, those that no longer fit `render` included."""
        return tuple(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    @exercise("19.3")
    def render(self) -> str:
        r"""The steps as text, one block a step, with a blank line between blocks.

        A block has these lines, and leaves out those it has nothing for:

            Thought: what the model thought
            Action: the tool's name
            Action Input: the arguments as JSON on one line, in their order, letters as they are
            Observation: what came back
            Final Answer: the answer

        An observation that is an error starts with `[error] `. A parse error is shown as an
        observation of that kind, in place of the completion. Texts are kept as they are, line ends
        included; nothing is added after the last block. No steps give the empty string.

        Where the text would be longer than `max_chars`, the oldest blocks are left out, whole, and
        no more of them than it takes; what is left has no holes. The newest block stays, however
        long.

        A step is turned into text once, not again at each call. Without a cap, what one call
        returned is how the next one begins, character for character.

        >>> pad = Scratchpad()
        >>> pad.append(AgentStep("...", thought="I can answer.", final_answer="42"))
        >>> print(pad.render())
        Thought: I can answer.
        Final Answer: 42
        """
        raise NotImplementedError
