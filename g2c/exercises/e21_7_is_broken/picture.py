"""Page 21.7: what the judge of a draft may see, and what only its score knows."""

from drawing import Picture

SEEN = ("the task's words", "its examples", "the draft")


def draw() -> Picture:
    p = Picture(
        250,
        "A critic that is a program",
        "The function is_broken sees the words of a task, its examples, and a draft, and says "
        "whether the draft is broken. The tests of the task's author are hidden from it. They "
        "decide what is right, and the score counts: broken drafts that it calls broken, less "
        "good drafts that it calls broken.",
    )
    for n, name in enumerate(SEEN):
        y = 20 + n * 48
        p.box(20, y, 150, 34, name)
        p.line((170, y + 17), (196, y + 17))
    p.line((196, 37), (196, 133))
    p.arrow((196, 85), (222, 85))
    p.box(222, 58, 130, 54, "is_broken", "no model", kind="yours")
    p.arrow((352, 85), (390, 85))
    p.box(390, 66, 130, 38, "broken, or not", kind="program")
    p.box(20, 186, 150, 44, "the author's tests", "hidden from it", kind="quiet")
    p.line((170, 208), (455, 208))
    p.arrow((455, 208), (455, 192))
    p.box(360, 148, 160, 44, "the score", "hits less false alarms", kind="good")
    p.arrow((455, 104), (455, 148))
    return p
