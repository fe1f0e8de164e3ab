"""Page 22.2: what somebody does who reads in the morning how a loop ended."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("done", "good", "takes the work"),
    ("stopped", "plain", "resumes it, or does not"),
    ("failed", "bad", "mends something first"),
    ("budget_exceeded", "plain", "gives it more, and resumes it"),
    ("running", "program", "leaves it alone"),
)


def draw() -> Picture:
    return listing(
        "What each word makes its reader do",
        "Five words. Done: the reader takes the work. Stopped: the reader "
        "resumes it, or does not. Failed: something has to be mended first. Budget "
        "exceeded: the reader gives it more and resumes it. Running: the reader leaves it alone.",
        ("the status", "in the morning its reader"),
        ROWS,
        "A wrong word costs a night: work done twice, or more failing.",
    )
