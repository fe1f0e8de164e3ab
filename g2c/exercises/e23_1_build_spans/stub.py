"""From a log to a trace: which work was part of which, how long it took, and how it ended.

A log has lines, and several threads write into it in turns. The idea to take away: a span has an
end and a parent; a line has neither.
"""

from __future__ import annotations

from collections.abc import Iterable

from g2c.evaluation.core.spans import Span
from g2c.exercise import exercise
from g2c.tracing import Event


@exercise("23.1")
def build_spans(events: Iterable[Event], *, with_text: bool = False) -> tuple[Span, ...]:
    """Return the spans of a run, in the order in which they began.

    `events` are in the order of time. A worker ends what it began.

    - A span's parent is the innermost open span of its worker. If there is none, it is the log's
      first span, which has no parent.
    - Error, outcome and tokens come from the span's own end, and from no other.
    - A span without an end has the error `UNFINISHED`. It lasts until its parent in the same worker
      ends, or else until the log's last event.
    - Ignore an end event without a beginning.
    - `input` is the beginning's text and `output` the end's; both are empty unless `with_text`.

    >>> log = [Event(5.0, 0, 1, "begin", "tool", "clock"), Event(7.5, 0, 1, "end", error="late")]
    >>> [(span.name, span.seconds, span.error) for span in build_spans(log)]
    [('clock', 2.5, 'late')]
    """
    raise NotImplementedError
