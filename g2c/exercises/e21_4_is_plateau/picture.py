"""Page 21.4: the same three totals, and what becomes of them."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("36 38 37 | 51 60 66 69", "good", "a quiet beginning: go on"),
    ("36 38 37 | 35 38 36 37", "bad", "stuck: each round costs"),
    ("55 62 59 | 66 68 73 75", "good", "59 was the reviewers' error"),
    ("55 62 59 | 52 49 44 40", "bad", "62 is handed back in any case"),
    ("70 76 75 | 76 75 77 76", "plain", "at half a point a round, perhaps"),
)


def draw() -> Picture:
    return listing(
        "Three totals, and what comes after them",
        "Five reviews of seven rounds. After three rounds two of them look alike, and one of these "
        "rises from 37 to 69 while the other stays at 37. Two others look alike as well, and one "
        "rises to 75 while the other falls to 40. Of the last one, which stays near 76, the price "
        "decides.",
        ("three rounds | and four more", "would you go on?"),
        ROWS,
    )
