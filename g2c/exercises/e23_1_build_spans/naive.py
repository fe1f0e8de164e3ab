"""Log a real run in which two threads look something up side by side and one of them fails. Build
spans from its events."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.evaluation.core.spans import Span
from g2c.tracing import Event, EventLog, logging_to, traced

QUESTION = "Does a line of a log tell you which worker wrote the next one?"


def build_spans(events: Iterable[Event], *, with_text: bool = False) -> tuple[Span, ...]:
    begun: list[Event] = []
    spans = []
    for line in events:
        if line.what == "begin":
            begun.append(line)
            continue
        begin = begun.pop()
        parent = begun[-1].id if begun else None
        spans.append(Span(begin.id, parent, begin.kind, begin.name, begin.at, line.at, line.error))
    return tuple(spans)


def log_two_workers() -> tuple[Event, ...]:
    """The events of an agent that hands a question to two threads. Oslo begins before Bergen ends,
    and fails after that."""
    events: list[Event] = []
    oslo_began, bergen_ended = threading.Event(), threading.Event()

    def bergen() -> None:
        with traced("tool", "Bergen"):
            oslo_began.wait()
        bergen_ended.set()

    def oslo() -> None:
        with suppress(LookupError), traced("tool", "Oslo"):
            oslo_began.set()
            bergen_ended.wait()
            raise LookupError

    with logging_to(EventLog(events.append)), traced("agent", "asker"):
        threads = [threading.Thread(target=bergen), threading.Thread(target=oslo)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return tuple(events)


def show(folder: Path) -> Seen:
    events = log_two_workers()
    for event in events:
        said = event.name or event.error or "well"
        yield f"worker {event.worker}", f"{event.what} {event.id}: {said}"
    spans = build_spans(events)
    names = {span.id: span.name for span in spans}
    yield RESULT, "; ".join(in_words(span, names) for span in spans)
    yield WANTED, "asker well; Bergen below asker, well; Oslo below asker, LookupError"


def in_words(span: Span, names: dict[int, str]) -> str:
    below = f" below {names[span.parent]}," if span.parent else ""
    return f"{span.name}{below} {span.error or 'well'}"
