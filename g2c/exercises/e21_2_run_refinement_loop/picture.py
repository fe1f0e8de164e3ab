"""Lesson 21, "The loop, and what it hands back": generator, critic, refiner."""

from drawing import Picture


def draw() -> Picture:
    p = Picture(
        320,
        "Generator, critic and refiner",
        "The generator writes a draft from the task. The critic, in a context of its own, sees the "
        "task and the draft and nothing else. If it approves, the draft is the result. If it asks "
        "to revise and rounds are left, the refiner writes a new draft from the task, the draft "
        "and the critique, and the critic sees that one. If no rounds are left, the last draft "
        "that was judged is the result, not approved.",
    )
    p.text(20, 62, "task", "head")
    p.arrow((54, 57), (84, 57))
    p.box(84, 30, 104, 54, "generator", kind="model")
    p.arrow((188, 57), (264, 57))
    p.text(222, 48, "draft", "soft middle")
    p.box(264, 30, 100, 54, "critic", kind="model")
    p.text(314, 20, "a fresh context", "soft middle")
    p.arrow((364, 48), (448, 48))
    p.text(404, 40, "APPROVE", "soft middle")
    p.box(448, 22, 72, 52, "done", kind="good")
    p.arrow((314, 84), (314, 190))
    p.rows(324, 148, ["REVISE, and", "rounds are left"])
    p.box(264, 190, 100, 54, "refiner", kind="model")
    p.arrow((264, 217), (226, 217), (226, 57 + 8))
    p.text(216, 150, "a new draft", "soft end")
    p.arrow((364, 68), (404, 68), (404, 114), (428, 114))
    p.box(428, 86, 100, 56, "max_rounds", "not approved", kind="bad")
    p.text(20, 278, "A round is a draft and what the critic said of it.", "")
    p.text(20, 298, "The result is a draft that the critic has seen, never a later one.", "")
    return p
