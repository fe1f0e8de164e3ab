"""23.1: a stack for each worker; taking an entry off makes a span.

An end closes the spans that were left open above it, because an exception or a kill may have left
them. Entries that are still on a stack at the end of the log are closed there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from g2c.evaluation.core.spans import UNFINISHED, Span
from g2c.tracing import Event


def build_spans(events: Iterable[Event], *, with_text: bool = False) -> tuple[Span, ...]:
    open_in: dict[int, list[Event]] = defaultdict(list)
    spans: dict[int, Span] = {}

    def close(stack: list[Event], at: float, end: Event | None) -> None:
        begin = stack.pop()
        above = stack[-1].id if stack else first
        spans[begin.id] = Span(
            begin.id,
            None if begin.id == first else above,
            begin.kind,
            begin.name,
            begin.at,
            at,
            end.error if end else UNFINISHED,
            end.outcome if end else "",
            end.input_tokens if end else None,
            end.output_tokens if end else None,
            begin.text if with_text else "",
            end.text if end and with_text else "",
        )

    begun: list[int] = []
    last, first = 0.0, None
    for event in events:
        stack, last = open_in[event.worker], event.at
        if event.what == "begin":
            first = event.id if first is None else first
            begun.append(event.id)
            stack.append(event)
        elif event.id in {opened.id for opened in stack}:
            while stack[-1].id != event.id:
                close(stack, event.at, None)
            close(stack, event.at, event)
    for stack in open_in.values():
        while stack:
            close(stack, last, None)
    return tuple(spans[id] for id in begun)
