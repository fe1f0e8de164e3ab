"""Page 23.1: a log of two workers, and the tree that it means."""

from drawing import Kind, Picture

from g2c.exercises.e23_1_build_spans.naive import log_two_workers
from g2c.exercises.e23_1_build_spans.solution import build_spans

COLORS: tuple[Kind, ...] = ("yours", "program", "model")


def draw() -> Picture:
    events = log_two_workers()
    spans = {span.id: span for span in build_spans(events)}
    p = Picture(
        44 + 32 * len(events),
        "A log, and its spans",
        "On the left the six lines of a log in the order of time, of three workers: asker begins, "
        "Bergen begins, Oslo begins, Bergen ends well, Oslo ends with a LookupError, asker ends "
        "well. On the right three spans: asker, and below it, side by side, Bergen and Oslo.",
    )
    p.text(20, 26, "the log, line by line", "head")
    p.text(320, 26, "the spans", "head")
    rows = {event.id: [] for event in events}
    for number, event in enumerate(events):
        y = 40 + 32 * number
        rows[event.id].append(y)
        name = spans[event.id].name
        p.box(20, y, 270, 26, kind=COLORS[event.worker])
        p.text(30, y + 18, f"worker {event.worker}   {event.what} {name}", "code")
        if event.error:
            p.text(282, y + 18, "error", "soft end")
    for number, (id, (top, bottom)) in enumerate(rows.items()):
        x = 320 + 70 * number
        kind: Kind = "bad" if spans[id].error else "good"
        p.box(x, top, 62, bottom + 26 - top, kind=kind)
        p.text(x + 31, (top + bottom) / 2 + 18, spans[id].name, "middle")
    return p
