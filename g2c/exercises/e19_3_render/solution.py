"""19.3: each block is written once and kept; rendering joins the blocks.

Writing all blocks again at each step gives the same text, but a longer run makes it slower. The
limit only chooses among finished blocks and never changes one.
"""

from __future__ import annotations

import json

from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.agent.core.types import AgentStep, Observation

_BETWEEN = "\n\n"
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def render(pad: BaseScratchpad) -> str:
    pad.blocks.extend(_block(step) for step in pad.steps[len(pad.blocks) :])
    if pad.max_chars is None or not pad.blocks:
        return _BETWEEN.join(pad.blocks)
    first = len(pad.blocks) - 1
    size = len(pad.blocks[first])
    while first > 0:
        size += len(_BETWEEN) + len(pad.blocks[first - 1])
        if size > pad.max_chars:
            break
        first -= 1
    return _BETWEEN.join(pad.blocks[first:])


def _block(step: AgentStep) -> str:
    lines = []
    if step.thought:
        lines.append(f"Thought: {step.thought}")
    if step.action:
        arguments = _ENCODER.encode(step.action.arguments)
        lines += [f"Action: {step.action.tool}", f"Action Input: {arguments}"]
    if step.observation:
        lines.append(f"Observation: {step.observation.text}")
    if step.parse_error:
        unread = Observation(step.parse_error, is_error=True)
        lines.append(f"Observation: {unread.text}")
    if step.final_answer is not None:
        lines.append(f"Final Answer: {step.final_answer}")
    return "\n".join(lines)
