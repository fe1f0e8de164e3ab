"""Page 22.9: which calls are made again."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("refused | any effect", "bad", "no: it would say the same"),
    ("busy | any effect", "good", "yes: nothing was done"),
    ("busy for 90 s | 60 s left", "bad", "no: that is too late"),
    ("lost, broken | none, same", "good", "yes: it does no harm"),
    ("lost, broken | once", "bad", "no: it may have happened"),
    ("lost, then busy | once", "bad", "no: the first may count"),
)


def draw() -> Picture:
    return listing(
        "Again or not",
        "A call that was refused is not made again, whatever its effect. One to a busy service "
        "is, since nothing was done, unless the time that the service names is beyond what is "
        "left. A call whose answer was lost, or whose service broke, is made again only if a "
        "second one does no harm. If an answer was lost and the service was busy afterwards, the "
        "call may still have happened.",
        ("failure | effect", "again?"),
        ROWS,
    )
