"""Page 24.5: what each threshold costs on the same tasks, for three prices of a wrong answer."""

from drawing import Picture

from g2c.exercises.e24_5_choose_route.solution import choose_route
from g2c.swarm.core.routing import Labelled, Prices

LEFT, BASE = 70, 210
GROUPS = ((0.0, 40, 1), (0.2, 20, 1), (0.4, 16, 4), (0.6, 14, 7), (0.8, 10, 8))
"""How unsure, how many tasks, and on how many the cheap model is wrong."""
WRONG = (2, 20, 300)
CHEAP, STRONG, STRONG_ERRS = 1, 8, 25
"""The strong model is wrong on one task of so many."""


def tasks() -> list[Labelled]:
    found = []
    for unsure, many, wrong in GROUPS:
        for n in range(many):
            found.append(Labelled(unsure, n >= wrong, len(found) % STRONG_ERRS > 0))
    return found


def draw() -> Picture:
    known = tasks()
    routes = [choose_route(known, Prices(CHEAP, STRONG, wrong)) for wrong in WRONG]
    named = [
        "the strong one at once"
        if route.threshold is None
        else f"a threshold of {route.threshold:g}"
        for route in routes
    ]
    p = Picture(
        300,
        "One hundred tasks, three prices of a mistake",
        f"The cheap model costs {CHEAP} and the strong one {STRONG}. "
        + " ".join(
            f"If a wrong answer costs {wrong}, the best route is {name}, at {best.cost:.2f} a task."
            for wrong, name, best in zip(WRONG, named, routes, strict=True)
        ),
    )
    p.text(20, 28, "a hundred tasks, by how unsure the cheap model is", "head")
    for n, (unsure, many, wrong) in enumerate(GROUPS):
        x = LEFT + 90 * n
        p.bar(x, BASE - 3.4 * many - 14, 44, 3.4 * (many - wrong), "good")
        p.bar(x, BASE - 3.4 * wrong - 14, 44, 3.4 * wrong, "bad")
        p.text(x + 22, BASE + 4, f"{unsure:g}", "middle")
    p.text(20, BASE + 26, "Red: the cheap model is wrong.")
    for n, (wrong, name, one) in enumerate(zip(WRONG, named, routes, strict=True)):
        y = BASE + 48 + 18 * n
        p.text(20, y, f"A mistake costs {wrong}: {name}, {one.cost:.2f} a task.")
    return p
