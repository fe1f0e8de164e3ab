"""23.1 gone wrong."""

from dataclasses import replace
from functools import partial

from wrong_answers import wrong

from g2c.evaluation.core.spans import UNFINISHED
from g2c.exercises.e23_1_build_spans.solution import build_spans

wrong = partial(wrong, "23.1")

wrong(
    "The lines of a log nest, whoever wrote them.",
    ("stack, last = open_in[event.worker], event.at", "stack, last = open_in[0], event.at"),
)
wrong(
    "What has nothing open above it in its worker is a root of its own.",
    ("above = stack[-1].id if stack else first", "above = stack[-1].id if stack else None"),
)
wrong(
    "A span that never ended is not a span.",
    (
        "    for stack in open_in.values():\n        while stack:\n"
        "            close(stack, last, None)\n"
        "    return tuple(spans[id] for id in begun)",
        "    return tuple(spans[id] for id in begun if id in spans)",
    ),
)
wrong(
    "What never ended lasts until the end of the log, whatever it was part of.",
    (
        "            while stack[-1].id != event.id:\n"
        "                close(stack, event.at, None)\n"
        "            close(stack, event.at, event)\n",
        "            while stack[-1].id != event.id:\n                close(stack, ends, None)\n"
        "            close(stack, event.at, event)\n",
    ),
    (
        "    begun: list[int] = []\n",
        "    events = list(events)\n    ends = events[-1].at if events else 0.0\n"
        "    begun: list[int] = []\n",
    ),
)
wrong(
    "When the run is over, so is everything.",
    (
        "            close(stack, event.at, event)\n",
        "            close(stack, event.at, event)\n"
        "            if event.id == first:\n"
        "                for other in open_in.values():\n"
        "                    while other:\n"
        "                        close(other, event.at, None)\n",
    ),
)
wrong("The order is that of the ends.", ("for id in begun)", "for id in spans)"))
wrong(
    "Each end has a beginning.",
    ("        elif event.id in {opened.id for opened in stack}:\n", "        else:\n"),
)
wrong(
    "A trace is for oneself, so it has all texts.",
    ('begin.text if with_text else ""', "begin.text"),
    ('end.text if end and with_text else ""', 'end.text if end else ""'),
)
wrong(
    "A count that nobody told is 0.",
    ("end.input_tokens if end else None", "(end.input_tokens or 0) if end else None"),
)


@wrong()
def errors_go_up(events, *, with_text=False):  # type: ignore[no-untyped-def]
    """An error below a span is an error of the span."""
    spans = {span.id: span for span in build_spans(events, with_text=with_text)}
    for span in reversed(spans.values()):
        above = spans.get(span.parent)
        if above and span.error not in ("", UNFINISHED) and not above.error:
            spans[above.id] = replace(above, error=span.error)
    return tuple(spans.values())


@wrong()
def tokens_go_up(events, *, with_text=False):  # type: ignore[no-untyped-def]
    """A run's span says what the run cost."""
    spans = {span.id: span for span in build_spans(events, with_text=with_text)}
    for span in reversed(list(spans.values())):
        above = spans.get(span.parent)
        span = spans[span.id]
        if above and span.input_tokens is not None:
            spans[above.id] = replace(
                above,
                input_tokens=(above.input_tokens or 0) + span.input_tokens,
                output_tokens=(above.output_tokens or 0) + (span.output_tokens or 0),
            )
    return tuple(spans.values())
