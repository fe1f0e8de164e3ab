"""23.1 with the log split by worker first: the events of one worker nest.

It is easier to think about, since no line of another worker comes in between. It costs a copy of
the log, and no span is ready before the log ends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from g2c.evaluation.core.spans import UNFINISHED, Span
from g2c.tracing import Event


def build_spans(events: Iterable[Event], *, with_text: bool = False) -> tuple[Span, ...]:
    log = list(events)
    begun = [event.id for event in log if event.what == "begin"]
    by_worker: dict[int, list[Event]] = defaultdict(list)
    for event in log:
        by_worker[event.worker].append(event)
    spans: dict[int, Span] = {}
    for own in by_worker.values():
        path: list[int] = []
        for event in own:
            if event.what == "begin":
                above = path[-1] if path else begun[0]
                parent = None if event.id == begun[0] else above
                text = event.text if with_text else ""
                spans[event.id] = Span(
                    event.id, parent, event.kind, event.name, event.at, log[-1].at, UNFINISHED,
                    input=text,
                )  # fmt: skip
                path.append(event.id)
            elif event.id in set(path):
                while (id := path.pop()) != event.id:
                    spans[id] = replace(spans[id], end=event.at)
                spans[id] = replace(
                    spans[id],
                    end=event.at,
                    error=event.error,
                    outcome=event.outcome,
                    input_tokens=event.input_tokens,
                    output_tokens=event.output_tokens,
                    output=event.text if with_text else "",
                )
    return tuple(spans[id] for id in begun)
