"""Lesson 20, "The dream": what is left if the program dies in a phase. The order inside the third
phase is exercise 20.7, so the picture shows what may be left, and not how."""

from drawing import Picture

PHASES = (
    ("orient", "index, topics, last turns are read", "nothing has changed"),
    ("gather", "a model's plan is read and checked", "nothing has changed"),
    ("consolidate", "topics and index are changed", "see below"),
    ("index", "the state of the dream is written", "it dreams once more"),
)


def draw() -> Picture:
    p = Picture(
        540,
        "The dream, and what a crash leaves",
        "Four phases, one after the other. Orient: index, topics and the last turns are read. "
        "Gather: a model's plan is read and checked. A crash in either has changed nothing. "
        "Consolidate (exercise 20.7): topics and index are changed, several files, one after the "
        "other. A crash there may leave a topic without a pointer, which is harmless: recall finds "
        "it, and the next dream sees it. It must never leave a pointer to a file that is not "
        "there, nor an old topic gone with the new one not yet written. Index: the state is "
        "written; a crash before that lets it dream once more, of the same.",
    )
    p.text(20, 26, "phase", "head")
    p.text(376, 26, "if it dies here", "head")
    for n, (name, what, left) in enumerate(PHASES):
        y = 40 + n * 76
        p.box(20, y, 330, 54, name, what, kind="yours" if name == "consolidate" else "program")
        if n:
            p.arrow((185, y - 22), (185, y))
        p.line((350, y + 27), (372, y + 27), dashed=True)
        p.text(378, y + 32, left)
    p.text(20, 366, "What may a crash in the third phase leave? (20.7)", "head")
    p.box(20, 380, 158, 66, "a topic", "with no pointer", kind="good")
    p.box(191, 380, 158, 66, "a pointer", "to no file", kind="bad")
    p.box(362, 380, 158, 66, "no old topic,", "no new one yet", kind="bad")
    p.text(99, 468, "harmless: recall finds it", "soft middle")
    p.text(270, 468, "must never be", "soft middle")
    p.text(441, 468, "must never be", "soft middle")
    p.text(20, 504, "The next dream makes the changes again, so each must bear", "")
    p.text(20, 523, "being made twice.", "")
    return p
