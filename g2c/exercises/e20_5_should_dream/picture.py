"""Page 20.5: the three gates in front of a dream."""

from drawing import Picture

GATES = (
    ("time", "24 hours or more", "no copies of copies"),
    ("sessions", "5 sessions or more", "no dream of nothing"),
    ("lock", "nobody holds it", "no two at once"),
)


def draw() -> Picture:
    p = Picture(
        210,
        "Three gates",
        "A dream begins only if three gates are open: 24 hours since the last dream, 5 sessions "
        "since then, and a lock that nobody holds. Each is judged alone, and the decision names "
        "every gate that is closed.",
    )
    for n, (name, opens, keeps_out) in enumerate(GATES):
        x = 20 + n * 174
        p.box(x, 24, 152, 56, name, opens, kind="yours")
        p.text(x + 76, 102, keeps_out, "soft middle")
        p.line((x + 76, 112), (x + 76, 136))
    p.line((96, 136), (444, 136))
    p.arrow((270, 136), (270, 156))
    p.box(80, 156, 380, 34, "all open: dream; if not, name each closed one", kind="program")
    return p
