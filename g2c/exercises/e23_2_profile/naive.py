"""Add up how long each kind of work took in a run with two searches side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.evaluation.core.spans import Row, Span

QUESTION = "The run took ten seconds. Where do the others come from?"


def profile(spans: Sequence[Span]) -> tuple[Row, ...]:
    kinds = {span.kind for span in spans}
    rows = []
    for kind in kinds:
        own = [span for span in spans if span.kind == kind]
        seconds = sum(span.end - span.start for span in own)
        read = sum(span.input_tokens or 0 for span in own)
        written = sum(span.output_tokens or 0 for span in own)
        rows.append(Row(kind, len(own), seconds, seconds, read, written))
    rows.sort(key=lambda row: (-row.critical_s, row.kind))
    return tuple(rows)


RUN = (
    Span(1, None, "agent", "asker", 0.0, 10.0),
    Span(2, 1, "model", "plans", 0.0, 3.0, input_tokens=900, output_tokens=40),
    Span(3, 1, "tool", "search, fast", 3.0, 5.0),
    Span(4, 1, "tool", "search, slow", 3.0, 9.0),
    Span(5, 1, "model", "answers", 9.0, 10.0, input_tokens=950, output_tokens=20),
)


def show(folder: Path) -> Seen:
    for span in RUN:
        yield span.kind, f"{span.name}: {span.start:g} to {span.end:g} s"
    rows = profile(RUN)
    total = sum(row.critical_s for row in rows)
    parts = ", ".join(f"{row.kind} {row.critical_s:g} s" for row in rows)
    yield RESULT, f"{parts}: {total:g} s of a run of 10"
    yield WANTED, "tool 6 s, model 4 s, agent 0 s: 10 s of a run of 10"
