"""19.3: a block is made once and kept; rendering is a join.

Making all blocks again at each step gives the same text and costs more the longer the run is. The
cap is applied to the blocks that exist and never touches them, so nothing already rendered changes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2c.agent.base import AgentStep
    from g2c.agent.scratchpad import Scratchpad

_BETWEEN = "\n\n"


def render(self: Scratchpad) -> str:
    self._blocks.extend(_block(step) for step in self._steps[len(self._blocks) :])
    if self.max_chars is None or not self._blocks:
        return _BETWEEN.join(self._blocks)
    first = len(self._blocks) - 1
    size = len(self._blocks[first])
    while first > 0:
        size += len(_BETWEEN) + len(self._blocks[first - 1])
        if size > self.max_chars:
            break
        first -= 1
    return _BETWEEN.join(self._blocks[first:])


def _block(step: AgentStep) -> str:
    lines = []
    if step.thought:
        lines.append(f"Thought: {step.thought}")
    if step.action:
        arguments = json.dumps(step.action.arguments, ensure_ascii=False)
        lines += [f"Action: {step.action.tool}", f"Action Input: {arguments}"]
    if step.observation:
        mark = "[error] " if step.observation.is_error else ""
        lines.append(f"Observation: {mark}{step.observation.output}")
    if step.parse_error:
        lines.append(f"Observation: [error] {step.parse_error}")
    if step.final_answer is not None:
        lines.append(f"Final Answer: {step.final_answer}")
    return "\n".join(lines)
