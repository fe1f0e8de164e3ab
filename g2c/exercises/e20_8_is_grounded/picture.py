"""Page 20.8: lines of notes, and what was said of each."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("Your sister is in Bergen.", "bad", "My sister moved\nfrom Bergen to Oslo."),
    ("You moved to Oslo.", "bad", "My sister moved\nfrom Bergen to Oslo."),
    ("You may have walnuts.", "bad", "I may have nuts,\nbut not walnuts."),
    ("Tom bites.", "bad", "My cat is Tom. My dog bites."),
    ("You start on Monday.", "bad", "Do I start on Monday?"),
    ("You have 4 cats.", "good", "We have four cats and a dog."),
)


def draw() -> Picture:
    return listing(
        "What was said, and what was noted",
        "Six lines of notes beside what was said. The first five have only words that were said, "
        "and none of them is true: the place is the old one, somebody else moved, the half is "
        "denied, the words are of two statements, and it was a question. The sixth has a number "
        "in another form and half of the sentence, and is true.",
        ("a line of a note", "what was said"),
        ROWS,
    )
