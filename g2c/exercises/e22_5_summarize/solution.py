"""22.5: say how the loop ended, then shorten the transcript step by step until it fits.

A dict keeps the first position of a key and its last value. That is the rule for a log with
repeated numbers. The mark for what is left out is added before the length is checked, because the
mark needs room, too, and more room the more is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2c.loop.core.types import (
    LoopError,
    LoopState,
    LoopStatus,
    SessionOutcome,
    SessionSummary,
    TickRecord,
)
from g2c.loop.core.words import MAX_CHARS, clip, left_out, tick_texts

_OUTCOMES: Mapping[LoopStatus, SessionOutcome] = {
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
