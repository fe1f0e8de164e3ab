"""Page 22.3: what is written, and which write counts."""

from drawing import Kind, Picture

WRITES: tuple[tuple[str, str, Kind], ...] = (
    ("ticks.jsonl", "a line for the tick", "program"),
    ("conversation.json", "what was said", "program"),
    ("state.md, replaced", "the tick counts from here", "good"),
    ("the snapshot", "one more to go back to", "program"),
    ("the healer's note", "removed: it was read", "program"),
)


def draw() -> Picture:
    p = Picture(
        470,
        "A tick, and the order of its writes",
        "A tick reads the state, runs a fresh agent, and then writes in this order: a line in "
        "ticks.jsonl, conversation.json, state.md, the snapshot; then the healer's note is "
        "removed. Replacing state.md is the commit. After a crash before it, the tick runs again "
        "under its number. After a crash behind it, the tick counts, and the rest can be left "
        "undone.",
    )
    p.box(20, 20, 240, 54, "a fresh agent", "reads the state, and works", kind="model")
    for n, (what, why, kind) in enumerate(WRITES):
        y = 108 + n * 70
        p.arrow((140, y - (34 if n == 0 else 20)), (140, y))
        p.box(20, y, 240, 50, what, why, kind=kind)
    commit = 108 + 2 * 70 + 50 + 10
    p.line((270, commit), (520, commit), dashed=True)
    p.text(282, 168, "a crash up here:", "head")
    p.rows(
        282, 190, ["the tick runs again, under its", "number; of two lines the last", "one is read"]
    )
    p.text(282, commit - 8, "the commit", "soft")
    p.text(282, commit + 32, "a crash down here:", "head")
    p.rows(282, commit + 54, ["the tick counts; what is not", "written can be left undone"])
    return p
