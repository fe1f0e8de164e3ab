"""Page 22.2: the reasons to end a loop, in the order in which they are asked."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("the success command says yes?", "good", "done"),
    ("somebody asked it to stop?", "plain", "stopped"),
    ("too many failures in a row?", "bad", "failed"),
    ("a bound of the budget reached?", "plain", "budget_exceeded"),
    ("none of these", "program", "running"),
)


def draw() -> Picture:
    return listing(
        "In which order the reasons are asked",
        "Five questions, from first to last. Has the success command succeeded, or "
        "without one, does the agent say that it is done? Then the loop is done. Was it "
        "asked to stop? Then it is stopped. Have too many ticks failed in a row? Then it "
        "has failed. Is the budget used up? Otherwise it is running.",
        ("asked from above", "the first yes decides"),
        ROWS,
        "Only without a success command does a claim of the agent count as the first.",
    )
