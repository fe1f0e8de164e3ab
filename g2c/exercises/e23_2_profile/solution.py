"""23.2: own time is what no child covers; the critical path is walked backwards from each end.

The walk is that of CRISP (Zhang et al., USENIX ATC 2022). A child that was still running when the
awaited one began is off the path, because nobody awaited its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from g2c.evaluation.core.spans import Row, Span


def profile(spans: Sequence[Span]) -> tuple[Row, ...]:
    below: dict[int | None, list[Span]] = defaultdict(list)
    for span in spans:
        below[span.parent].append(span)
    own: dict[str, float] = defaultdict(float)
    critical: dict[str, float] = defaultdict(float)
    for span in spans:
        covered, until = 0.0, span.start
        for child in sorted(below[span.id], key=lambda child: child.start):
            start, end = max(child.start, until), min(child.end, span.end)
            covered += max(0.0, end - start)
            until = max(until, end)
        own[span.kind] += span.seconds - covered
    waited = list(below[None])
    while waited:
        span = waited.pop()
        until = span.end
        for child in sorted(below[span.id], key=lambda child: child.end, reverse=True):
            if child.end <= until:
                critical[span.kind] += until - child.end
                until = child.start
                waited.append(child)
        critical[span.kind] += until - span.start
    rows = [
        Row(
            kind,
            sum(span.kind == kind for span in spans),
            own[kind],
            critical[kind],
            sum(span.input_tokens or 0 for span in spans if span.kind == kind),
            sum(span.output_tokens or 0 for span in spans if span.kind == kind),
        )
        for kind in sorted(own)
    ]
    return tuple(sorted(rows, key=lambda row: -row.critical_s))
