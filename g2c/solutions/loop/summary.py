"""22.5: say how it came out, then fit what was done into the bound, a coarser step at a time.

A dict keeps a key where it first stood and the value that came last, which is how a log with
repeated numbers is to be read. The mark is written before the length is asked, because the mark
itself takes room, and more of it the more is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2c.loop.base import LoopError, SessionSummary
from g2c.loop.summary import MAX_CHARS, clip, left_out, tick_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from g2c.loop.base import LoopState, LoopStatus, Outcome, TickRecord

_OUTCOMES: Mapping[LoopStatus, Outcome] = {
    "done": "success",
    "stopped": "abandoned",
    "budget_exceeded": "failure",
    "failed": "failure",
}


def summarize(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    if state.status not in _OUTCOMES:
        raise LoopError("The loop is still running; it can be summed up when it has ended.")
    committed = {tick.tick: tick for tick in ticks if tick.tick <= state.tick}
    return SessionSummary(
        goal=state.goal,
        outcome=_OUTCOMES[state.status],
        status=state.status,
        ticks=state.tick,
        spent=state.spent,
        transcript=_within(tick_texts(list(committed.values())), max_chars),
        started=state.started,
        ended=state.updated,
    )


def _within(texts: list[str], max_chars: int) -> str:
    transcript = "\n\n".join(texts)
    if len(transcript) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
        transcript = "\n\n".join(texts)
    count = 0
    while len(transcript) > max_chars:
        count += 1
        transcript = "\n\n".join([texts[0], left_out(count), *texts[1 + count :]])
    return transcript
