"""Page 20.4: what becomes of the lines of the index when a pointer is written."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("# What Ada should know", "plain", "a person's line: it stays"),
    ("topics/tea.md: no milk", "bad", "the oldest: it goes\nif there are too many"),
    ("topics/auth.md: how people log in", "bad", "the old pointer goes"),
    ("topics/auth-module.md: the code", "plain", "another file: it stays"),
    ("topics/auth.md: log in by key", "yours", "one line, within its limit"),
)


def draw() -> Picture:
    return listing(
        "The lines of the index",
        "An index when the pointer of auth is written. The heading of a person stays. The "
        "pointer of auth is replaced, and stands at the end. The pointer of auth-module "
        "stays, because it is another file. If there are too many lines, the oldest "
        "pointer falls out, and its file can still be found.",
        ("MEMORY.md", "auth is written again"),
        ROWS,
    )
