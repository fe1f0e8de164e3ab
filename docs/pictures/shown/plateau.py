"""Page 21.4: the newest totals of three reviews."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("... 70   71   72", "yours", "a plateau"),
    ("... 70   72   74", "plain", "on its way: 4 apart"),
    ("... 74   72   70", "plain", "it falls: 4 apart"),
    ("... 71   85   71", "plain", "up and down: 14 apart"),
)


def draw() -> Picture:
    return listing(
        "Which totals have stopped moving",
        "The newest three totals of four histories, where less than 3 points apart is "
        "alike. 70, 71, 72 is a plateau. 70, 72, 74 rises, 74, 72, 70 falls, and 71, 85, "
        "71 goes up and down, so none of these is one.",
        ("the newest three totals", "less than 3 apart?"),
        ROWS,
    )
