"""22.5 gone wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from g2c.loop.base import (
    LoopError,
    LoopState,
    LoopStatus,
    Outcome,
    SessionSummary,
    TickRecord,
)
from g2c.loop.summary import MAX_CHARS, clip, left_out, tick_texts

from . import wrong

wrong = partial(wrong, "22.5")

OUTCOMES: Mapping[LoopStatus, Outcome] = {
    "done": "success",
    "stopped": "abandoned",
    "budget_exceeded": "failure",
    "failed": "failure",
}


def summary_of(
    state: LoopState, transcript: str, outcomes: Mapping[LoopStatus, Outcome] = OUTCOMES
) -> SessionSummary:
    """The summary with this transcript."""
    if state.status not in outcomes:
        raise LoopError("the loop is running")
    return SessionSummary(
        state.goal,
        outcomes[state.status],
        state.status,
        state.tick,
        state.spent,
        transcript,
        state.started,
        state.updated,
    )


def committed(state: LoopState, ticks: Sequence[TickRecord]) -> list[TickRecord]:
    return list({tick.tick: tick for tick in ticks if tick.tick <= state.tick}.values())


def shortened(texts: list[str], max_chars: int) -> str:
    """The texts as they are, or with as many left out after the first as it takes."""
    whole, count = "\n\n".join(texts), 0
    while len(whole) > max_chars:
        count += 1
        whole = "\n\n".join([texts[0], left_out(count), *texts[1 + count :]])
    return whole


def within(texts: list[str], max_chars: int) -> str:
    if len("\n\n".join(texts)) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
    return shortened(texts, max_chars)


def told(state: LoopState, ticks: Sequence[TickRecord], max_chars: int) -> SessionSummary:
    return summary_of(state, within(tick_texts(ticks), max_chars))


@wrong(caught_by="test_each_status_has_its_outcome", says="who was stopped by a person")
def not_done_is_failed(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """What did not reach its goal has failed."""
    outcomes: Mapping[LoopStatus, Outcome] = {**OUTCOMES, "stopped": "failure"}
    return summary_of(state, within(tick_texts(committed(state, ticks)), max_chars), outcomes)


@wrong(caught_by="test_each_status_has_its_outcome", says="who used up the budget did not succeed")
def a_budget_is_a_stop(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A loop that runs out of its budget was cut off, and might have got there."""
    outcomes: Mapping[LoopStatus, Outcome] = {**OUTCOMES, "budget_exceeded": "abandoned"}
    return summary_of(state, within(tick_texts(committed(state, ticks)), max_chars), outcomes)


@wrong(
    caught_by="test_a_loop_that_runs_cannot_be_summed_up",
    says="nobody knows how a loop comes out that is running",
)
def running_is_not_done(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """All that is not done and was not stopped is a failure so far."""
    outcomes: Mapping[LoopStatus, Outcome] = {**OUTCOMES, "running": "failure"}
    return summary_of(state, within(tick_texts(committed(state, ticks)), max_chars), outcomes)


@wrong(caught_by="test_what_the_state_knows_is_the_states", says="the log may have been shortened")
def the_log_is_the_truth(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A loop has as many ticks as its log."""
    summary = told(state, committed(state, ticks), max_chars)
    return replace(summary, ticks=len(committed(state, ticks)))


@wrong(
    caught_by="test_it_lasted_from_its_start_to_its_last_update",
    says="it ended when its state was last updated",
)
def it_ended_with_its_last_tick(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A loop ends when its last tick does."""
    counted = committed(state, ticks)
    ended = counted[-1].ts if counted else state.updated
    return replace(told(state, counted, max_chars), ended=ended)


@wrong(
    caught_by="test_what_failed_is_told_too",
    says="a failed tick is what the next loop can learn most from",
)
def failures_are_noise(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A tick that failed did nothing, so there is nothing to tell."""
    done = [tick for tick in committed(state, ticks) if tick.outcome != "failed"]
    return told(state, done, max_chars)


@wrong(
    caught_by="test_of_a_number_that_stands_there_twice_the_last_counts",
    says="ran again under its number",
)
def first_come(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A number that is there already is a repetition."""
    firsts: dict[int, TickRecord] = {}
    for tick in ticks:
        if tick.tick <= state.tick:
            firsts.setdefault(tick.tick, tick)
    return told(state, list(firsts.values()), max_chars)


@wrong(
    caught_by="test_of_a_number_that_stands_there_twice_the_last_counts",
    says="what it was then is what happened",
)
def a_log_has_a_tick_a_line(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """Each record of the log is a tick."""
    return told(state, [tick for tick in ticks if tick.tick <= state.tick], max_chars)


@wrong(
    caught_by="test_a_tick_that_was_never_committed_does_not_count",
    says="tick 3 was logged and not committed",
)
def logged_is_done(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """What stands in the log took place."""
    return told(state, list({tick.tick: tick for tick in ticks}.values()), max_chars)


@wrong(caught_by="test_the_newest_ticks_stay", says="the newest stay")
def from_the_start(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A story is told from its beginning, for as far as there is room."""
    texts = tick_texts(committed(state, ticks))
    if len("\n\n".join(texts)) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
    whole, count = "\n\n".join(texts), 0
    while len(whole) > max_chars:
        count += 1
        whole = "\n\n".join([*texts[:-count], left_out(count)])
    return summary_of(state, whole)


@wrong(
    caught_by="test_the_first_tick_stays",
    says="the first tick says what the agent took the task for",
)
def only_the_end_matters(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """How it came out stands in the last ticks."""
    texts = tick_texts(committed(state, ticks))
    if len("\n\n".join(texts)) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
    whole, count = "\n\n".join(texts), 0
    while len(whole) > max_chars:
        count += 1
        whole = "\n\n".join([left_out(count), *texts[count:]])
    return summary_of(state, whole)


@wrong(caught_by="test_the_newest_ticks_stay", says="those after the first go")
def the_middle_goes(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """Beginning and end matter alike, so what goes is the middle."""
    texts = tick_texts(committed(state, ticks))
    if len("\n\n".join(texts)) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
    whole, count = "\n\n".join(texts), 0
    while len(whole) > max_chars:
        count += 1
        start = (len(texts) - count + 1) // 2
        whole = "\n\n".join([*texts[:start], left_out(count), *texts[start + count :]])
    return summary_of(state, whole)


@wrong(caught_by="test_the_bound_holds_with_the_mark", says="mark and blank lines included")
def the_mark_comes_on_top(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """The bound is for what the ticks say; the mark is the program's."""
    texts = tick_texts(committed(state, ticks))
    if len("\n\n".join(texts)) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
    whole, count = "\n\n".join(texts), 0
    while len("\n\n".join([texts[0], *texts[1 + count :]]) if texts else "") > max_chars:
        count += 1
        whole = "\n\n".join([texts[0], left_out(count), *texts[1 + count :]])
    return summary_of(state, whole)


@wrong(caught_by="test_what_fits_stands_there_in_full", says="not even of a long tick")
def a_quarter_for_each(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """No tick may take more than a quarter of the room."""
    texts = [clip(text, max_chars // 4) for text in tick_texts(committed(state, ticks))]
    return summary_of(state, shortened(texts, max_chars))


@wrong(caught_by="test_what_fits_stands_there_in_full", says="so nothing is left out")
def below_the_bound(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A bound is what a text stays below."""
    return told(state, committed(state, ticks), max_chars - 1)


@wrong(
    caught_by="test_where_it_is_too_long_each_tick_is_clipped_to_a_quarter",
    says="one long tick is clipped, and takes no other's room",
)
def leave_out_first(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """Ticks are left out until the rest fits, and only what still does not is clipped."""
    texts = tick_texts(committed(state, ticks))
    whole, count = "\n\n".join(texts), 0
    while len(whole) > max_chars and count < len(texts) - 2:
        count += 1
        whole = "\n\n".join([texts[0], left_out(count), *texts[1 + count :]])
    return summary_of(state, whole if len(whole) <= max_chars else within(texts, max_chars))


@wrong(caught_by="test_the_mark_says_how_many_are_missing", says="a gap that nobody sees")
def a_mark_for_each(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """What is left out is marked where it stood."""
    texts = tick_texts(committed(state, ticks))
    if len("\n\n".join(texts)) > max_chars:
        texts = [clip(text, max_chars // 4) for text in texts]
    whole, count = "\n\n".join(texts), 0
    while len(whole) > max_chars:
        count += 1
        whole = "\n\n".join([texts[0], "[...]", *texts[1 + count :]])
    return summary_of(state, whole)


@wrong(caught_by="test_a_loop_without_a_tick_has_an_empty_transcript", says="before its first tick")
def there_is_a_first_tick(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """A loop that has ended has a first tick and a last."""
    texts = tick_texts(committed(state, ticks))
    first, *others = texts
    return summary_of(state, within([first, *others], max_chars))
