"""Page 19.2: which lines of a reply are steps of a plan."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("Sure! Here is a plan.", "quiet", "prose"),
    ("Goal: add three numbers", "good", "the goal"),
    ("1. Read count.txt.", "yours", "a step"),
    ("1.5 litres of milk", "quiet", "no space after the point: prose"),
    ("2) Add the three numbers.", "yours", "a step"),
    ("3.", "quiet", "nothing behind it"),
    ("1. Read count.txt.", "bad", "it begins again: no step"),
)


def draw() -> Picture:
    return listing(
        "Which lines are steps",
        "Seven lines of a reply. The line with Goal is the goal. A number, a point or a "
        "bracket, a space and a text are a step. Prose, a number without a text, a number "
        "that is part of an amount, and a list that begins again are none.",
        ("the model wrote", "what it is"),
        ROWS,
    )
