"""Page 20.3: most lines are searched as bytes, and few are parsed."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("block of bytes", "program", "it is searched as it lies"),
    ("line that matches", "model", "it is parsed: JSON costs\nmany times as much"),
    ("hit", "good", "it is given at once"),
    ("line behind the last hit asked for", "quiet", "it is not read"),
)


def draw() -> Picture:
    return listing(
        "What a search has to do",
        "Many lines are searched as bytes, as they lie in the file. The few that match "
        "are parsed, and become turns. Who asks for the first hit pays for the first hit, "
        "and the rest of the file is not read.",
        ("for each", "what is done"),
        ROWS,
    )
