"""Page 19.6: which samples are to come, and what they can still change."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("They both take 580 minutes.", "yours", "580: one vote"),
    ("They are 476 and 528.", "quiet", "528: one vote"),
    ("They together take 580 minutes.", "yours", "580: two votes"),
    (
        "They are 580 minutes both ways.",
        "good",
        "580: three votes of five.\nNo need to ask for the last",
    ),
)


def draw() -> Picture:
    return listing(
        "Four answers, of which three say the same",
        "Of five samples at the most, four have answered. No two have the same words, and three "
        "have the same last number, 580. The fifth can give no other number more than two "
        "votes, so it need not be asked.",
        ("a sample answered", "its vote"),
        ROWS,
        "After three, two more could have said 528, and won by three to two.",
    )
