"""Page 21.5: a mean that nobody gave."""

from drawing import Picture

LEFT, SCALE = 40, 4.4


def draw() -> Picture:
    p = Picture(
        150,
        "A mean that nobody gave",
        "On a scale from 0 to 100 one reviewer gives a draft's clarity 40, and another one 90. The "
        "mean is 65, over the floor of 60. Nobody thinks that it is 65: the two stand 50 apart, "
        "and that says where to look.",
    )
    p.text(20, 26, "clarity, from 0 to 100", "head")
    p.bar(LEFT, 60, 100 * SCALE, 22, "plain")
    p.bar(LEFT + 40 * SCALE, 60, 50 * SCALE, 22, "bad")
    for score, label in ((40, "40: one"), (90, "90: the other")):
        p.text(LEFT + score * SCALE, 52, label, "middle")
    p.line((LEFT + 65 * SCALE, 56), (LEFT + 65 * SCALE, 92), dashed=True)
    p.text(LEFT + 65 * SCALE, 110, "mean 65: nobody's", "soft middle")
    p.text(20, 138, "50 apart: the reviser is told who gave what, and not the mean.")
    return p
