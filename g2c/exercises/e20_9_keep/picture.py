"""Page 20.9: turns of a month, and which of them next month asks for."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("Just for today: no newsletter.", "bad", "over tomorrow"),
    ("The newsletter is on Thursday.", "bad", "out of date: it costs points"),
    ("No, on Monday.", "good", "what holds"),
    ("The cellar is flooded!", "quiet", "loud for a day"),
    ("The printer's port, again", "good", "it comes up each week"),
    ("25 lines that a tool printed", "bad", "they take the whole budget"),
)


def draw() -> Picture:
    return listing(
        "What is asked next month",
        "Six turns of a month. A wish for just today is over tomorrow, and a decision "
        "that was corrected is out of date. The correction, and what comes up each week, "
        "will be asked for. What was loud for one day will not, and a long output takes "
        "the place of many turns.",
        ("a turn", "next month"),
        ROWS,
    )
