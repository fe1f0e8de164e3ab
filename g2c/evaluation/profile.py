"""A profile of a run's time: each kind of work's own time, and how much of it was waited for.

The idea to take away: a long span need not be worth making faster. Its time may be that of its
children, and perhaps nobody waited for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.evaluation.core.spans import Row, Span
from g2c.exercise import exercise


@exercise("23.2")
def profile(spans: Sequence[Span]) -> tuple[Row, ...]:
    """A row for each kind: the one that was waited for longest first, then in the order of kinds.

    - `self_s`: how long spans of this kind lasted without anything directly below them. Two things
      side by side below a span are taken off once.
    - `critical_s`: the part of it on the critical path. Looking back from a span's end, it waited
      for the child that ended last, until that began; before that, for the child that had ended
      last by then. In between it waited for itself. So all rows add up to the seconds of the spans
      without a parent.
    - Tokens are added up; unknown ones count as 0.
    - Spans may be thousands deep.

    >>> run = Span(1, None, "agent", "Agent", 0.0, 10.0)
    >>> [(row.kind, row.self_s) for row in profile([run, Span(2, 1, "tool", "clock", 2.0, 9.0)])]
    [('tool', 7.0), ('agent', 3.0)]
    """
    raise NotImplementedError
