"""Page 22.9: what a failure says about what was done."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("refused", "bad", "it was not done, nor will it be"),
    ("busy", "good", "it was not done"),
    ("lost", "quiet", "it was done, or it was not"),
    ("broken", "quiet", "it was done, or it was not"),
)


def draw() -> Picture:
    return listing(
        "What a failure says",
        "A call that was refused was not done, and never will be. A call to a busy service was not "
        "done. A call whose answer was lost, or whose service broke, was done, or it was not.",
        ("the call was", "and so"),
        ROWS,
    )
