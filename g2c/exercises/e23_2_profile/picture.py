"""Page 23.2: a run's spans, and the path that its end waited for."""

from drawing import Picture

from g2c.exercises.e23_2_profile.naive import RUN
from g2c.exercises.e23_2_profile.solution import profile

LEFT, SCALE = 130, 39


def draw() -> Picture:
    rows = {row.kind: row for row in profile(RUN)}
    p = Picture(
        230,
        "The critical path of a run",
        "An agent runs for 10 seconds. A model plans from 0 to 3, a fast search runs from 3 to 5, "
        "a slow one from 3 to 9, and the model answers from 9 to 10. The path goes from the answer "
        f"back to the slow search and to the plan: {rows['tool'].critical_s:g} seconds of a tool "
        f"and {rows['model'].critical_s:g} of the model. Nobody waited for the fast search, and "
        "the agent did nothing itself.",
    )
    p.text(20, 26, "what ran, and what was waited for", "head")
    for number, span in enumerate(RUN):
        y = 44 + 32 * number
        is_waited = span.id in (2, 4, 5)
        p.text(20, y + 16, span.name, "soft")
        x, width = LEFT + span.start * SCALE, span.seconds * SCALE
        if is_waited:
            p.bar(x, y, width, 22, "good")
        else:
            p.box(int(x), y, int(width), 22, kind="quiet")
        p.text(x + width / 2, y + 16, f"{span.seconds:g} s", "middle")
    p.text(20, 218, "green: the critical path, 10 s in all; dashed: nobody waited for it", "soft")
    return p
