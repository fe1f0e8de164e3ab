"""24.1 step by step: is the step named by the task?

Each named step is there once and in order, without a sort. All other pointers in the task are
errors. It costs a search through the task for each step, so a supervisor of a thousand steps reads
its task a thousand times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from g2c.agent.core.types import AgentStep


def write_brief(task: str, steps: Sequence[AgentStep], max_chars: int) -> str:
    named = [n for n in range(1, len(steps) + 1) if f"[{n}]" in task]
    for text in re.findall(r"\[[0-9]+\]", task):
        if text not in {f"[{n}]" for n in named}:
            raise ValueError(f"{text} is none of the {len(steps)} steps, which count from 1.")
    parts = [task, *(["\n"] if named else [])]
    for n in named:
        parts += ["\n", *_lines_of(n, steps[n - 1])]
    brief = "".join(parts)
    if len(brief) > max_chars:
        raise ValueError(f"The brief has {len(brief) - max_chars} characters more than it may.")
    return brief


def _lines_of(number: int, step: AgentStep) -> Iterator[str]:
    call, gave = step.action, step.observation
    if not (call and gave):
        raise ValueError(f"The step [{number}] gave nothing that a worker could read.")
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    # After a final newline the dot is a line of its own, so that an empty last line is not lost.
    text = f"[{number}] {call.tool} {arguments}\n{gave.text}."
    first, *others = text.splitlines(keepends=True)
    *before, last = others
    yield first
    yield from (f"> {line}" for line in before)
    yield f"> {last[:-1]}"
