"""Page 21.1: what a critic may write, and whether it is an approval."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("APPROVE", "good", "APPROVE"),
    ("DO NOT APPROVE", "bad", "REVISE"),
    ("APPROVE once the bug is fixed", "bad", "REVISE: it has a condition"),
    ("APPROVE or REVISE", "bad", "REVISE: the form was copied"),
    ("(nothing)", "bad", "REVISE: it is missing"),
)


def draw() -> Picture:
    return listing(
        "A gate that fails closed",
        "Five texts of a critic. Only the plain word APPROVE is an approval. A negation, "
        "a condition, the form copied with both words, and a verdict that is missing all "
        "count as REVISE, and the reason is noted.",
        ("RECOMMENDATION:", "what it counts for"),
        ROWS,
        "A good draft sent back costs a round. A bad one let through is never noticed.",
    )
