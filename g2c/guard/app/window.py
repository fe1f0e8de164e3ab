"""The steps of a run within a model's context, by your `fit_window` and your `render` of 19.3."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from g2c.agent.app.agent import Scratchpad
from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.agent.core.types import AgentStep
from g2c.guard.core.window import WindowPart
from g2c.guard.fit_window import fit_window

SHORT_CHARS = 160
"""Characters that are left of a shortened output."""

BETWEEN = "\n\n"


@dataclass(frozen=True)
class _Block:
    """A step's text in three forms: whole, with a short output, and the call alone."""

    whole: str
    short: str
    call: str


class WindowScratchpad(BaseScratchpad):
    """The steps of one run, whose prompt has at most `budget` tokens, `head` included.

    If they cannot be made to fit, the whole text is given, and the model's server reports the
    error.
    """

    def __init__(self, head: str, budget: int, count: Callable[[str], int]) -> None:
        super().__init__()
        self._budget = budget
        self._count = count
        self._written: list[_Block] = []
        self._parts = [WindowPart("kept", count(head))]

    def render(self) -> str:
        for step in self.steps[len(self._written) :]:
            self._add(step)
        try:
            shown = fit_window(self._parts, self._budget)[1:]
        except ValueError:
            return BETWEEN.join(block.whole for block in self._written)
        texts = []
        for block, call, output in zip(self._written, shown[::2], shown[1::2], strict=True):
            if call != "dropped":
                texts.append(block.short if output == "short" else block.whole)
        return BETWEEN.join(texts)

    def _add(self, step: AgentStep) -> None:
        block = _Block(_text_of(step), _text_of(_shortened(step)), _text_of(_unanswered(step)))
        self._written.append(block)
        whole, short, call = map(self._count, (block.whole, block.short, block.call))
        at = len(self._parts)
        self._parts.append(WindowPart("call", call, call))
        output, least = max(whole - call, 0), max(short - call, 0)
        self._parts.append(WindowPart("output", output, min(least, output), call=at))


def _text_of(step: AgentStep) -> str:
    pad = Scratchpad()
    pad.append(step)
    return pad.render()


def _unanswered(step: AgentStep) -> AgentStep:
    return replace(step, observation=None)


def _shortened(step: AgentStep) -> AgentStep:
    seen = step.observation
    if seen is None or (more := len(seen.output) - SHORT_CHARS) <= 0:
        return step
    output = f"{seen.output[:SHORT_CHARS]} [{more:,} more characters were here]"
    return replace(step, observation=replace(seen, output=output))
