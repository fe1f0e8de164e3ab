"""Page 20.10: a question, answers of a model, and what was said."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("You are not allergic\nto walnuts.", "bad", "I have allergies: walnuts."),
    ("On 14 March.", "bad", "Actually, the appointment\nwas moved to 21 March."),
    ("Your brother lives in Oslo.", "bad", "My sister lives in Bergen."),
    ("Ann and Ben.", "bad", "They are called\nAnn, Ben and Cleo."),
    ("4711.", "bad", "The alarm code is 8092.\nThe locker code is 4711."),
    ("In Bergen.", "good", "My sister lives in Bergen."),
)


def draw() -> Picture:
    return listing(
        "What was said, and what was answered",
        "Six answers of a model beside what the user had said. The first five are wrong: one turns "
        "the statement round, one is older than a change, one answers another question, one leaves "
        "out a part of a list, one has the number of another thing. The sixth is a few words of "
        "the right statement, and may be said.",
        ("an answer", "what was said"),
        ROWS,
    )
