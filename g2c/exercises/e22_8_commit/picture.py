"""Page 22.8: a machine that dies after it counted and before it said so."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("a delivery of 30 comes", "plain", "0"),
    ("it is counted", "program", "30"),
    ("the machine dies", "bad", "30, and not acknowledged"),
    ("the same delivery comes again", "plain", "30"),
    ("it is counted, and acknowledged", "program", "60"),
    ("another delivery of 30", "plain", "60"),
    ("it is counted, and acknowledged", "bad", "90: right would be 60"),
)


def draw() -> Picture:
    return listing(
        "Counted twice",
        "Two deliveries of 30 are to be counted. The machine writes a total of 30 and "
        "dies before it acknowledges the delivery. The delivery comes again and is "
        "counted again. After the second delivery the total is 90, and the right one is "
        "60.",
        ("what happens", "what is on the disk"),
        ROWS,
    )
