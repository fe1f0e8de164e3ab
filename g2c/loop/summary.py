"""A loop that has ended, as it is remembered: how it came out, and what was done, within a bound.

The idea to take away: what a loop was is more than its last words. How it began says what it took
the task for, how it ended says what came of that, and the errors say what to do better; so a bound
takes from the middle, and says that it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from itertools import dropwhile, pairwise, zip_longest

from g2c.exercise import exercise
from g2c.loop.base import LoopState, SessionSummary, TickRecord
from g2c.memory import MemoryStore, Topic

MAX_CHARS = 6_000
MAX_TOPIC_CHARS = 20_000
"""The most of a transcript that becomes a topic; with all else there it stays below the limit of
25,000 bytes, where the characters are ASCII."""

CUT = "[...]"


def tick_texts(ticks: Sequence[TickRecord]) -> list[str]:
    r"""Each tick as it is told in a transcript, errors included.

    Of a prompt it has the lines that differ from those of the tick before; of the first one
    nothing, since goal and configuration are kept elsewhere.

    >>> from datetime import datetime
    >>> now = datetime(2026, 4, 21, tzinfo=UTC)
    >>> one = TickRecord(1, now, "continue", "Goal: tea\nState: cold", "Hot.", actions=("boil",))
    >>> two = TickRecord(2, now, "failed", "Goal: tea\nState: hot", error="No leaves.")
    >>> print("\n\n".join(tick_texts([one, two])))
    Tick 1 (continue)
    Action: boil
    Answer: Hot.
    <BLANKLINE>
    Tick 2 (failed)
    Prompt, from where it is new: State: hot
    Error: No leaves.
    """
    prompts = [ticks[0].prompt, *(tick.prompt for tick in ticks)] if ticks else []
    return [
        _tick_text(tick, _new_in(prompt, before))
        for tick, (before, prompt) in zip(ticks, pairwise(prompts), strict=True)
    ]


def _tick_text(tick: TickRecord, new_in_prompt: str) -> str:
    said = [
        ("Prompt, from where it is new", new_in_prompt),
        *(("Action", action) for action in tick.actions),
        ("Answer", tick.answer),
        ("Error", tick.error),
    ]
    lines = [f"{what}: {text.strip()}" for what, text in said if text.strip()]
    return "\n".join([f"Tick {tick.tick} ({tick.outcome})", *lines])


def _new_in(prompt: str, before: str) -> str:
    """`prompt` from the first line on that differs from `before`."""
    lines = zip_longest(prompt.split("\n"), before.split("\n"))
    new = dropwhile(lambda line: line[0] == line[1], lines)
    return "\n".join(line for line, _ in new if line is not None)


def clip(text: str, max_chars: int) -> str:
    """The start and the end of `text`, in at most `max_chars` characters (at least 10), with a mark
    where something is left out; all of it where it fits.

    >>> clip("from the very start to the end", 20)
    'from the[...]the end'
    """
    if len(text) <= max_chars:
        return text
    kept = max_chars - len(CUT)
    return f"{text[: (kept + 1) // 2]}{CUT}{text[len(text) - kept // 2 :]}"


def left_out(count: int) -> str:
    """What stands in a transcript in place of so many ticks.

    >>> left_out(1), left_out(12)
    ('[1 tick left out]', '[12 ticks left out]')
    """
    return f"[{count} tick{'' if count == 1 else 's'} left out]"


@exercise("22.5")
def summarize(
    state: LoopState, ticks: Sequence[TickRecord], max_chars: int = MAX_CHARS
) -> SessionSummary:
    """Sum up the loop that has ended with `state`, of the log `ticks` in the log's order.

    You have, above: `tick_texts(ticks)`, `clip(text, max_chars)` and `left_out(count)`.

    The outcome is `success` for a loop that is done, `abandoned` for one that was stopped, and
    `failure` for any other. It began when the state says, and ended with the state's last update;
    goal, ticks and what was spent are the state's, too.

    In the log a number may stand more than once, since a tick that was not committed runs again:
    the last record of a number counts. A number above the state's was never committed, and does not
    count.

    The transcript has the texts of the ticks that count, whatever came of them, in their order,
    with one blank line between two. It has at most `max_chars` characters (at least 100), marks
    included:

    - Where all texts fit, they stand there in full.
    - Where they do not, each is clipped to a quarter of `max_chars`, rounded down.
    - Where that is still too long, ticks after the first are left out, the oldest ones, no more
      than it takes; `left_out` stands in their place, once. The first and the last always stay.

    Raises:
        LoopError: the loop is still running.

    >>> from datetime import datetime
    >>> from g2c.loop.base import Budget, Spent
    >>> now = datetime(2026, 4, 21, tzinfo=UTC)
    >>> state = LoopState("Tea.", "stopped", 1, Budget(), Spent(1, 90, 2.5), now, now)
    >>> summary = summarize(state, [TickRecord(1, now, "continue", answer="Water is hot.")])
    >>> summary.outcome, summary.transcript
    ('abandoned', 'Tick 1 (continue)\\nAnswer: Water is hot.')
    """
    raise NotImplementedError


def consolidate_session(store: MemoryStore, summary: SessionSummary) -> Topic:
    """Keep the loop in the agent's memory, as a topic that recall finds, and return that.

    The topic is named after the loop's start: to do it again, as after a crash, changes nothing.

    Raises:
        OSError: the memory cannot be written.
    """
    started = summary.started.astimezone(UTC)
    spent = summary.spent
    goal = clip(" ".join(summary.goal.split()), 300)
    facts = (
        f"On {started:%Y-%m-%d} a loop had this goal: {goal}\n"
        f"It ended in {summary.outcome} ({summary.status}), after {summary.ticks} ticks, "
        f"{spent.tokens:,} tokens and {spent.seconds:,.0f} seconds."
    )
    most = MAX_TOPIC_CHARS
    if len(summary.transcript.encode("utf-8", "backslashreplace")) > most:
        most //= 6  # bytes that a character can take, where it is written as \udc80
    return store.write_topic(
        f"Loop {started:%Y-%m-%d %H:%M:%S.%f}",
        f"{summary.outcome}: {clip(goal, 100)}",
        f"{facts}\n\n{clip(summary.transcript, most)}",
        type="episode",
    )
