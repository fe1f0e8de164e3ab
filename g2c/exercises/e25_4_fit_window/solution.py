"""25.4: replay the run, with two queues of the parts that may be cut next.

A part enters its queue when it is no longer the newest: an output to be shortened, its call to be
dropped. So parts that must stay whole are in no queue, and nothing has to be skipped. Outputs come
in order. Calls are answered in any order, so theirs is a heap. When a call is dropped, all outputs
are already short. Each part costs a push and a pop: n log n in all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush

from g2c.guard.core.window import Shown, WindowPart


def fit_window(parts: Sequence[WindowPart], budget: int) -> tuple[Shown, ...]:
    shown: list[Shown] = []
    outputs: deque[int] = deque()
    answered: list[tuple[int, int]] = []
    total = 0
    for place, part in enumerate(parts):
        shown.append("whole")
        total += part.whole
        if total > budget:
            while outputs and 2 * total > budget:
                output = outputs.popleft()
                shown[output] = "short"
                total -= parts[output].whole - parts[output].short
            while answered and 2 * total > budget:
                call, output = heappop(answered)
                shown[call] = shown[output] = "dropped"
                total -= parts[call].whole + parts[output].short
            if total > budget:
                raise ValueError(f"With part {place} the prompt has {total} tokens, not {budget}.")
        if part.call is not None:
            outputs.append(place)
            heappush(answered, (part.call, place))
    return tuple(shown)
