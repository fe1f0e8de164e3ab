"""24.1: find the pointers in the task alone, and mark whatever comes after a line's end in a step.

The task is searched before anything is added below it, so a `[9]` in a tool's result is never
followed. The steps come once and in the order of their numbers, because the numbers are a set of
integers. Call and observation are marked together: the step's first line is the only one that
begins without a mark. The arguments are the model's, and may contain a U+2028, which JSON does not
escape. It costs one pass over the task and over each step that it points at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from g2c.agent.core.types import AgentStep

POINTER = re.compile(r"\[([0-9]+)\]")
LINE_END = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


def write_brief(task: str, steps: Sequence[AgentStep], max_chars: int) -> str:
    numbers = sorted({int(number) for number in POINTER.findall(task)})
    shown = [_shown(number, steps) for number in numbers]
    brief = "\n".join([task, "", *shown] if shown else [task])
    if (over := len(brief) - max_chars) > 0:
        raise ValueError(f"The brief is {over} characters too long. Point at less, or say less.")
    return brief


def _shown(number: int, steps: Sequence[AgentStep]) -> str:
    if not 1 <= number <= len(steps):
        raise ValueError(f"The task points at [{number}], and there are {len(steps)} steps.")
    step = steps[number - 1]
    if step.action is None or step.observation is None:
        raise ValueError(f"The task points at [{number}], and no tool gave anything there.")
    arguments = json.dumps(step.action.arguments, ensure_ascii=False)
    text = f"[{number}] {step.action.tool} {arguments}\n{step.observation.text}"
    return LINE_END.sub(r"\g<0>> ", text)
