"""Page 20.2: the newest turns are read from the end of the newest file."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("", "plain", "2026-04-21.jsonl"),
    ("... a million lines ...", "quiet", "never read"),
    ("a turn", "good", "third"),
    ("a turn", "good", "second"),
    ("", "plain", "2026-04-22.jsonl"),
    ("a turn", "good", "first: it was said last"),
)


def draw() -> Picture:
    return listing(
        "Reading from the end",
        "Two files, of 21 and 22 April. Three turns are wanted. The one turn of 22 April "
        "is read first, then the last two of 21 April. What stands before them is never "
        "read.",
        ("three turns are wanted", "what is read"),
        ROWS,
    )
