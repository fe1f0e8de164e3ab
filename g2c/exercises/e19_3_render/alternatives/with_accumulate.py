"""19.3 with `itertools`: the sizes from the end, and how many of them fit.

The cap is two expressions, without an index that counts down. It costs the sum of all sizes, even
those of blocks that cannot fit any more. The reference stops at the first block that does not fit.
"""

from __future__ import annotations

import json
from itertools import accumulate

from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.agent.core.types import AgentStep, Observation


def render(pad: BaseScratchpad) -> str:
    for step in pad.steps[len(pad.blocks) :]:
        pad.blocks.append("\n".join(_lines(step)))
    count = len(pad.blocks)
    if pad.max_chars is not None:
        sizes = accumulate(len("\n\n") + len(block) for block in reversed(pad.blocks))
        fitting = sum(size - len("\n\n") <= pad.max_chars for size in sizes)
        count = max(fitting, 1)  # the newest block is always shown
    return "\n\n".join(pad.blocks[-count:])


def _lines(step: AgentStep) -> list[str]:
    unread = Observation(step.parse_error, is_error=True).text if step.parse_error else None
    parts = {
        "Thought": step.thought or None,
        "Action": step.action and step.action.tool,
        "Action Input": step.action and json.dumps(step.action.arguments, ensure_ascii=False),
        "Observation": step.observation.text if step.observation else unread,
        "Final Answer": step.final_answer,
    }
    return [f"{name}: {text}" for name, text in parts.items() if text is not None]
