"""22.5 with texts from the longest to the shortest: the first that fits is taken.

A generator shows, from top to bottom, what is given up and in which order. It costs nothing: a text
is made only when the one before did not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
    outcome = _OUTCOMES.get(state.status)
    if outcome is None:
        raise LoopError("The loop is still running; it can be summed up when it has ended.")
    newest = {tick.tick: tick for tick in ticks if tick.tick <= state.tick}
    transcripts = _from_long_to_short(tick_texts(list(newest.values())), max_chars)
    return SessionSummary(
        goal=state.goal,
        outcome=outcome,
        status=state.status,
        ticks=state.tick,
        spent=state.spent,
        transcript=next(text for text in transcripts if len(text) <= max_chars),
        started=state.started,
        ended=state.updated,
    )


def _from_long_to_short(texts: Sequence[str], max_chars: int) -> Iterator[str]:
    yield "\n\n".join(texts)
    clipped = [clip(text, max_chars // 4) for text in texts]
    yield "\n\n".join(clipped)
    for count in range(1, len(clipped)):
        yield "\n\n".join([clipped[0], left_out(count), *clipped[1 + count :]])
