"""Page 20.1: a line that a killed process has left, and what the next writer makes of it."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("", "plain", "A first version"),
    ('{..., "content": "tea"}', "good", "a turn"),
    ('{..., "con{..., "no nuts"}', "bad", "no turn: a good one is lost\nwith the half one"),
    ("", "plain", "As it should be"),
    ('{..., "content": "tea"}', "good", "a turn"),
    ('{..., "con', "bad", "half a turn,\npromised to nobody"),
    ('{..., "content": "no nuts"}', "good", "a turn"),
)


def draw() -> Picture:
    return listing(
        "A torn line, and the turn behind it",
        "A process was killed while it wrote a line. A first version of append glues the "
        "next turn to the half line, so that nobody can read either. In a log as it "
        "should be, the next turn has a line of its own, and only the half line is lost.",
        ("the file", "what a reader finds"),
        ROWS,
    )
