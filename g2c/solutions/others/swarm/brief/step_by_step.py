"""24.1 from the steps' side: each is asked whether the task names it.

The order and "once" come by themselves, and nothing is sorted. What points at no step is what is
left of the task's pointers. It costs a search through the task for each step, so a supervisor of a
thousand steps reads its task a thousand times.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from g2c.agent.provided.types import AgentStep


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
    # The dot is a line of its own after the last line's end, so that an empty last line is seen.
    text = f"[{number}] {call.tool} {arguments}\n{gave.text}."
    first, *others = text.splitlines(keepends=True)
    *before, last = others
    yield first
    yield from (f"> {line}" for line in before)
    yield f"> {last[:-1]}"
