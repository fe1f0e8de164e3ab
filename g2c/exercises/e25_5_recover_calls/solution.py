"""25.5: for each call, keep the line that decides about it.

A `Began` replaces any earlier line: it was written before the call was repeated, and nobody has
looked since. An `Ended` is final. A dict keeps the calls in the order in which they first began; a
new value does not move a key. It needs one pass over the journal, and memory for one line a call.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from g2c.guard.core.unanswered import Began, Ended, JournalLine, Recovery, Told


def recover_calls(
    journal: Sequence[JournalLine], repeatable: Collection[str]
) -> tuple[Recovery, ...]:
    tools: dict[str, str] = {}
    last: dict[str, JournalLine] = {}
    for line in journal:
        has_ended = isinstance(last.get(line.call), Ended)
        if isinstance(line, Began):
            if has_ended or tools.setdefault(line.call, line.tool) != line.tool:
                raise ValueError(f"The id {line.call!r} stands for two calls.")
        elif line.call not in tools:
            raise ValueError(f"There is {line}, and no such call has begun.")
        if not has_ended:
            last[line.call] = line
    may_repeat = frozenset(repeatable)
    found = []
    for call, line in last.items():
        if isinstance(line, Told):
            found.append(Recovery(call, "tell" if line.happened else "repeat"))
        elif isinstance(line, Began):
            found.append(Recovery(call, "repeat" if line.tool in may_repeat else "ask"))
    return tuple(found)
