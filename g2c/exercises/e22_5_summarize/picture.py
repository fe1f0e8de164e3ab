"""Page 22.5: what a bounded summary keeps of thirty ticks."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("", "plain", "A first version"),
    ("the first ticks", "bad", "gone, and nothing says so"),
    ("the last ticks", "good", "kept"),
    ("", "plain", "As it should be"),
    ("the first ticks", "good", "how it understood its task"),
    ("[so much is left out]", "quiet", "the text says how much"),
    ("the last ticks", "good", "how it ended"),
)


def draw() -> Picture:
    return listing(
        "What a bound takes away",
        "A summary of thirty ticks that is too long. A first version keeps the end, and "
        "nothing says that the beginning is gone. As it should be, the beginning and the "
        "end are kept, what is left out comes from the middle, and the text says how much "
        "that is.",
        ("thirty ticks, too long", "what is kept"),
        ROWS,
    )
