"""Page 20.6: two processes take over one stale lock."""

from drawing import Kind, Picture

MOMENTS: tuple[tuple[int, str, Kind], ...] = (
    (0, "sees the stale lock", "plain"),
    (1, "sees the stale lock", "plain"),
    (0, "removes it", "plain"),
    (0, "makes a lock of its own", "good"),
    (1, "removes that one", "bad"),
    (1, "makes a lock of its own", "bad"),
)


def draw() -> Picture:
    p = Picture(
        90 + 40 * len(MOMENTS),
        "Two processes and a stale lock",
        "Two processes see the same stale lock. The first removes it and makes its own. The second "
        "still believes what it saw, removes the lock of the first, and makes its own. Both "
        "believe that they have the lock.",
    )
    for side, name in enumerate(("one process", "the other")):
        p.text(145 + side * 250, 28, name, "head middle")
    for n, (side, what, kind) in enumerate(MOMENTS):
        p.box(35 + side * 250, 44 + n * 40, 220, 30, what, kind=kind)
    p.text(20, 44 + 40 * len(MOMENTS) + 26, "Both believe that they have the lock.", "")
    return p
